"""The score sheet of a hand, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.table import Table as Grid

from services.client.models import HandSheet, Match, TableSeat

_WHY: Final = {
    "called": "somebody called",
    "dead": "blocked for good",
    "agreed": "all agreed to end it",
    "void": "void: not counted",
}


def grid(sheet: HandSheet) -> Grid:
    """The sheet as a table: per seat the cards on foundations, what is left in the demon, points and total."""
    table = Grid(title=f"Hand {sheet.hand}: {_WHY.get(sheet.why, sheet.why)}", title_justify="left")
    for title in ("seat", "foundations", "demon", "points", "total"):
        table.add_column(title, justify="left" if title == "seat" else "right")
    for line in sheet.seats:
        name = f"{line.seat} {line.name}{' (called)' if line.called else ''}"
        table.add_row(name, str(line.foundation), str(line.demon), str(line.points), str(line.total))
    return table


def lines(sheet: HandSheet) -> list[str]:
    """The same as plain text, one line a seat."""
    out = [f"hand {sheet.hand}: {_WHY.get(sheet.why, sheet.why)}"]
    for line in sheet.seats:
        called = ", called" if line.called else ""
        out.append(
            f"  seat {line.seat} {line.name}: {line.points} points ({line.foundation} on foundations, "
            f"{line.demon} in the demon{called}), total {line.total}"
        )
    return out


def outcome(match: Match, seats: Sequence[TableSeat]) -> str:
    """Who won, with which total."""
    if not match.over or not match.hands:
        return "no winner"
    totals = {line.seat: line.total for line in match.hands[-1].seats}
    names = [f"{seats[seat].name or 'nobody'} (seat {seat})" for seat in match.winners]
    shared = "share the victory" if len(names) > 1 else "wins"
    best = totals[match.winners[0]]
    return f"{' and '.join(names)} {shared} with {best} after {len(match.hands)} hands"
