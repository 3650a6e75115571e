"""Moves of one seat in its own layout, and what they do to it: the part of legality that needs no other seat.

Whether a foundation takes the card is not decided here (``foundation``, ``contest``, ``referee``).

>>> from services.rules.layout import Layout
>>> from services.rules.options import Options
>>> layout = Layout.decode("5C4D|KS|9H|TS|2C|3C4C5S|")
>>> applied = apply(layout, MoveToColumn(COLUMN[1], card("9H"), 2), Options())
>>> applied.layout.columns[2], applied.shows, applied.progress
((TS, 9H), None, False)
>>> apply(layout, Recycle(), Options())
Illegal(reason=<Reason.STOCK_NOT_EMPTY: 'stock_not_empty'>)
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from services.rules.cards import Card, builds_down, card
from services.rules.layout import Layout, Pile
from services.rules.options import Options


class Source(StrEnum):
    """Where a card is taken from, as the wire names it."""

    DEMON = "demon"
    WASTE = "waste"
    C0 = "c0"
    C1 = "c1"
    C2 = "c2"
    C3 = "c3"


COLUMN: Final = (Source.C0, Source.C1, Source.C2, Source.C3)
_COLUMN_INDEX: Final = {source: i for i, source in enumerate(COLUMN)}


class Reason(StrEnum):
    """Why a command is refused. Values are the wire's (docs/protocol.md)."""

    NOT_THERE = "not_there"
    DOES_NOT_FIT = "does_not_fit"
    GAP_DEMON_ONLY = "gap_demon_only"
    NO_PLACE = "no_place"
    UNSEEN = "unseen"
    STOCK_EMPTY = "stock_empty"
    STOCK_NOT_EMPTY = "stock_not_empty"
    STOCK_CHANGED = "stock_changed"
    ONE_PASS = "one_pass"
    WASTE_EMPTY = "waste_empty"
    DEMON_NOT_EMPTY = "demon_not_empty"
    ALREADY_CALLED = "already_called"
    NOT_STARTED = "not_started"
    HAND_OVER = "hand_over"
    WRONG_HAND = "wrong_hand"
    ONE_HAND = "one_hand"
    PROGRESS_SINCE = "progress_since"
    NO_SHIFT = "no_shift"
    NO_REPLAY = "no_replay"
    FORGOTTEN = "forgotten"
    OTHER_GAME = "other_game"
    FROZEN = "frozen"


@dataclass(frozen=True, slots=True)
class PlayToFoundation:
    """A demon top, waste top or column's exposed end to a foundation (RD-7). ``foundation`` None: any that takes it."""

    source: Source
    card: Card
    foundation: int | None = None


@dataclass(frozen=True, slots=True)
class MoveToColumn:
    """A demon top, waste top or tail of another column onto ``column`` (0 to 3). ``card`` is the tail's first card."""

    source: Source
    card: Card
    column: int


@dataclass(frozen=True, slots=True)
class Turn:
    """The next packet of the stock onto the waste (RD-9). ``stock`` is how many cards the player saw in the stock."""

    stock: int


@dataclass(frozen=True, slots=True)
class Recycle:
    """The whole waste turned over to be the stock, once that is empty (RD-9)."""


@dataclass(frozen=True, slots=True)
class Call:
    """The call that ends the hand, "Demon!" (RD-11)."""


class Choice(StrEnum):
    """What a seat consents to: when stuck (RD-10 f, g), or to have a disputed hand dealt again."""

    SHIFT = "shift"
    END = "end"
    REPLAY = "replay"
    WITHDRAW = "withdraw"


@dataclass(frozen=True, slots=True)
class Vote:
    """Consent, naming the table's progress count that the player saw."""

    choice: Choice
    progress: int


Move = PlayToFoundation | MoveToColumn | Turn | Recycle
Action = Move | Call | Vote


@dataclass(frozen=True, slots=True)
class Applied:
    """What a move does to the layout.

    ``shows`` is the card that became available at the source (demon or waste), or on the waste after a turn; ``moved``
    how many cards went; ``progress`` as in RD-10 (a).
    """

    layout: Layout
    shows: Card | None
    moved: int
    progress: bool


@dataclass(frozen=True, slots=True)
class Illegal:
    """The move is not allowed; the layout is what it was."""

    reason: Reason


def apply(layout: Layout, action: Action, options: Options) -> Applied | Illegal:
    """What ``action`` does to its seat's ``layout``, or why it may not be (RD-3 to RD-7, RD-9, RD-11).

    For a foundation play this is the layout without the card; calls and votes leave it as it is.
    """
    match action:
        case PlayToFoundation(source, played, _):
            return _take(layout, source, played, single=True)
        case MoveToColumn(source, head, column):
            return _to_column(layout, source, head, column, options)
        case Turn(stock):
            return _turn(layout, stock, options)
        case Recycle():
            return _recycle(layout, options)
        case Call():
            return Illegal(Reason.DEMON_NOT_EMPTY) if layout.demon else Applied(layout, None, 0, False)
        case Vote(Choice.SHIFT) if options.stuck == "end":
            return Illegal(Reason.NO_SHIFT)
        case Vote(Choice.REPLAY) if options.dispute == "off":
            return Illegal(Reason.NO_REPLAY)
        case Vote():
            return Applied(layout, None, 0, False)


