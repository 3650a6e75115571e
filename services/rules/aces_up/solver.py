"""Whether a game of Aces Up can still be won, and by which actions: exact, or undecided, never a guess.

>>> from services.rules.aces_up.state import State
>>> solve(State.decode("ASAH||AD|AC|"))
Won(line=(Fill(source=0, card=AH, to=1),))
>>> solve(State.decode("2SAS|AH|AD|AC|"))
Lost()
>>> can_still_win(State.decode("2SAS|AH|AD|AC|"))
False

How the search works is told in ``search``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from services.rules.aces_up import kernel
from services.rules.aces_up.deal import deal
from services.rules.aces_up.moves import Fill, Move, Remove, Row
from services.rules.aces_up.options import LAST_NUMBER
from services.rules.aces_up.search import OutOfBudget, Piles, Rows, Search, Step
from services.rules.aces_up.state import State, strength
from services.rules.aces_up.steps import PILES
from services.rules.cards import DECK, SUITS, Card

BUDGET: Final = 5_000_000
"""Positions that are looked at before a game is left undecided: seconds of the compiled search, minutes of Python."""
QUICK: Final = 1_000_000
"""Positions for somebody who waits: about a second of the compiled search. It decides 8 of 10 fresh deals."""
FEW: Final = 100_000
"""Positions where another deal will do as well."""

_CARD: Final = {card: SUITS.index(card.suit) * 16 + strength(card) for card in DECK}
_BY_NUMBER: Final = {number: card for card, number in _CARD.items()}


@dataclass(frozen=True, slots=True)
class Won:
    """It can be won, by these actions among others. For a game that is won the line is empty."""

    line: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Lost:
    """Nothing wins any more."""


@dataclass(frozen=True, slots=True)
class Undecided:
    """The budget was used up first: it says nothing about the game."""


Verdict = Won | Lost | Undecided


def solve(state: State, *, budget: int = BUDGET, hasty: bool = False) -> Verdict:
    """The truth about a state, unless it takes more than ``budget`` positions.

    ``hasty``: at a table where all removals go by themselves (the option ``auto_remove``), which can lose a game; those
    are in the line too. What can be undone or redone doesn't matter.
    """
    piles, rows = numbers(state)
    try:
        if kernel.fits(piles, rows):
            steps = kernel.line(piles, rows, budget, hasty=hasty)
        else:
            steps = Search(rows, budget, hasty=hasty).line(piles)
    except OutOfBudget:
        return Undecided()
    return Lost() if steps is None else Won(tuple(_moves(steps, state.stock_count)))


def can_still_win(state: State, *, budget: int = QUICK, hasty: bool = False) -> bool | None:
    """Whether anything wins; None if that takes more than ``budget`` positions. It is information, and ends no game."""
    match solve(state, budget=budget, hasty=hasty):
        case Won():
            return True
        case Lost():
            return False
        case Undecided():
            return None


def winnable_numbers(start: int, *, budget: int = FEW) -> Iterator[int]:
    """The numbers of deals that can be won, from ``start`` on, after the last one from 1 again.

    Deals that are not decided within ``budget`` positions are left out. Endless. Raises ValueError for a number that
    names no deal.
    """
    if not 1 <= start <= LAST_NUMBER:
        raise ValueError(f"deals have numbers from 1 to {LAST_NUMBER}, not {start}")
    for further in count():
        number = (start - 1 + further) % LAST_NUMBER + 1
        if can_still_win(deal(number), budget=budget):
            yield number


def numbers(state: State) -> tuple[Piles, Rows]:
    """The state as the searches take it."""
    p0, p1, p2, p3 = (tuple(_CARD[card] for card in pile) for pile in state.piles)
    coming = [_CARD[card] for card in reversed(state.stock)]
    return (p0, p1, p2, p3), tuple(tuple(coming[i : i + PILES]) for i in range(0, len(coming), PILES))


def _moves(steps: list[Step], stock: int) -> Iterator[Move]:
    for pile, number, to in steps:
        if pile < 0:
            yield Row(stock)
            stock -= PILES
        else:
            card: Card = _BY_NUMBER[number]
            yield Remove(pile, card) if to is None else Fill(pile, card, to)
