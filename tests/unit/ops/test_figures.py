"""Rates and latencies between two looks at all processes."""

from __future__ import annotations

import pytest

from services.ops.figures import Look, Sample, point, quantile, use


def engine(events: float, tied: float, first: float = 0) -> dict[Sample, float]:
    return {
        Sample("pandemonium_engine_events_total", ()): events,
        Sample("pandemonium_engine_contests_total", (("outcome", "tied"),)): tied,
        Sample("pandemonium_engine_contests_total", (("outcome", "first"),)): first,
    }


def gateway(fast: float, slow: float, seats: float) -> dict[Sample, float]:
    name = "pandemonium_gateway_play_seconds_bucket"
    return {
        Sample(name, (("le", "0.01"), ("outcome", "applied"))): fast,
        Sample(name, (("le", "0.1"), ("outcome", "applied"))): fast + slow,
        Sample(name, (("le", "+Inf"), ("outcome", "applied"))): fast + slow,
        Sample("pandemonium_gateway_play_seconds_count", (("outcome", "applied"),)): fast + slow,
        Sample("pandemonium_gateway_sockets", (("kind", "seat"),)): seats,
        Sample("pandemonium_gateway_sockets", (("kind", "spectator"),)): 1,
    }


def test_rates_are_summed_over_processes_and_per_second() -> None:
    before = Look(1_000, {"e1": engine(10, 1), "e2": engine(5, 0), "g1": gateway(10, 0, 3)})
    now = Look(3_000, {"e1": engine(30, 5, 9), "e2": engine(15, 0), "g1": gateway(28, 2, 4)})
    seen = point(before, now)
    assert (seen.events, seen.ties, seen.contests, seen.plays) == (15, 2, 2, 10)
    assert (seen.seats, seen.spectators) == (4, 1)
    assert seen.p50 is not None
    assert seen.p99 is not None
    assert seen.p50 < 10 < seen.p99 <= 100


def test_a_process_that_was_started_anew_makes_no_rate_below_zero() -> None:
    before = Look(0, {"e1": engine(1_000, 0)})
    assert point(before, Look(1_000, {"e1": engine(3, 0)})).events == 0
    assert point(before, Look(1_000, {"e2": engine(3, 0)})).events == 0


@pytest.mark.parametrize(("share", "ms"), [(0.25, 5.0), (0.5, 10.0), (0.75, 55.0), (1.0, 100.0)])
def test_a_share_of_all_lies_evenly_within_its_bucket(share: float, ms: float) -> None:
    assert quantile({0.01: 50, 0.1: 100, float("inf"): 100}, share) == pytest.approx(ms)


def test_what_lies_beyond_the_last_edge_is_at_least_that_and_nothing_has_no_quantile() -> None:
    assert quantile({0.1: 0, float("inf"): 7}, 0.5) == 100
    assert quantile({0.1: 0, float("inf"): 0}, 0.5) is None
    assert quantile({}, 0.5) is None


def test_a_process_use_is_known_from_the_second_look_on() -> None:
    def samples(cpu: float) -> dict[Sample, float]:
        return {Sample("process_cpu_seconds_total", ()): cpu, Sample("process_resident_memory_bytes", ()): 4096}

    assert use({}, samples(1), 1) == (None, 4096)
    assert use(samples(1), samples(2), 2) == (0.5, 4096)
