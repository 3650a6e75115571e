from __future__ import annotations

import random

from services.rules.aces_up.lessons import Lessons, Piles, Why

PILES: Piles = ((5, 4, 0), (21, 0), (0,), (37, 36, 35, 0))


def why(*depth: int) -> Why:
    return Why(depth, ((), (), (), ()), 0)


def test_nothing_is_known_before_it_was_learnt() -> None:
    assert Lessons().recall(PILES) is None


def test_what_was_learnt_is_known_of_every_state_with_the_same_upper_cards() -> None:
    lessons, reason = Lessons(), why(1, 2, 1, 2)
    lessons.learn(PILES, reason)
    assert lessons.recall(PILES) is reason
    assert lessons.recall(((5, 9, 8, 0), (21, 0), (0,), (37, 36, 0))) is reason


def test_it_is_not_known_of_others() -> None:
    lessons = Lessons()
    lessons.learn(PILES, why(1, 2, 1, 2))
    for other in (
        ((4, 0), (21, 0), (0,), (37, 36, 35, 0)),
        ((5, 4, 0), (21, 20, 0), (0,), (37, 36, 35, 0)),  # its bottom was seen
        ((5, 4, 0), (21, 0), (50, 0), (37, 36, 35, 0)),  # no gap
        ((5, 4, 0), (21, 0), (0,), (37, 35, 0)),
        ((5, 4, 0), (21, 0), (0,), (37, 0)),
        ((0,), (0,), (0,), (0,)),
    ):
        assert lessons.recall(other) is None, other


def test_many_lessons_are_told_apart() -> None:
    """Held to a plain list of them."""
    rng, lessons = random.Random(7), Lessons()
    learnt: list[tuple[Piles, Why]] = []

    def matching(piles: Piles) -> list[Why]:
        return [
            reason
            for known, reason in learnt
            if all(ours[:deep] == theirs[:deep] for ours, theirs, deep in zip(piles, known, reason.depth, strict=True))
        ]

    def pile() -> tuple[int, ...]:
        return (*(rng.randint(1, 3) for _ in range(rng.randint(0, 4))), 0)

    hits = 0
    for _ in range(1_000):
        piles = (pile(), pile(), pile(), pile())
        found, expected = lessons.recall(piles), matching(piles)
        assert found in expected if expected else found is None
        hits += found is not None
        if found is None:
            reason = why(*(rng.randint(1, len(lying)) for lying in piles))
            learnt.append((piles, reason))
            lessons.learn(piles, reason)
    assert min(hits, len(learnt)) > 100
