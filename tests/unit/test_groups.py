"""Tests that share what is dear to start are kept together in one process."""

from __future__ import annotations

import os

import pytest

pytestmark = pytest.mark.xdist_group("together")


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="there is only one process")
def test_what_is_marked_as_a_group_is_given_out_as_one(request: pytest.FixtureRequest) -> None:
    assert request.node.nodeid.endswith("@together"), "each process would start every platform and browser"
