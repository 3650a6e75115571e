"""What happens in a game of Aces Up, in the log's own words. ``services.rules.events`` reads and writes them.

A game's log begins with the same ``prepare`` as a hand of Racing Demon, then ``aces_deal``, ``start``, the player's
actions, and ``aces_end``.

>>> from services.rules.aces_up.moves import apply
>>> from services.rules.aces_up.state import State
>>> from services.rules.cards import card
>>> state = State.decode("7S|3CJS|5H|AC|")
>>> action = Remove(0, card("7S"))
>>> told(action, apply(state, action, AcesUpOptions(1)), (4, 1700000000000, 0, 1, 3, 1700000000000))
CardRemoved(seq=4, at=1700000000000, seat=0, n=1, seen=3, arrived=1700000000000, pile=0, card=7S, removed=())
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, assert_never

from services.rules.aces_up.moves import Action, Applied, Fill, GiveUp, Redo, Remove, Row, Undo
from services.rules.aces_up.options import AcesUpOptions
from services.rules.cards import Card
from services.rules.event import Event, Player, SeatEvent
from services.rules.layout import Pile


class AcesEndWhy(StrEnum):
    """Why a game ended (AU-5): won, lost, given up by its player; void, ended by the platform, which counts nowhere."""

    WON = "won"
    LOST = "lost"
    GIVEN_UP = "given_up"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class AcesDealt(Event):
    """The four ``cards`` lie open, ``stock`` are to come (AU-1); the countdown runs until ``start_at``."""

    e: ClassVar[str] = "aces_deal"
    hand: int
    match: str
    options: AcesUpOptions
    commitment: str
    seats: tuple[Player, ...]
    start_at: int
    cards: tuple[Card, ...]
    stock: int


@dataclass(frozen=True, slots=True)
class RowDealt(SeatEvent):
    """Four ``cards`` were dealt, onto the piles 0 to 3 (AU-4); then ``removed`` went by themselves, in that order."""

    e: ClassVar[str] = "row"
    cards: tuple[Card, ...]
    removed: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardRemoved(SeatEvent):
    """``card`` left its pile and the game (AU-2); then ``removed`` went by themselves, in that order."""

    e: ClassVar[str] = "remove"
    pile: int
    card: Card
    removed: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class GapFilled(SeatEvent):
    """``card`` went from the pile ``source`` into the gap ``to`` (AU-3); then ``removed`` went by themselves."""

    e: ClassVar[str] = "fill"
    source: int
    card: Card
    to: int
    removed: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Undone(SeatEvent):
    """The last step was taken back: now these ``piles`` lie there, and ``stock`` are to come. In practice only."""

    e: ClassVar[str] = "undo"
    piles: tuple[Pile, ...]
    stock: int


@dataclass(frozen=True, slots=True)
class Redone(SeatEvent):
    """A step that was taken back was made again: now these ``piles`` lie there. In practice only."""

    e: ClassVar[str] = "redo"
    piles: tuple[Pile, ...]
    stock: int


@dataclass(frozen=True, slots=True)
class GaveUp(SeatEvent):
    """The player wants no more; the end follows."""

    e: ClassVar[str] = "give_up"


@dataclass(frozen=True, slots=True)
class AcesEnded(Event):
    """The game is over with so many cards ``removed``.

    The secret is told, as after every hand, though a numbered deal doesn't come from it.
    """

    e: ClassVar[str] = "aces_end"
    hand: int
    match: str
    why: AcesEndWhy
    removed: int
    secret: str


KINDS: Final[tuple[type[Event], ...]] = (
    AcesDealt,
    RowDealt,
    CardRemoved,
    GapFilled,
    Undone,
    Redone,
    GaveUp,
    AcesEnded,
)
"""Every event of this game but ``prepare`` and ``start``."""

Stamp = tuple[int, int, int, int, int, int]
"""What a seat's event begins with: seq, at, seat, n, seen, arrived."""


def told(action: Action, applied: Applied, stamp: Stamp) -> SeatEvent:
    """The event that an action becomes, given what it did."""
    match action:
        case Row():
            return RowDealt(*stamp, applied.dealt, applied.removed)
        case Remove(pile, card):
            return CardRemoved(*stamp, pile, card, applied.removed)
        case Fill(source, card, to):
            return GapFilled(*stamp, source, card, to, applied.removed)
        case Undo():
            return Undone(*stamp, applied.state.piles, applied.state.stock_count)
        case Redo():
            return Redone(*stamp, applied.state.piles, applied.state.stock_count)
        case GiveUp():
            return GaveUp(*stamp)
        case _:
            assert_never(action)


def asked(event: SeatEvent, stock_count: int) -> Action | None:
    """The action that an event tells of, at a stock of so many cards; None if it is none of this game's."""
    match event:
        case RowDealt():
            return Row(stock_count)
        case CardRemoved(pile=pile, card=card):
            return Remove(pile, card)
        case GapFilled(source=source, card=card, to=to):
            return Fill(source, card, to)
        case Undone():
            return Undo()
        case Redone():
            return Redo()
        case GaveUp():
            return GiveUp()
        case _:
            return None
