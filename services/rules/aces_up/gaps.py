"""Piles after moves into gaps, as the search for a winning line tries them.

In a pile the first card is the top and the last one the mark of the bottom. While there is a gap, single cards can be
brought into any order, so their order is decided only when that begins to matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Final, NamedTuple

from services.rules.aces_up.lessons import Cards, Piles

ACE: Final = 14
BOTTOM: Final = 0
_PILES: Final = range(4)
_ALL: Final = (True, True, True, True)


class Step(NamedTuple):
    """A removal (``to`` is None) or a move into the gap ``to``; a row has no card."""

    pile: int = -1
    card: int = -1
    to: int | None = None


class After(NamedTuple):
    """Piles after moves of single cards and perhaps of the top of ``source``, and which are the ``same`` as before."""

    piles: Piles
    same: tuple[bool, ...]
    steps: list[Step]
    source: int = -1


def fills(piles: Piles, tops: Cards, *, arrange: bool) -> Iterator[After]:
    """Every top with cards under it in a gap; ``arrange``: and the single cards in every order, if it was the last gap.

    Aces first, then tops that uncover a card of a suit in sight.
    """
    free = [i for i in _PILES if len(piles[i]) <= 2]
    gaps = [i for i in free if not tops[i]]
    suits = {top >> 4 for top in tops}
    sources = [i for i in _PILES if i not in free]
    sources.sort(key=lambda i: (tops[i] & 15 != ACE, piles[i][1] >> 4 not in suits))
    for source in sources:
        card, without = tops[source], with_pile(piles, source, piles[source][1:])
        if not arrange or len(gaps) > 1:
            to = gaps[0]
            yield After(with_pile(without, to, (card, BOTTOM)), _except(to), [Step(source, card, to)], source)
            continue
        now = [tops[i] for i in free]
        for then in permutations([top for top in now if top] + [card]):
            place = then.index(card)
            steps = _moves(free, now, [0 if top == card else top for top in then])
            steps.append(Step(source, card, free[place]))
            yield _placed(without, free, now, then, steps, source)


def arranged(piles: Piles, tops: Cards) -> Iterator[After]:
    """The piles as they are; then, if there is a gap, with the single cards in every other order."""
    if all(tops):
        yield After(piles, _ALL, [])
        return
    free = [i for i in _PILES if len(piles[i]) <= 2]
    now = [tops[i] for i in free]
    for then in dict.fromkeys(permutations(now)):
        yield _placed(piles, free, now, then, _moves(free, now, list(then)))


def with_pile(piles: Piles, pile: int, cards: Cards) -> Piles:
    """The piles with other cards in one of them."""
    after = list(piles)
    after[pile] = cards
    p0, p1, p2, p3 = after
    return p0, p1, p2, p3


def _placed(piles: Piles, free: list[int], now: list[int], then: Cards, steps: list[Step], source: int = -1) -> After:
    after, same = list(piles), [True] * 4
    for i, before, top in zip(free, now, then, strict=True):
        if top != before:
            after[i] = (top, BOTTOM) if top else (BOTTOM,)
            same[i] = False
    p0, p1, p2, p3 = after
    return After((p0, p1, p2, p3), tuple(same), steps, source)


def _moves(spots: list[int], now: list[int], then: list[int]) -> list[Step]:
    """How single cards come from one order into another over a gap (0)."""
    now, steps = list(now), []
    while now != then:
        gap = next((k for k, top in enumerate(then) if top and not now[k]), None)
        if gap is None:  # every gap is where one will be: make another
            gap = now.index(0)
            source = next(k for k, top in enumerate(now) if top and top != then[k])
        else:
            source = now.index(then[gap])
        steps.append(Step(spots[source], now[source], spots[gap]))
        now[gap], now[source] = now[source], 0
    return steps


def _except(pile: int) -> tuple[bool, ...]:
    return tuple(i != pile for i in _PILES)
