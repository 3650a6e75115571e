"""Redis' time from samples: the closest one counts."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis

from services.gateway.redis_clock import RECENT, RedisClock


def clock() -> RedisClock:
    return RedisClock(Redis())


def offset_ms(made: RedisClock) -> tuple[float, float]:
    """Between which bounds Redis' time is ahead of this machine's: other work may come between two looks at a clock."""
    before = time.monotonic() * 1000
    now = made.now_ms()
    return now - time.monotonic() * 1000, now + 1 - before


def test_the_sample_with_the_shortest_round_trip_counts() -> None:
    made = clock()
    made.add(40.0, 1_000_020.0)
    made.add(1.0, 1_000_000.0)
    made.add(30.0, 999_985.0)
    least, most = offset_ms(made)
    assert least <= 1_000_000 <= most
    assert made.error_ms == 0.5


def test_old_samples_are_forgotten_so_that_drift_shows() -> None:
    made = clock()
    made.add(0.1, 0.0)
    for _ in range(RECENT):
        made.add(1.0, 5_000.0)
    least, most = offset_ms(made)
    assert least <= 5_000 <= most


@given(st.lists(st.tuples(st.floats(0.1, 200), st.floats(0, 1)), min_size=1, max_size=30))
def test_the_error_is_at_most_half_the_shortest_round_trip(samples: list[tuple[float, float]]) -> None:
    true_offset = 123_456.0
    made = clock()
    for rtt, share in samples:
        made.add(rtt, true_offset + (share - 0.5) * rtt)
    error = abs(made._offsets_ms[0] - true_offset)
    assert error <= made.error_ms + 1e-6
