from __future__ import annotations

import random
import statistics

import pytest

from services.loadtest import schedule
from services.loadtest.scenario import Contention, Pace, Scenario

HUMAN = Pace()


def drawn(share: float = 0.2, *, seed: int = 1, pace: Pace = HUMAN) -> tuple[Scenario, list[schedule.Moment]]:
    scenario = Scenario(about="x", seconds=600.0, pace=pace, contention=Contention(share=share))
    return scenario, schedule.moments(scenario, random.Random(seed))


@pytest.mark.parametrize("share", [0.0, 0.2, 0.7, 1.0])
def test_seats_act_as_often_as_the_pace_says_however_much_they_contend(share: float) -> None:
    scenario, moments = drawn(share)
    mean_s = scenario.pace.median_s * 2.718 ** (scenario.pace.sigma**2 / 2)
    assert len(moments) == pytest.approx(scenario.seats * 600 / mean_s, rel=0.1)


def test_the_share_of_shared_moments_is_that_of_the_contention() -> None:
    _, moments = drawn(0.3)
    assert statistics.mean(moment.shared for moment in moments) == pytest.approx(0.3, abs=0.05)


def test_at_a_shared_moment_every_seat_acts_within_the_reactions() -> None:
    scenario, moments = drawn(1.0)
    fastest, slowest = scenario.contention.reaction_ms
    first = moments[: scenario.seats]
    assert {moment.seat for moment in first} == set(range(scenario.seats))
    assert first[-1].at_s - first[0].at_s <= (slowest - fastest) / 1000


def test_moments_are_in_order_and_within_the_run() -> None:
    _, moments = drawn()
    times = [moment.at_s for moment in moments]
    assert times == sorted(times)
    assert times[0] >= 0
    assert times[-1] < 600


def test_a_seed_draws_the_same_again() -> None:
    assert drawn(seed=3)[1] == drawn(seed=3)[1]
    assert drawn(seed=3)[1] != drawn(seed=4)[1]


def test_a_run_that_speeds_up_has_more_moments_at_its_end() -> None:
    _, moments = drawn(pace=Pace(speed=(1.0, 5.0)))
    early = sum(moment.at_s < 60 for moment in moments)
    late = sum(moment.at_s >= 540 for moment in moments)
    assert late > 3 * early
