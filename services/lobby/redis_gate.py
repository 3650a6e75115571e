"""How many commands of one lobby are at Redis at once.

The client's pool gives up on a command that has waited a second for a connection. A burst of players shall queue
instead, for as long as each of their calls has time; so fewer commands are let in than there are connections.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from services.runtime.redis import MAX_CONNECTIONS, faults

AT_ONCE: Final = MAX_CONNECTIONS * 3 // 4


class Gate:
    """Calling it gives what stands around a command: its turn, and Redis' errors as faults."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._turns = asyncio.Semaphore(at_once)

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[None]:
        """Waits for a turn."""
        async with self._turns, faults():
            yield
