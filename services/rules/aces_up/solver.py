"""Whether a game of Aces Up can still be won, and by which actions: exact, or undecided, never a guess.

>>> from services.rules.aces_up.state import State
>>> solve(State.decode("ASAH||AD|AC|"))
Won(line=(Fill(source=0, card=AH, to=1),))
>>> solve(State.decode("2SAS|AH|AD|AC|"))
Lost()
>>> can_still_win(State.decode("2SAS|AH|AD|AC|"))
False

How the search works, and why it is right, is told in docs/aces-up.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from services.rules.aces_up import kernel
from services.rules.aces_up.deal import deal
from services.rules.aces_up.gaps import Step
from services.rules.aces_up.lessons import Piles
from services.rules.aces_up.moves import Fill, Move, Remove, Row, removable
from services.rules.aces_up.options import LAST_NUMBER
from services.rules.aces_up.search import ROW, OutOfBudget, Rows, Search
from services.rules.aces_up.state import State, strength
from services.rules.aces_up.steps import PILES
from services.rules.cards import DECK, SUITS, Card

BUDGET: Final = 10_000_000
"""Positions that are looked at before a game is left undecided: it decides the deals 1 to 1,000, all of them.

At most about 20 s and 1.1 GB of the compiled search; minutes and ten times as much of Python.
"""
QUICK: Final = 500_000
"""Positions for somebody who waits: less than a second of the compiled search. It decides 96 of 100 fresh deals."""
FEW: Final = 20_000
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
        steps = _line(piles, rows, budget, hasty=hasty)
        if steps is None and hasty and rows and any(top and removable(state.tops, top) for top in state.tops):
            # Before the first action nothing went by itself yet, so a row can be dealt onto what could go.
            p0, p1, p2, p3 = ((*pile, card) for pile, card in zip(piles, rows[0], strict=True))
            steps = _line((p0, p1, p2, p3), rows[1:], budget, hasty=True)
            if steps is not None:
                steps.insert(0, ROW)
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


def _line(piles: Piles, rows: Rows, budget: int, *, hasty: bool) -> list[Step] | None:
    search = kernel.Search if kernel.fits(piles, rows) else Search
    return search(rows, budget, hasty=hasty).line(piles)


def _moves(steps: list[Step], stock: int) -> Iterator[Move]:
    for pile, number, to in steps:
        if pile < 0:
            yield Row(stock)
            stock -= PILES
        else:
            card: Card = _BY_NUMBER[number]
            yield Remove(pile, card) if to is None else Fill(pile, card, to)
