"""The table of promises, held against what the other tests here have measured; so these run after all of them."""

from __future__ import annotations

import os

import pytest

from tests.chaos.promises import MATRIX, Dies, Promises, promised


def test_the_document_and_the_tests_name_the_same_promises() -> None:
    assert list(promised()) == list(Dies)
    assert all(promised().values())


def test_a_promise_or_a_harm_that_nothing_was_measured_of_is_found() -> None:
    measured = Promises()
    for what, how in MATRIX[1:]:
        measured.measured(Dies.ENGINE, f"{what}-1", how, "", "")
    for dies in Dies:
        if dies is not Dies.SLOW_CLIENT:
            measured.measured(dies, "something", "cut off", "", "")
    assert measured.lacking() == ["one slow client", "engine killed"]
    assert "  not measured" in measured.table()


@pytest.mark.skipif(not os.environ.get("CHAOS"), reason="after the whole run: make chaos")
def test_each_promise_and_each_harm_was_measured_in_this_run(promises: Promises) -> None:
    assert promises.lacking() == []
