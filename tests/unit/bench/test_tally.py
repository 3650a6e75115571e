from __future__ import annotations

import pytest

from tests.bench.fairness.tally import Share


def test_a_share_has_wilsons_interval() -> None:
    assert Share(50, 100).interval == pytest.approx((40.38, 59.62), abs=0.01)


def test_nothing_found_in_a_hundred_may_still_be_four_in_a_hundred() -> None:
    assert Share(0, 100).interval == pytest.approx((0.0, 3.70), abs=0.01)


def test_a_share_of_nothing_says_nothing() -> None:
    assert (Share(0, 0).percent, Share(0, 0).interval) == (0.0, (0.0, 100.0))
