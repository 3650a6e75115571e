"""What a player may do in Aces Up, and what it does (AU-2 to AU-4). Whether the game is over is ``outcome``'s.

>>> from services.rules.cards import card
>>> state = State.decode("7S|3CJS|5H|AC|")
>>> applied = apply(state, Remove(0, card("7S")), AcesUpOptions(1))
>>> applied.state.encode(), apply(applied.state, Fill(1, card("JS"), 0), AcesUpOptions(1)).state.encode()
('|3CJS|5H|AC|', 'JS|3C|5H|AC|')
>>> apply(state, Remove(2, card("5H")), AcesUpOptions(1))
Illegal(reason=<Reason.NO_HIGHER: 'no_higher'>)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from services.rules.aces_up import steps
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.state import State, strength
from services.rules.aces_up.steps import PILES, Step
from services.rules.cards import ACE, Card

_PILE_NUMBERS: Final = range(PILES)


class Reason(StrEnum):
    """Why an action is refused. Values are the wire's."""

    NO_SUCH_PILE = "no_such_pile"
    EMPTY_PILE = "empty_pile"
    BURIED = "buried"
    NOT_THERE = "not_there"
    ACE_STAYS = "ace_stays"
    NO_HIGHER = "no_higher"
    NO_GAP = "no_gap"
    STOCK_EMPTY = "stock_empty"
    STOCK_CHANGED = "stock_changed"
    NO_PRACTICE = "no_practice"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NOTHING_TO_REDO = "nothing_to_redo"


@dataclass(frozen=True, slots=True)
class Row:
    """Deals four, one on every pile (AU-4). ``stock`` is how many cards the player saw there: one click is one row."""

    stock: int


@dataclass(frozen=True, slots=True)
class Remove:
    """Takes the top card of a pile (0 to 3) out of the game (AU-2)."""

    pile: int
    card: Card


@dataclass(frozen=True, slots=True)
class Fill:
    """The top card of pile ``source`` into the gap ``to`` (AU-3)."""

    source: int
    card: Card
    to: int


@dataclass(frozen=True, slots=True)
class Undo:
    """Takes the last step back. In practice only."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Makes the last step that was taken back again. In practice only."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Ends the game as it is."""


Move = Row | Remove | Fill
Action = Move | Undo | Redo | GiveUp


@dataclass(frozen=True, slots=True)
class Applied:
    """What an action does: the ``state`` afterwards, the ``dealt`` row, and what was ``removed`` by itself after it.

    The action's own card is not in ``removed``. Giving up leaves the very same state.
    """

    state: State
    dealt: tuple[Card, ...] = ()
    removed: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Illegal:
    """The action is not allowed; the state is what it was."""

    reason: Reason


def apply(state: State, action: Action, options: AcesUpOptions) -> Applied | Illegal:
    """What ``action`` does to ``state``, or why it may not be."""
    match action:
        case Row(stock):
            if refused := _row_refused(state, stock):
                return Illegal(refused)
            return _stepped(state, steps.ROW, options, dealt=state.stock[: -PILES - 1 : -1])
        case Remove(pile, gone):
            if refused := _not_on_top(state, pile, gone) or _removal_refused(state.tops, gone):
                return Illegal(refused)
            return _stepped(state, steps.removed(pile, gone), options)
        case Fill(source, moved, to):
            if refused := _not_on_top(state, source, moved) or _fill_refused(state, to):
                return Illegal(refused)
            return _stepped(state, steps.filled(source, to), options)
        case Undo():
            return _undo(state, options)
        case Redo():
            return _redo(state, options)
        case GiveUp():
            return Applied(state)


def removable(tops: Sequence[Card | None], card: Card) -> bool:
    """Whether a top card may be removed: a higher one of its suit is another top (AU-2). No ace ever may."""
    return any(top is not None and top.suit == card.suit and strength(top) > strength(card) for top in tops)


def _row_refused(state: State, stock: int) -> Reason | None:
    if not state.stock:
        return Reason.STOCK_EMPTY
    return Reason.STOCK_CHANGED if stock != len(state.stock) else None


def _not_on_top(state: State, pile: int, card: Card) -> Reason | None:
    if pile not in _PILE_NUMBERS:
        return Reason.NO_SUCH_PILE
    lying = state.piles[pile]
    if not lying:
        return Reason.EMPTY_PILE
    if lying[-1] is card:
        return None
    return Reason.BURIED if card in lying else Reason.NOT_THERE


def _removal_refused(tops: Sequence[Card | None], card: Card) -> Reason | None:
    if card.rank == ACE:
        return Reason.ACE_STAYS
    return None if removable(tops, card) else Reason.NO_HIGHER


def _fill_refused(state: State, to: int) -> Reason | None:
    if to not in _PILE_NUMBERS:
        return Reason.NO_SUCH_PILE
    return Reason.NO_GAP if state.piles[to] else None


def _undo(state: State, options: AcesUpOptions) -> Applied | Illegal:
    if not options.practice:
        return Illegal(Reason.NO_PRACTICE)
    if not state.done:
        return Illegal(Reason.NOTHING_TO_UNDO)
    step = state.done[-1]
    piles, stock = steps.backward(state.piles, state.stock, step)
    return Applied(State(piles, stock, state.done[:-1], (*state.undone, step)))


def _redo(state: State, options: AcesUpOptions) -> Applied | Illegal:
    if not options.practice:
        return Illegal(Reason.NO_PRACTICE)
    if not state.undone:
        return Illegal(Reason.NOTHING_TO_REDO)
    step = state.undone[-1]
    piles, stock = steps.forward(state.piles, state.stock, step)
    return Applied(State(piles, stock, (*state.done, step), state.undone[:-1]))


def _stepped(state: State, step: Step, options: AcesUpOptions, dealt: tuple[Card, ...] = ()) -> Applied:
    """The state after the step and the removals that it brings with it, and what is kept of it for practice."""
    after = State(*steps.forward(state.piles, state.stock, step))
    removed: list[Card] = []
    while options.auto_remove and (found := _first_removable(after)):
        pile, gone = found
        change = steps.removed(pile, gone)
        step += change
        removed.append(gone)
        after = State(*steps.forward(after.piles, after.stock, change))
    if options.practice:
        after = replace(after, done=(*state.done, step)[-steps.KEPT :])
    return Applied(after, dealt, tuple(removed))


def _first_removable(state: State) -> tuple[int, Card] | None:
    """The lowest pile whose top may be removed, and that card."""
    tops = state.tops
    return next(((i, top) for i, top in enumerate(tops) if top is not None and removable(tops, top)), None)
