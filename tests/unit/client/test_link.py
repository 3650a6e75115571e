"""How long a client waits before it tries again."""

from __future__ import annotations

from services.client.link import failures_after


def test_a_connection_that_was_of_use_is_followed_by_another_at_once() -> None:
    assert failures_after(1001, 7, useful=True) == 0
    assert failures_after(1006, 7, useful=False) == 7


def test_who_is_told_to_try_again_later_waits_as_after_several_failures() -> None:
    assert failures_after(1013, 0, useful=False) == 4
    assert failures_after(1013, 9, useful=False) == 9
