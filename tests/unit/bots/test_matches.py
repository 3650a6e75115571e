"""Hands between bots on paper: they end, by the rules, and the better ones score more."""

from __future__ import annotations

from itertools import cycle, islice

import pytest

from services.bots.judgement import Strength
from services.rules.events import EndWhy
from services.rules.options import Options
from services.rules.replay import verify
from services.rules.verdict import Outcome
from tests.unit.bots.paper_match import PaperHand

MOST_ACTIONS_A_SEAT = 1_500


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("seed", range(20))
def test_a_hand_of_bots_ends_and_its_log_is_verified(seats: int, seed: int) -> None:
    strengths = list(islice(cycle(Strength), seed, seed + seats))
    hand = PaperHand(strengths, seed=1_000 * seats + seed)
    end = hand.play(MOST_ACTIONS_A_SEAT * seats)
    assert end.why in (EndWhy.CALLED, EndWhy.DEAD)
    assert verify(hand.log).problems == ()


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    "options", [Options(draw=1), Options(gap_fill="demon_only"), Options(demon_size=20)], ids=["draw", "gap", "demon"]
)
def test_house_rules_change_nothing_about_that(options: Options, seed: int) -> None:
    hand = PaperHand([Strength.HARD, Strength.MEDIUM], seed=seed, options=options)
    hand.play(2 * MOST_ACTIONS_A_SEAT)
    assert verify(hand.log).problems == ()


def test_bots_are_seldom_refused() -> None:
    hands = [PaperHand([Strength.HARD] * 4, seed=seed) for seed in range(5)]
    for hand in hands:
        hand.play()
    assert sum(hand.verdicts[Outcome.REFUSED] for hand in hands) <= 0.01 * sum(hand.actions for hand in hands)


def test_the_better_bot_scores_more() -> None:
    points = dict.fromkeys(Strength, 0)
    for seed in range(30):
        strengths = list(islice(cycle(Strength), seed, seed + 3))
        for score in PaperHand(strengths, seed=seed).play().scores:
            points[strengths[score.seat]] += score.points
    assert points[Strength.EASY] < points[Strength.MEDIUM] < points[Strength.HARD]
