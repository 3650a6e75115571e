from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from services.client.errors import ClientError, ConnectionProblem, EdgeProblem, NotFound
from services.loadtest.patience import patiently


def failing(*errors: ClientError) -> Callable[[], Awaitable[str]]:
    """A call that fails with one after another, and then answers."""
    left = list(errors)

    async def call() -> str:
        if left:
            raise left.pop(0)
        return "answer"

    return call


async def test_what_cannot_be_asked_now_is_asked_again() -> None:
    assert await patiently(failing(EdgeProblem(503, "unavailable", ""), ConnectionProblem("gone"))) == "answer"


async def test_a_refusal_is_an_answer() -> None:
    with pytest.raises(NotFound):
        await patiently(failing(NotFound(404, "unknown_table", "")))


async def test_what_is_still_on_its_way_is_waited_for() -> None:
    assert await patiently(failing(NotFound(404, "unknown_match", "")), not_yet=(NotFound,)) == "answer"


async def test_patience_ends() -> None:
    with pytest.raises(ConnectionProblem):
        await patiently(failing(ConnectionProblem("gone"), ConnectionProblem("gone")), within_s=0)