def tail_length(pile: Pile) -> int:
    """How many cards of a column, from the exposed end, are in order and so may move as one (RD-4)."""
    n = min(1, len(pile))
    while n < len(pile) and builds_down(pile[-n], pile[-n - 1]):
        n += 1
    return n


def movable(pile: Pile) -> Pile:
    """The cards of a column that may move as one, the exposed end last (RD-4)."""
    return pile[len(pile) - tail_length(pile) :]


def turned_over(layout: Layout) -> Layout:
    """The stock re-formed and its top card moved to the bottom: what a shift does to a seat (RD-10 d)."""
    stock = layout.stock + layout.waste[::-1]
    return Layout(layout.demon, layout.columns, stock[-1:] + stock[:-1], ())


def _take(layout: Layout, source: Source, head: Card, *, single: bool) -> Applied | Illegal:
    """The layout without ``head`` (from a column, with all that lies on it unless ``single``)."""
    if source is Source.DEMON:
        if not layout.demon or layout.demon[-1] is not head:
            return Illegal(Reason.NOT_THERE)
        rest = layout.demon[:-1]
        return Applied(Layout(rest, layout.columns, layout.stock, layout.waste), _top(rest), 1, True)
    if source is Source.WASTE:
        if not layout.waste or layout.waste[-1] is not head:
            return Illegal(Reason.NOT_THERE)
        rest = layout.waste[:-1]
        return Applied(Layout(layout.demon, layout.columns, layout.stock, rest), _top(rest), 1, True)
    i = _COLUMN_INDEX[source]
    pile = layout.columns[i]
    if not pile or (single and pile[-1] is not head) or head not in pile:
        return Illegal(Reason.NOT_THERE)
    at = pile.index(head)
    if len(pile) - at > tail_length(pile):
        return Illegal(Reason.NOT_THERE)
    return Applied(_with_column(layout, i, pile[:at]), None, len(pile) - at, single)


def _to_column(layout: Layout, source: Source, head: Card, column: int, options: Options) -> Applied | Illegal:
    if _COLUMN_INDEX.get(source) == column:
        return Illegal(Reason.DOES_NOT_FIT)
    target = layout.columns[column]
    taken = _take(layout, source, head, single=False)
    if isinstance(taken, Illegal):
        return taken
    if target and not builds_down(head, target[-1]):
        return Illegal(Reason.DOES_NOT_FIT)
    if not target and source is not Source.DEMON and options.gap_fill == "demon_only":
        return Illegal(Reason.GAP_DEMON_ONLY)
    from_column = _COLUMN_INDEX.get(source)
    tail = (head,) if from_column is None else layout.columns[from_column][-taken.moved :]
    return Applied(_with_column(taken.layout, column, target + tail), taken.shows, taken.moved, taken.progress)


def _turn(layout: Layout, seen_stock: int, options: Options) -> Applied | Illegal:
    if not layout.stock:
        return Illegal(Reason.STOCK_EMPTY)
    if seen_stock != len(layout.stock):
        return Illegal(Reason.STOCK_CHANGED)
    packet = layout.stock[-options.draw :]
    waste = layout.waste + packet[::-1]
    rest = layout.stock[: -len(packet)]
    return Applied(Layout(layout.demon, layout.columns, rest, waste), waste[-1], len(packet), False)


def _recycle(layout: Layout, options: Options) -> Applied | Illegal:
    if options.passes == 1:
        return Illegal(Reason.ONE_PASS)
    if layout.stock:
        return Illegal(Reason.STOCK_NOT_EMPTY)
    if not layout.waste:
        return Illegal(Reason.WASTE_EMPTY)
    stock = layout.waste[::-1]
    return Applied(Layout(layout.demon, layout.columns, stock, ()), None, len(stock), False)


def _with_column(layout: Layout, i: int, pile: Pile) -> Layout:
    columns = list(layout.columns)
    columns[i] = pile
    c0, c1, c2, c3 = columns
    return Layout(layout.demon, (c0, c1, c2, c3), layout.stock, layout.waste)


def _top(pile: Pile) -> Card | None:
    return pile[-1] if pile else None


__all__ = [
    "COLUMN",
    "Action",
    "Applied",
    "Call",
    "Choice",
    "Illegal",
    "Move",
    "MoveToColumn",
    "PlayToFoundation",
    "Reason",
    "Recycle",
    "Source",
    "Turn",
    "Vote",
    "apply",
    "card",
    "movable",
    "tail_length",
    "turned_over",
]
