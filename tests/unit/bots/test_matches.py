"""Hands between bots on paper: they end, by the rules. (Whole matches by every preset are in tests/proofs.)"""

from __future__ import annotations

from itertools import cycle, islice

import pytest

from services.bots.judgement import Strength
from services.rules.events import EndWhy
from services.rules.moves import Reason
from services.rules.options import PRESETS, Options
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


HOUSE_RULES = [
    *(Options(draw=1), Options(gap_fill="demon_only"), Options(stuck="end"), Options(passes=1, stuck="end")),
    *(Options(demon_size=20), Options(demon_size=(5, 20)), Options(demon_penalty=0), Options(out_bonus=10)),
    *(Options(contest="first_only"), Options(call="automatic"), Options(in_motion="void"), *PRESETS.values()),
]
THROUGH_LATENCY = {Reason.HAND_OVER, Reason.PROGRESS_SINCE, Reason.ALREADY_CALLED}
THROUGH_A_SHIFT = {Reason.STOCK_CHANGED, Reason.STOCK_NOT_EMPTY, Reason.NOT_THERE}
"""What a player who acts on what is there to see is refused all the same, through what happened on the way."""


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("options", HOUSE_RULES)
def test_by_every_house_rule_hands_end_and_bots_never_send_what_the_rules_refuse(options: Options, seed: int) -> None:
    seats = 4 if options.teams == "pairs" else 2
    strengths = list(islice(cycle((Strength.HARD, Strength.EASY, Strength.MEDIUM)), seats))
    hand = PaperHand(strengths, seed=seed, options=options, gap_ms=300)
    hand.play(seats * MOST_ACTIONS_A_SEAT)
    assert verify(hand.log).problems == ()
    shifted = any(event.e == "shift" for event in hand.events)
    assert set(hand.refusals) <= (THROUGH_LATENCY | THROUGH_A_SHIFT if shifted else THROUGH_LATENCY)


def test_bots_are_seldom_refused() -> None:
    hands = [PaperHand([Strength.HARD] * 4, seed=seed) for seed in range(5)]
    for hand in hands:
        hand.play()
    assert sum(hand.verdicts[Outcome.REFUSED] for hand in hands) <= 0.01 * sum(hand.actions for hand in hands)
