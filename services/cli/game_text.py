"""A game of Aces Up and what happens in it, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.table import Table as Grid

from services.cli.card_text import shown
from services.rules.aces_up.events import (
    AcesDealt,
    AcesEnded,
    AcesEndWhy,
    CardRemoved,
    GapFilled,
    GaveUp,
    Redone,
    RowDealt,
    Undone,
)
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.view import View
from services.rules.cards import Card
from services.rules.event import Event

_WIDTH: Final = 48
"""Columns of the terminal for a pile, so that the picture doesn't jump about as they grow."""
_ENDS: Final = {
    AcesEndWhy.WON: "won",
    AcesEndWhy.LOST: "lost",
    AcesEndWhy.GIVEN_UP: "given up",
    AcesEndWhy.VOID: "void, it was not touched",
}


def describe(event: Event, who: str) -> str | None:
    """What happened, in a sentence; None for events that are not this game's alone. ``who`` plays."""
    match event:
        case AcesDealt(options=options, cards=cards):
            return f"{named(options)}: {_row(cards)}"
        case RowDealt(cards=cards, removed=removed):
            return f"{who}: deals {_row(cards)}{_gone(removed)}"
        case CardRemoved(card=card, removed=removed):
            return f"{who}: removes {shown(card)}{_gone(removed)}"
        case GapFilled(card=card, to=to, removed=removed):
            return f"{who}: {shown(card)} into the gap, pile {to + 1}{_gone(removed)}"
        case Undone():
            return f"{who}: takes a step back"
        case Redone():
            return f"{who}: makes a step again"
        case GaveUp():
            return f"{who}: gives up"
        case AcesEnded(why=why, removed=removed):
            return f"the game is over ({_ENDS[why]}): {removed} cards removed"
    return None


def named(options: AcesUpOptions) -> str:
    """Which game it is: the deal, and its comforts if there are any."""
    comforts = [word for word, on in (("practice", options.practice), ("auto-remove", options.auto_remove)) if on]
    return f"Aces Up, deal {options.number}" + (f" ({', '.join(comforts)})" if comforts else "")


def board(game: View, state: str) -> Grid:
    """The piles as text, one a line, the top last."""
    caption = f"stock {game.stock_count}, removed {game.removed_count}"
    grid = Grid(title=f"{named(game.options)}, {state}", title_justify="left", caption=caption, caption_justify="left")
    grid.add_column("pile")
    grid.add_column("cards", min_width=_WIDTH)
    for number, pile in enumerate(game.piles, start=1):
        grid.add_row(str(number), " ".join(map(shown, pile)) or "-")
    return grid


def told(dealt: AcesDealt, end: AcesEnded) -> str:
    """A whole game in a line."""
    return f"{named(dealt.options)}: {dealt.seats[0].name}, {_ENDS[end.why]}, {end.removed} cards removed"


def _row(cards: Sequence[Card]) -> str:
    return " ".join(map(shown, cards))


def _gone(removed: Sequence[Card]) -> str:
    return f"; then by itself: {_row(removed)}" if removed else ""
