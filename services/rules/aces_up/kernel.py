"""The search of ``search.c``, where it was compiled: the same answers as ``search``, and a great deal sooner.

A C compiler is not to be had everywhere, so the Python twin is always there, and the tests hold the two to each other.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from importlib.resources import files
from typing import Final

from services.rules.aces_up.gaps import Step
from services.rules.aces_up.lessons import Piles
from services.rules.aces_up.search import ROW, OutOfBudget, Rows

LIBRARY: Final = "search.native"
"""What ``make install`` compiles; a name that ends as libraries do would be taken for a module of Python."""
HIGHEST: Final = 16
"""Cards in one pile that it has room for, the rows still to come included; no game comes to so many."""

_LOST: Final = 0
_WON: Final = 1
_UNDECIDED: Final = -1
_LONGEST: Final = 1_024


def compiled() -> bool:
    """Whether the search was compiled here."""
    return _library() is not None


def fits(piles: Piles, rows: Rows) -> bool:
    """Whether the search was compiled, and has room for these piles."""
    return compiled() and all(len(pile) + len(rows) < HIGHEST for pile in piles)


class Search:
    """As ``search.Search``, which is the same in Python; only for what :func:`fits`, and from before any row."""

    def __init__(self, rows: Rows, budget: int, *, hasty: bool = False) -> None:
        self._rows = rows
        self._budget = budget
        self._hasty = hasty
        self.looked = 0

    def line(self, piles: Piles) -> list[Step] | None:
        """A line that wins, if there is one. Raises OutOfBudget, or MemoryError."""
        library = _library()
        if library is None:
            raise RuntimeError("the search was not compiled")
        looked, length = ctypes.c_uint64(), ctypes.c_int()
        found = ctypes.create_string_buffer(_LONGEST)
        outcome = library.aces_up_solve(
            bytes(card for pile in piles for card in pile),
            bytes(map(len, piles)),
            bytes(card for row in self._rows for card in row),
            sum(map(len, self._rows)),
            self._hasty,
            self._budget,
            ctypes.byref(looked),
            found,
            ctypes.byref(length),
        )
        self.looked = looked.value
        if outcome == _UNDECIDED:
            raise OutOfBudget
        if outcome not in (_WON, _LOST):
            raise MemoryError("no room to search in")
        return _steps(piles, self._rows, found.raw[: length.value]) if outcome == _WON else None


def _steps(piles: Piles, rows: Rows, actions: bytes) -> list[Step]:
    """The steps that the bytes stand for (the last function of ``search.c`` says how)."""
    lying, coming, steps = list(map(list, piles)), iter(rows), list[Step]()
    for action in actions:
        if action == 1:
            for pile, card in zip(lying, next(coming), strict=True):
                pile.append(card)
            steps.append(ROW)
        elif action >> 4 == 1:
            source = action & 3
            steps.append(Step(source, lying[source].pop()))
        else:
            source, gap = action >> 2 & 3, action & 3
            card = lying[source].pop()
            lying[gap].append(card)
            steps.append(Step(source, card, gap))
    return steps


@lru_cache(maxsize=1)
def _library() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL(str(files(__package__) / LIBRARY))
    except OSError:
        return None
    library.aces_up_solve.restype = ctypes.c_int
    library.aces_up_solve.argtypes = [
        *(ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_int, ctypes.c_uint64),
        *(ctypes.POINTER(ctypes.c_uint64), ctypes.c_char_p, ctypes.POINTER(ctypes.c_int)),
    ]
    return library
