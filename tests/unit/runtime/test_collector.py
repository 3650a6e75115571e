"""The collector's settings, which hold for a whole process: they are put back."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from services.runtime.collector import THRESHOLDS, settle


@pytest.fixture
def as_before() -> Iterator[None]:
    """Python's own settings afterwards."""
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def test_what_is_there_is_not_looked_at_again_and_cycles_are_still_found(as_before: None) -> None:
    class Cycle:
        def __init__(self) -> None:
            self.own = self

    settle()
    assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == THRESHOLDS
    Cycle()
    assert gc.collect() > 0
