"""A table and what happens at it, for a terminal. Only what everyone may see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.table import Table as Grid

from services.cli import game_text
from services.cli.card_text import SUITS, shown
from services.cli.house_rules import words_of
from services.client.models import Table, Team
from services.rules.cards import RANKS
from services.rules.events import (
    Asked,
    Called,
    Dealt,
    Ended,
    Event,
    Moved,
    Played,
    Prepared,
    Recycled,
    Returned,
    SeatEvent,
    Shifted,
    Started,
    Turned,
    Voted,
)
from services.rules.moves import Source
from services.rules.view import FoundationView, SeatView, TableView

_PLACES: Final = {
    Source.WASTE: "the waste",
    Source.C0: "column 1",
    Source.C1: "column 2",
    Source.C2: "column 3",
    Source.C3: "column 4",
}


def name_of(table: Table | None, seat: int) -> str:
    """The name at a seat, or its number while nobody has it."""
    named = table.seats[seat].name if table is not None and seat < len(table.seats) else None
    return named or f"seat {seat}"


def describe(event: Event, table: Table | None) -> str:
    """What happened, in a sentence."""
    who = name_of(table, event.seat) if isinstance(event, SeatEvent) else ""
    words = words_of(table.options if table is not None else {})
    places = {Source.DEMON: f"the {words.pile}", **_PLACES}
    match event:
        case Played(source=source, card=card, f=f, tie=tie):
            beside = ", sharing its place" if tie else ""
            return f"{who}: {shown(card)} from {places[source]} to foundation {f}{beside}"
        case Returned(card=card, f=f, first=first, gap=gap):
            holders = " and ".join(name_of(table, seat) for seat in first)
            return f"{who}: {shown(card)} came {gap} ms after that of {holders} on foundation {f}, and goes back"
        case Moved(source=source, card=card, to=to, count=count):
            more = f" and {count - 1} more" if count > 1 else ""
            return f"{who}: {shown(card)}{more} from {places[source]} to {places[to]}"
        case Turned(count=count, shows=card):
            return f"{who}: turns {count}" + (f", showing {shown(card)}" if card else "")
        case Recycled():
            return f"{who}: turns the waste over"
        case Called():
            return f"{who}: {words.call}"
        case Voted(choice=choice):
            return f"{who}: votes {choice.value}"
        case Prepared(hand=hand):
            return f"hand {hand}: the shuffle is chosen, and its hash published"
        case Dealt(hand=hand):
            return f"hand {hand}: dealt"
        case Started(hand=hand):
            return f"hand {hand}: go"
        case Shifted(why=why):
            return f"{why.value}: every stock is re-formed and shifted by one card"
        case Asked():
            return "nobody has got on for a while: what is to be done?"
        case Ended(hand=hand, why=why, scores=scores):
            of = {score.seat: score.points for score in scores}
            points = [f"{name_of(table, seat)} {made:+}" for seat, made in of.items()]
            if of and table is not None:
                points += [f"{_partners(table, t)} together {sum(of[seat] for seat in t.seats):+}" for t in table.teams]
            return f"hand {hand} is over ({why.value}): {', '.join(points) or 'not counted'}"
    return game_text.describe(event, who) or event.e


def board(view: TableView, table: Table | None) -> Grid:
    """The whole table as text: what each seat shows, how its teams stand, and the foundations; or a game of Aces Up."""
    if view.game is not None:
        return game_text.board(view.game, view.phase.value if view.phase else "waiting")
    words = words_of(table.options if table is not None else {})
    state = (view.phase.value if view.phase else "waiting") + (", playoff" if table and table.playoff else "")
    standing = [f"{_partners(table, team)} together {team.total}" for team in table.teams] if table else []
    caption = "\n".join([*standing, foundations(view.foundations)])
    grid = Grid(title=f"hand {view.hand}, {state}", title_justify="left", caption=caption, caption_justify="left")
    for title in ("seat", "total", words.pile, "columns", "stock", "waste", "vote"):
        grid.add_column(title)
    for seat, (layout, vote) in enumerate(zip(view.seats, view.votes, strict=True)):
        total = str(table.seats[seat].total) if table is not None and seat < len(table.seats) else ""
        grid.add_row(name_of(table, seat), total, *_cells(layout), vote.value if vote else "")
    return grid


def foundations(piles: Sequence[FoundationView]) -> str:
    """Each foundation's top card, in order of opening."""
    tops = (f"{f}:{RANKS[pile.height - 1].replace('T', '10')}{SUITS[pile.suit]}" for f, pile in enumerate(piles))
    return "foundations  " + ("  ".join(tops) or "none yet")


def _partners(table: Table | None, team: Team) -> str:
    return " and ".join(name_of(table, seat) for seat in team.seats)


def _cells(seat: SeatView) -> tuple[str, str, str, str]:
    demon = f"{seat.demon_count}: {shown(seat.demon_top)}" if seat.demon_top else "empty"
    columns = " | ".join(" ".join(map(shown, column)) or "-" for column in seat.columns)
    waste = f"{len(seat.waste)}: {shown(seat.waste_top)}" if seat.waste_top else "-"
    return demon, columns, str(seat.stock_count), waste
