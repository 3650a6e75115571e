"""How fast sockets are let in."""

from __future__ import annotations

import pytest

from services.gateway.admission import Admission
from services.gateway.bucket import Rate


async def nobody_sleeps(_seconds: float) -> None:
    raise AssertionError("nobody should wait")


def test_some_come_at_once_the_others_at_the_rate_and_who_would_wait_too_long_not_at_all() -> None:
    door = Admission(Rate(per_second=10, burst=3), longest_wait=0.25)

    waits = [door.wait(100.0) for _ in range(7)]

    assert waits[:3] == [0.0, 0.0, 0.0]
    assert waits[3:5] == [pytest.approx(0.1), pytest.approx(0.2)]
    assert waits[5:] == [None, None], "a refused one takes nobody's turn"
    assert door.wait(100.1) == pytest.approx(0.2)
    assert door.wait(200.0) == 0.0


def test_however_many_come_the_rate_is_kept_in_the_long_run() -> None:
    door = Admission(Rate(per_second=50, burst=10), longest_wait=1.0)
    turns = []
    for i in range(5000):
        now = i / 1000
        wait = door.wait(now)
        if wait is not None:
            turns.append(now + wait)
    assert turns == sorted(turns)
    assert len(turns) == pytest.approx(50 * (5 + 1) + 10, abs=2)
    for first, later in zip(turns, turns[10 + 50 :], strict=False):
        assert later - first > 0.99, "never more in a second than the rate and what may come at once"


async def test_without_a_rate_everybody_comes_in() -> None:
    door = Admission(Rate(per_second=0), longest_wait=0, sleep=nobody_sleeps)
    assert all([await door.admitted() for _ in range(1000)])
