"""A stronger bot scores more: average points of a hand, one bot of each strength at a table, at the same pace.

The figures of docs/bots.md. Hands are dealt from fixed seeds, so that a result changes only with the code.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev

import pytest

from services.bots.judgement import Strength
from services.rules.options import PRESETS
from tests.proofs.size import PROVE, size
from tests.unit.bots.paper_match import PaperHand

ORDER = (Strength.EASY, Strength.MEDIUM, Strength.HARD)
HANDS = size(150, 900)
STANDARD_ERRORS = size(1, 5)
"""By how many a stronger bot must be ahead. A hand's difference has a standard deviation of 12 to 16 points, and the
strengths are about 5 points apart: 4 standard errors with 150 hands, 10 with 900."""
TABLES = [("racing_demon", 3), ("racing_demon", 4), *([("classic", 3), ("turn_one", 3)] if PROVE else [])]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_a_stronger_bot_scores_more(preset: str, seats: int) -> None:
    """Seats are rotated; at a table of four one of the strengths in turn sits twice."""
    points: dict[Strength, list[float]] = {strength: [] for strength in ORDER}
    for seed in range(HANDS):
        strengths = [ORDER[(seat + seed) % 3] for seat in range(seats)]
        scores = PaperHand(strengths, seed=seed, options=PRESETS[preset]).play().scores
        for strength in ORDER:
            points[strength].append(fmean(s.points for s in scores if strengths[s.seat] is strength))
    for strength, found in points.items():
        print(f"{preset}, {seats} seats, {strength}: {fmean(found):.2f} ± {error(found):.2f} in {len(found)} hands")
    for weaker, stronger in pairwise(ORDER):
        ahead = [more - less for more, less in zip(points[stronger], points[weaker], strict=True)]
        print(f"{preset}, {seats} seats, {stronger} ahead of {weaker}: {fmean(ahead):.2f} ± {error(ahead):.2f}")
        assert fmean(ahead) > STANDARD_ERRORS * error(ahead)


def error(sample: Sequence[float]) -> float:
    """The standard error of the mean."""
    return stdev(sample) / sqrt(len(sample))
