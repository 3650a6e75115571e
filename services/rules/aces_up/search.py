"""An exact search for a winning line: depth first, a stage at a time, learning from what failed.

A *stage* is what happens between two rows. From the state that a row leaves, all states of the stage are found; from
each of them the next row is dealt. If none of them wins, the failure is kept as a *lesson*.

**Lessons.** The search looks only at cards that come to lie on top of a pile. So when a state has failed, every state
whose piles agree with it as far down as anything was looked at, and whose stock is the same, fails as well, whatever
lies below: the same lines are possible there, card by card, and end in the same way. A lesson is therefore not the
state but its upper cards, as deep in each pile as was looked (one more than the pile holds: its bottom was seen too).

**Removals that are made at once.** A removable card may wait, for it may be what removes a lower card later. Where no
lower card of its suit is left, in piles or stock, it can't: take a line from the state with the card, and leave out
what the card itself does; each step is possible in the state without it, since every other top is a top there too,
every gap is a gap, and the card removes nothing. For the same reason no removal waits when the stock is empty: the
higher card stays a top until a still higher one removes it, and that one is a top then. No other removal is forced, and
every move into a gap is tried, those of single cards included.

``search.c`` is this module's twin for those in a hurry, ``kernel`` its door.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

Cards = tuple[int, ...]
"""A pile, the top last. A card is its suit's number times 16 plus its strength, 2 to 14."""
Piles = tuple[Cards, Cards, Cards, Cards]
Rows = tuple[Cards, ...]
"""What is dealt, row by row: four cards each, for the piles 0 to 3."""
Depth = tuple[int, int, int, int]
"""How many cards of each pile matter, from the top; one more than the pile holds: also that nothing lies below."""

ACE: Final = 14
_PILES: Final = range(4)
_NOTHING_BELOW: Final = (-1,)


class Step(NamedTuple):
    """A removal (``to`` is None) or a move into the gap ``to``; a row has no card."""

    pile: int = -1
    card: int = -1
    to: int | None = None


ROW: Final = Step()


class OutOfBudget(Exception):
    """So many positions were looked at as were allowed, and nothing is decided."""


class _Place(NamedTuple):
    """A position of a stage: how many cards of each pile of the stage's first state are gone, and what led here.

    ``gone`` is -1 for a pile of which nothing is left. ``before`` is the number of the position that it came from.
    """

    piles: Piles
    gone: tuple[int, int, int, int]
    before: int
    steps: tuple[Step, ...]


