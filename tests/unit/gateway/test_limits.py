from __future__ import annotations

import pytest

from services.gateway.bucket import Rate
from services.gateway.limits import Buckets, Limits, network_of

UNLIMITED = Rate(0, 10)


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_session_that_asks_too_often_is_told_how_long_to_wait_and_may_again_then() -> None:
    clock = Clock()
    limits = Limits(Rate(2, 10), UNLIMITED, clock)
    assert [limits.charge("192.0.2.1", "ann", 1) for _ in range(10)] == [0] * 10
    assert limits.charge("192.0.2.1", "ann", 1) == pytest.approx(0.5)
    assert limits.charge("192.0.2.1", "bob", 1) == 0
    clock.now = 0.51
    assert limits.charge("192.0.2.1", "ann", 1) == 0
    assert limits.charge("192.0.2.1", "ann", 1) > 0


def test_what_is_dear_costs_several_times() -> None:
    limits = Limits(Rate(1, 10), UNLIMITED, Clock())
    assert limits.charge("192.0.2.1", "ann", 8) == 0
    assert limits.charge("192.0.2.1", "ann", 5) == pytest.approx(3)
    assert limits.charge("192.0.2.1", "ann", 2) == 0


def test_many_sessions_of_one_address_share_what_it_has() -> None:
    limits = Limits(UNLIMITED, Rate(1, 10), Clock())
    assert sum(limits.charge("192.0.2.1", f"guest {n}", 1) == 0 for n in range(50)) == 10
    assert limits.charge("192.0.2.2", "guest 1", 1) == 0


def test_who_is_refused_for_the_address_pays_nothing_of_the_session() -> None:
    clock = Clock()
    limits = Limits(Rate(0.001, 10), Rate(10, 10), clock)
    for _ in range(10):
        limits.charge("192.0.2.1", None, 1)
    for _ in range(100):
        assert limits.charge("192.0.2.1", "ann", 1) > 0
    clock.now = 1.0
    assert [limits.charge("192.0.2.1", "ann", 1) for _ in range(10)] == [0] * 10


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("unknown", "unknown"),
    ],
)
def test_an_address_of_ipv6_counts_as_its_network(address: str, counts_as: str) -> None:
    assert network_of(address) == counts_as


def test_no_more_buckets_are_kept_than_told_and_the_one_in_use_is() -> None:
    buckets = Buckets(Rate(1, 10), most=3)
    mine = buckets.of("mine", 0)
    for number in range(100):
        buckets.of(f"other {number}", 0)
        assert buckets.of("mine", 0) is mine
    assert len(buckets) == 3
