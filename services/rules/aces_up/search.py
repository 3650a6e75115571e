"""An exact search for a line that wins: depth first, learning from what failed. Why it is right: docs/aces-up.md.

``search.c`` is this module's twin for those in a hurry, ``kernel`` its door. The two go the same way through the same
positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import Final

from services.rules.aces_up.gaps import ACE, BOTTOM, Step, arranged, fills, with_pile
from services.rules.aces_up.lessons import Cards, Lessons, Piles, Why

Rows = tuple[Cards, ...]
"""What is dealt, row by row: four cards each, for the piles 0 to 3."""

_PILES: Final = range(4)
_LOWER: Final = tuple((1 << card) - (1 << (card & ~15)) for card in range(64))
"""For each card the lower ones of its suit, as bits."""
_ALL: Final = (True, True, True, True)
ROW: Final = Step()


class OutOfBudget(Exception):
    """So many positions were looked at as were allowed, and nothing is decided."""


class _Settled(Enum):
    """What makes further looking needless: a winning line, or rows that nothing can win whatever lies there."""

    WON = auto()
    HOPELESS = auto()


class Search:
    """One deal's search. ``rows`` is the stock, ``budget`` how many positions may be looked at; ``looked`` were.

    A card is its suit's number times 16 plus its strength, 2 to 14. ``hasty``: all removals are made at once, as at a
    table where they go by themselves. Memory grows with ``looked``, about a kilobyte for each.
    """

    def __init__(self, rows: Rows, budget: int, *, hasty: bool = False) -> None:
        self._rows = rows
        self._budget = budget
        self._hasty = hasty
        self.looked = 0
        self._lessons: list[dict[int, Lessons]] = [{} for _ in range(len(rows) + 1)]
        self._hopeless = [False] * (len(rows) + 1)
        self._tops: dict[Cards, tuple[int, int]] = {}
        self._steps: list[Step] = []

    def line(self, piles: Piles, dealt: int = 0) -> list[Step] | None:
        """A line that wins, if there is one, from a state after ``dealt`` of the rows. Raises OutOfBudget.

        In a pile the last card is the top.
        """
        if not self._hasty:
            # Haste wins most of what can be won, and decides soon.
            haste = Search(self._rows, self._budget, hasty=True)
            try:
                found = haste.line(piles, dealt)
            finally:
                self.looked = haste.looked
            if found is not None:
                return found
        p0, p1, p2, p3 = ((*reversed(pile), BOTTOM) for pile in piles)
        self._steps.clear()
        return self._steps[::-1] if self._refuted((p0, p1, p2, p3), 0, dealt) is _Settled.WON else None

    def _refuted(self, piles: Piles, kept: int, dealt: int) -> Why | _Settled:
        """Why a state can't be won. If it can, the steps, the last one first, are in ``_steps``.

        ``kept`` are the removable cards, as bits, that are not removed before the next row. In a pile the first card is
        the top here, and the last one the mark of the bottom.
        """
        if dealt < len(self._rows) and self._hopeless[dealt + 1]:
            return _Settled.HOPELESS
        lessons = self._lessons[dealt].get(kept)
        if lessons is None:
            lessons = self._lessons[dealt][kept] = Lessons()
        elif (known := lessons.recall(piles)) is not None:
            return known
        self.looked += 1
        if self.looked > self._budget:
            raise OutOfBudget
        p0, p1, p2, p3 = piles
        tops = (p0[0], p1[0], p2[0], p3[0])
        removable, missed = self._tops.get(tops) or self._seen(tops)
        failure = _Failure(tops, missed)
        pending = removable & ~kept
        if pending:
            pile = next(i for i in _PILES if pending >> tops[i] & 1)
            settled = self._removal(piles, kept, dealt, pile, failure)
        else:
            settled = self._onward(piles, kept, dealt, failure)
        if settled is not None:
            return settled
        why = failure.why()
        lessons.learn(piles, why)
        return why

    def _removal(self, piles: Piles, kept: int, dealt: int, pile: int, failure: _Failure) -> _Settled | None:
        """Lets the top of a pile go, and keeps it if that may help."""
        card = piles[pile][0]
        why = self._refuted(with_pile(piles, pile, piles[pile][1:]), kept, dealt)
        if isinstance(why, _Settled):
            self._steps.append(Step(pile, card))
            return why
        failure.take(why, popped=pile)
        missed = why.in_gaps | (why.missed[pile][0] if why.missed[pile] else 0)
        if self._hasty or not missed & _LOWER[card]:
            return None
        why = self._refuted(piles, kept | 1 << card, dealt)
        if isinstance(why, _Settled):
            return why
        failure.take(why)
        return None

    def _onward(self, piles: Piles, kept: int, dealt: int, failure: _Failure) -> _Settled | None:
        """Moves into gaps, then the next row."""
        tops, last = failure.tops, dealt == len(self._rows)
        if last and all(top & 15 == ACE for top in tops):
            under = next((i for i in _PILES if len(piles[i]) > 2), None)
            if under is None:
                return _Settled.WON
            failure.deepen(2 if i == under else 1 for i in _PILES)
        if not all(tops):
            failure.deepen(min(2, len(pile)) for pile in piles)
            for after in fills(piles, tops, arrange=not last):
                why = self._refuted(after.piles, kept, dealt)
                if isinstance(why, _Settled):
                    self._steps += reversed(after.steps)
                    return why
                failure.take(why, after.same, popped=after.source)
        return None if last else self._row(piles, dealt, failure)

    def _row(self, piles: Piles, dealt: int, failure: _Failure) -> _Settled | None:
        """The next row, on every order of the single cards that can be had."""
        r0, r1, r2, r3 = self._rows[dealt]
        for after in arranged(piles, failure.tops):
            p0, p1, p2, p3 = after.piles
            why = self._refuted(((r0, *p0), (r1, *p1), (r2, *p2), (r3, *p3)), 0, dealt + 1)
            if isinstance(why, _Settled):
                self._steps.append(ROW)
                self._steps += reversed(after.steps)
                return why
            if max(why.depth) <= 1:
                # It failed by the row's own cards: so does every state before this row.
                self._hopeless[dealt + 1] = True
                return _Settled.HOPELESS
            failure.take(why, after.same, dealt=1)
        return None

    def _seen(self, tops: Cards) -> tuple[int, int]:
        """Which of four tops can be removed, and which nothing removes, aces left out; as bits."""
        removable = missed = 0
        for top in tops:
            if any(other > top and other >> 4 == top >> 4 for other in tops):
                removable |= 1 << top
            elif top & 15 != ACE:
                missed |= 1 << top
        self._tops[tops] = removable & ~1, missed & ~1
        return self._tops[tops]


class _Failure:
    """Why a state can't be won, gathered from why each of the states that it leads to can't."""

    __slots__ = ("_depth", "_in_gaps", "_missed", "tops")

    def __init__(self, tops: Cards, missed: int) -> None:
        self.tops = tops
        self._depth = [1, 1, 1, 1]
        self._missed = [[missed & ~(1 << top)] for top in tops]
        self._in_gaps = 0 if all(tops) else missed

    def deepen(self, depth: Iterable[int]) -> None:
        """At least so much of each pile matters."""
        self._depth = list(map(max, self._depth, depth))

    def take(self, why: Why, same: Sequence[bool] = _ALL, *, popped: int = -1, dealt: int = 0) -> None:
        """Adds why one of those states can't: one without the top of ``popped``, or with a ``dealt`` card on each pile.

        ``same`` says which piles are otherwise where they were; the others are single cards.
        """
        self._in_gaps |= why.in_gaps
        for i in _PILES:
            if not same[i]:
                continue
            gone = (i == popped) - dealt
            self._depth[i] = max(self._depth[i], why.depth[i] + gone)
            missed = self._missed[i]
            for k, cards in enumerate(why.missed[i], gone):
                if k >= len(missed):
                    missed.append(cards)
                elif k >= 0:
                    missed[k] |= cards

    def why(self) -> Why:
        """What was gathered."""
        for missed in self._missed:
            for k in range(len(missed) - 1, 0, -1):
                missed[k - 1] |= missed[k]
        return Why(tuple(self._depth), tuple(map(tuple, self._missed)), self._in_gaps)