class Search:
    """One deal's search. ``rows`` is the stock, ``budget`` how many positions may be looked at; ``looked`` were.

    ``hasty``: all removals are made at once, as at a table where they go by themselves. Memory grows with ``looked``: a
    lesson of a few hundred bytes for about each tenth position.
    """

    def __init__(self, rows: Rows, budget: int, *, hasty: bool = False) -> None:
        self._rows = rows
        self._budget = budget
        self._hasty = hasty
        self.looked = 0
        self._lessons: list[dict[Depth, set[Piles]]] = [{} for _ in range(len(rows) + 1)]
        self._coming = [frozenset(card for row in rows[dealt:] for card in row) for dealt in range(len(rows) + 1)]

    def line(self, piles: Piles, dealt: int = 0) -> list[Step] | None:
        """A line that wins, if there is one, from a state after ``dealt`` of the rows. Raises OutOfBudget."""
        found = self._stage(piles, dealt)
        return found if isinstance(found, list) else None

    def _stage(self, piles: Piles, dealt: int) -> list[Step] | Depth:
        """A line that wins, or how much of the piles it took to know that there is none."""
        for depth, lessons in self._lessons[dealt].items():
            if _upper(piles, depth) in lessons:
                return depth
        places = self._places(piles, dealt)
        need = [1, 1, 1, 1]
        last = dealt == len(self._rows)
        for number, place in enumerate(places):
            if last and _won(place.piles):
                return _line(places, number)
            aces = last and all(pile and pile[-1] & 15 == ACE for pile in place.piles)
            for i in _PILES:
                seen = len(piles[i]) + 1 if place.gone[i] < 0 else place.gone[i] + (2 if aces else 1)
                need[i] = max(need[i], seen)
        if not last:
            row = self._rows[dealt]
            for number in sorted(range(len(places)), key=lambda number: _in_the_way(places[number].piles)):
                place = places[number]
                after = _four((*pile, card) for pile, card in zip(place.piles, row, strict=True))
                found = self._stage(after, dealt + 1)
                if isinstance(found, list):
                    return [*_line(places, number), ROW, *found]
                for i in _PILES:
                    if found[i] > 1 and place.gone[i] >= 0:
                        need[i] = max(need[i], place.gone[i] + found[i] - 1)
        mattered = _depth(min(need[i], len(piles[i]) + 1) for i in _PILES)
        self._lessons[dealt].setdefault(mattered, set()).add(_upper(piles, mattered))
        return mattered

    def _places(self, piles: Piles, dealt: int) -> list[_Place]:
        """All positions of the stage, the first one first. Raises OutOfBudget."""
        places: list[_Place] = []
        known: set[Piles] = set()

        def add(place: _Place) -> None:
            place = self._made_at_once(place, dealt)
            if place.piles not in known:
                known.add(place.piles)
                places.append(place)

        add(_Place(piles, _depth(0 if pile else -1 for pile in piles), -1, ()))
        number = 0
        while number < len(places):
            self.looked += 1
            if self.looked > self._budget:
                raise OutOfBudget
            here = places[number]._replace(before=number, steps=())
            for i in _PILES:
                if here.piles[i]:
                    if dealt < len(self._rows) and _removable(here.piles, i):
                        add(_taken(here, i))
                    for gap in _PILES:
                        if not here.piles[gap]:
                            add(_taken(here, i, gap))
            number += 1
        return places

    def _made_at_once(self, place: _Place, dealt: int) -> _Place:
        """The position after the removals that need not wait."""
        while (pile := self._first_idle(place.piles, dealt)) is not None:
            place = _taken(place, pile)
        return place

    def _first_idle(self, piles: Piles, dealt: int) -> int | None:
        """A pile whose top can go, and can't be what removes another card later."""
        for i in _PILES:
            if not piles[i] or not _removable(piles, i):
                continue
            if self._hasty or dealt == len(self._rows) or not self._is_needed(piles[i][-1], piles, dealt):
                return i
        return None

    def _is_needed(self, card: int, piles: Piles, dealt: int) -> bool:
        """Whether a lower card of its suit is left, which it might remove."""
        lower = range(card & ~15, card)
        return any(one in lower for pile in piles for one in pile) or any(one in lower for one in self._coming[dealt])


def _taken(place: _Place, pile: int, gap: int | None = None) -> _Place:
    """The position after the top of a pile left it, for a gap or for good."""
    piles, gone = list(place.piles), list(place.gone)
    card = piles[pile][-1]
    piles[pile] = piles[pile][:-1]
    if gone[pile] >= 0:
        gone[pile] = gone[pile] + 1 if piles[pile] else -1
    if gap is not None:
        piles[gap] = (card,)
        gone[gap] = -1
    return _Place(_four(piles), _depth(gone), place.before, (*place.steps, Step(pile, card, gap)))


def _removable(piles: Piles, pile: int) -> bool:
    top = piles[pile][-1]
    return any(other[-1] > top and other[-1] >> 4 == top >> 4 for i, other in enumerate(piles) if other and i != pile)


def _won(piles: Piles) -> bool:
    return all(len(pile) == 1 and pile[0] & 15 == ACE for pile in piles)


def _upper(piles: Piles, depth: Depth) -> Piles:
    """The cards that matter, and a mark where it matters that nothing lies below."""
    return _four(
        pile[len(pile) - deep :] if deep <= len(pile) else _NOTHING_BELOW + pile
        for pile, deep in zip(piles, depth, strict=True)
    )


def _in_the_way(piles: Piles) -> int:
    """How far a position is from a win, roughly: its cards, above all those over aces and over higher ones."""
    weight = 0
    for pile in piles:
        highest = [0, 0, 0, 0]
        for height, card in enumerate(pile):
            suit = card >> 4
            weight += 2 if highest[suit] > card else 1
            weight += 2 * height if card & 15 == ACE else 0
            highest[suit] = max(highest[suit], card)
        weight -= not pile
    return weight


def _line(places: list[_Place], number: int) -> list[Step]:
    """The steps from the first position to that one."""
    steps: list[Step] = []
    while number >= 0:
        steps[:0] = places[number].steps
        number = places[number].before
    return steps


def _four(piles: Iterator[Cards] | list[Cards]) -> Piles:
    p0, p1, p2, p3 = piles
    return p0, p1, p2, p3


def _depth(values: Iterator[int] | list[int]) -> Depth:
    d0, d1, d2, d3 = values
    return d0, d1, d2, d3
