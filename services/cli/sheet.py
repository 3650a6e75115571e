"""The score sheet of a hand, for a terminal, in the words of its table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.table import Table as Grid

from services.cli.house_rules import hands
from services.client.models import HandSheet, Match, TableSeat, Team
from services.rules.words import Words

_WHY: Final = {
    "dead": "blocked for good",
    "blocked": "all were blocked",
    "agreed": "all agreed to end it",
    "disputed": "disputed: not counted, and dealt again",
    "void": "void: not counted",
}


def grid(sheet: HandSheet, words: Words) -> Grid:
    """The sheet as a table: per seat the cards on foundations, what is left in the demon, points and total."""
    table = Grid(title=f"Hand {sheet.hand}: {_how(sheet, words)}", title_justify="left", caption_justify="left")
    for title in ("seat", "foundations", words.pile, "points", "total"):
        table.add_column(title, justify="left" if title == "seat" else "right")
    for line in sheet.seats:
        name = f"{line.seat} {line.name}{' (called)' if line.called else ''}"
        table.add_row(name, str(line.foundation), str(line.demon), str(line.points), str(line.total))
    table.caption = "\n".join(_teams(sheet)) or None
    return table


def lines(sheet: HandSheet, words: Words, *, with_totals: bool = True) -> list[str]:
    """The same as plain text, one line a seat, then one a team. A hand by itself has no totals."""
    out = [f"hand {sheet.hand}: {_how(sheet, words)}"]
    for line in sheet.seats:
        called = ", called" if line.called else ""
        total = f", total {line.total}" if with_totals else ""
        out.append(
            f"  seat {line.seat} {line.name}: {line.points} points ({line.foundation} on foundations, "
            f"{line.demon} in the {words.pile}{called}){total}"
        )
    return [*out, *(f"  {team}" for team in _teams(sheet, with_totals=with_totals))]


def outcome(match: Match, seats: Sequence[TableSeat]) -> str:
    """Who won, with which total; partners together."""
    if not match.over or not match.hands:
        return "no winner"
    sides = match.teams or [Team((line.seat,), line.total) for line in match.hands[-1].seats]
    winners = [side for side in sides if set(side.seats) <= set(match.winners)]
    names = [" and ".join(f"{seats[seat].name or 'nobody'} (seat {seat})" for seat in side.seats) for side in winners]
    how = "win together" if match.teams else "wins"
    if len(winners) > 1:
        how = "share the victory"
    played = hands(sum(hand.counts for hand in match.hands))
    return f"{(', and ' if match.teams else ' and ').join(names)} {how} with {winners[0].total} after {played}"


def _how(sheet: HandSheet, words: Words) -> str:
    if sheet.why != "called":
        return _WHY.get(sheet.why, sheet.why)
    callers = " and ".join(line.name or f"seat {line.seat}" for line in sheet.seats if line.called)
    return f'{callers or "somebody"} called "{words.call}"'


def _teams(sheet: HandSheet, *, with_totals: bool = True) -> list[str]:
    names = {line.seat: line.name or f"seat {line.seat}" for line in sheet.seats}
    return [
        f"{' and '.join(names[seat] for seat in team.seats)} together: {team.points} points"
        + (f", total {team.total}" if with_totals else "")
        for team in sheet.teams
    ]
