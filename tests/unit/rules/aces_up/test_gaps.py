"""Moves into gaps (AU-3), as the search tries them: every state that they lead to, and how."""

from __future__ import annotations

import random

from services.rules.aces_up.gaps import BOTTOM, Step, arranged, fills
from services.rules.aces_up.lessons import Cards, Piles


def some_piles(seed: int) -> Piles:
    rng = random.Random(seed)
    cards = iter(rng.sample([suit * 16 + strength for suit in range(4) for strength in range(2, 15)], 12))
    p0, p1, p2, p3 = ((*(next(cards) for _ in range(rng.choice([0, 1, 1, 2, 3]))), BOTTOM) for _ in range(4))
    return p0, p1, p2, p3


def tops(piles: Piles) -> Cards:
    return tuple(pile[0] for pile in piles)


def moved(piles: Piles, steps: list[Step]) -> Piles:
    """After the steps, each of which must be one top card into a gap."""
    lying = [list(pile) for pile in piles]
    for pile, card, to in steps:
        assert to is not None
        assert (lying[pile][0], lying[to]) == (card, [BOTTOM])
        lying[to].insert(0, lying[pile].pop(0))
    p0, p1, p2, p3 = map(tuple, lying)
    return p0, p1, p2, p3


def reachable(piles: Piles, uncovered: int) -> set[Piles]:
    """All states after any moves, ``uncovered`` of which take a card off another."""
    known, waiting = {(piles, 0)}, [(piles, 0)]
    while waiting:
        current, off = waiting.pop()
        for source, pile in enumerate(current):
            for to, gap in enumerate(current):
                if pile != (BOTTOM,) and gap == (BOTTOM,):
                    after = (moved(current, [Step(source, pile[0], to)]), off + (len(pile) > 2))
                    if after[1] <= uncovered and after not in known:
                        known.add(after)
                        waiting.append(after)
    return {state for state, off in known if off == uncovered}


def test_every_order_of_the_single_cards_is_found_once_with_the_moves_to_it() -> None:
    for seed in range(300):
        piles = some_piles(seed)
        found = [after.piles for after in arranged(piles, tops(piles))]
        assert found[0] == piles
        assert len(set(found)) == len(found)
        assert set(found) == reachable(piles, 0)
        for after in arranged(piles, tops(piles)):
            assert moved(piles, after.steps) == after.piles
            assert after.same == tuple(ours == theirs for ours, theirs in zip(piles, after.piles, strict=True))


def test_with_the_arranging_before_the_next_row_every_fill_is_found() -> None:
    for seed in range(300):
        piles = some_piles(seed)
        found = set()
        for after in fills(piles, tops(piles), arrange=True) if not all(tops(piles)) else ():
            assert moved(piles, after.steps) == after.piles
            for last in arranged(after.piles, tops(after.piles)):
                found.add(last.piles)
        assert found == reachable(piles, 1)


def test_once_no_row_is_to_come_the_order_does_not_matter() -> None:
    for seed in range(300):
        piles = some_piles(seed)
        if not all(tops(piles)):
            found = {tuple(sorted(after.piles)) for after in fills(piles, tops(piles), arrange=False)}
            assert found == {tuple(sorted(state)) for state in reachable(piles, 1)}
