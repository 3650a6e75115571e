"""Asking the edge again: for calls that may be repeated, on a platform that is under load or being hurt on purpose."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from services.client.errors import ClientError, ConnectionProblem, EdgeProblem

WITHIN_S: Final = 20.0
_PAUSE_S: Final = 0.25

T = TypeVar("T")


async def patiently(
    call: Callable[[], Awaitable[T]], within_s: float = WITHIN_S, not_yet: tuple[type[ClientError], ...] = ()
) -> T:
    """The first answer. Raises the last problem when it has tried for so long, and every refusal at once.

    Refusals of the kinds ``not_yet`` are problems too: what is asked for is still on its way.
    """
    problems: tuple[type[ClientError], ...] = (EdgeProblem, ConnectionProblem, *not_yet)
    deadline = asyncio.get_running_loop().time() + within_s
    while True:
        try:
            return await call()
        except problems:
            if asyncio.get_running_loop().time() > deadline:
                raise
        await asyncio.sleep(_PAUSE_S)
