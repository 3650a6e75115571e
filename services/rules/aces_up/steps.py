"""Steps: what an action does to piles and stock, written so that it can be taken back and made again.

A step is one action with the automatic removals that followed it: a text of changes, one after the other. ``r`` is a
row, ``f02`` the top of pile 0 into the gap 2, ``x3KD`` the king of diamonds off pile 3. Knows nothing of what is
allowed.

>>> piles, stock = forward(((card("AS"),), (card("2S"),), (), ()), (), "x12Sf03")
>>> piles, backward(piles, stock, "x12Sf03")[0]
(((), (), (), (AS,)), ((AS,), (2S,), (), ()))
"""

from __future__ import annotations

import re
from typing import Final

from services.rules.cards import Card, card
from services.rules.layout import Pile

PILES: Final = 4
Piles = tuple[Pile, Pile, Pile, Pile]
Step = str

ROW: Final = "r"
KEPT: Final = 100
"""So many steps can be taken back; older ones are forgotten. A game has 12 rows and at most 48 removals."""

_CHANGE: Final = re.compile("r|f[0-3][0-3]|x[0-3][A2-9TJQK][CDHS]")
_STEP: Final = re.compile(f"(?:{_CHANGE.pattern})+")


def filled(source: int, to: int) -> Step:
    """A top card goes from one pile to another."""
    return f"f{source}{to}"


def removed(pile: int, gone: Card) -> Step:
    """A top card leaves the game."""
    return f"x{pile}{gone.text}"


def split(text: str) -> tuple[Step, ...]:
    """The steps of a text in which dots stand between them. Raises ValueError."""
    found = tuple(text.split(".")) if text else ()
    for step in found:
        if not _STEP.fullmatch(step):
            raise ValueError(f"no step: {step!r}")
    return found


def forward(piles: Piles, stock: Pile, step: Step) -> tuple[Piles, Pile]:
    """Piles and stock after the step. Raises ValueError if a card that it needs doesn't lie there."""
    lying, left = list(map(list, piles)), list(stock)
    try:
        for change in _CHANGE.findall(step):
            if change == ROW:
                for pile in lying:
                    pile.append(left.pop())
            elif change[0] == "f":
                lying[int(change[2])].append(lying[int(change[1])].pop())
            elif lying[int(change[1])].pop() is not card(change[2:]):
                raise ValueError(f"another card lies there: {step!r}")
    except IndexError:
        raise ValueError(f"no card lies there: {step!r}") from None
    return _frozen(lying), tuple(left)


def backward(piles: Piles, stock: Pile, step: Step) -> tuple[Piles, Pile]:
    """Piles and stock before the step. Raises ValueError if a card that it needs doesn't lie there."""
    lying, left = list(map(list, piles)), list(stock)
    try:
        for change in reversed(_CHANGE.findall(step)):
            if change == ROW:
                left += [pile.pop() for pile in reversed(lying)]
            elif change[0] == "f":
                lying[int(change[1])].append(lying[int(change[2])].pop())
            else:
                lying[int(change[1])].append(card(change[2:]))
    except IndexError:
        raise ValueError(f"no card lies there: {step!r}") from None
    return _frozen(lying), tuple(left)


def _frozen(lying: list[list[Card]]) -> Piles:
    p0, p1, p2, p3 = map(tuple, lying)
    return p0, p1, p2, p3
