"""Who is let in when descriptors run short."""

from __future__ import annotations

import pytest
import structlog

from services.gateway.doorway import KEPT_BACK, LOG_SECONDS, Doorway


@pytest.mark.parametrize(
    ("limit", "last"), [(80, 69), (512, 512 - KEPT_BACK - 1), (1024, 1024 - KEPT_BACK - 1), (1 << 20, (1 << 20) - 65)]
)
def test_the_last_descriptors_are_kept_back(limit: int, last: int) -> None:
    doorway = Doorway(lambda: limit)
    assert doorway.has_room(last)
    assert not doorway.has_room(last + 1)


def test_a_limit_that_was_raised_counts_at_once() -> None:
    limits = iter((64, 128))
    doorway = Doorway(lambda: next(limits))
    assert not doorway.has_room(60)
    assert doorway.has_room(60)


def test_it_is_logged_once_a_minute_however_many_come() -> None:
    now = [1000.0]
    doorway = Doorway(lambda: 64, lambda: now[0])
    with structlog.testing.capture_logs() as lines:
        for _ in range(5):
            doorway.has_room(63)
        assert len(lines) == 1
        now[0] += LOG_SECONDS
        doorway.has_room(63)
        doorway.has_room(63)
    assert [line["limit"] for line in lines] == [64, 64]
