"""Bot seats that wait for a worker, oldest first. A hint: the table decides, and says again what it wants."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from redis.asyncio import Redis

from services.lobby.redis_gate import Gate
from services.lobby.table import TableId
from services.runtime import keys
from services.runtime.errors import Unavailable
from services.runtime.redis import faults
from services.runtime.redis_nodes import LATE_SECONDS


class Wanted:
    """The waiting seats. Raises ``Unavailable`` when Redis is."""

    def __init__(self, client: Redis, blocking: Redis, gate: Gate) -> None:
        self._redis = client
        self._gate = gate
        self._blocking = blocking

    async def offer(self, table: TableId, seats: Iterable[int], now_ms: int) -> None:
        """Says that these seats wait; those that already do keep their place."""
        async with self._gate():
            await self._redis.zadd(keys.wanted_bots(), {f"{table}|{seat}": now_ms for seat in seats}, nx=True)

    async def withdraw(self, table: TableId, seats: int) -> None:
        """Says that none of the table's seats wait."""
        async with self._gate():
            await self._redis.zrem(keys.wanted_bots(), *(f"{table}|{seat}" for seat in range(seats)))

    async def take(self, wait_ms: int) -> tuple[TableId, int] | None:
        """Takes the seat that has waited longest; waits for one up to ``wait_ms``."""
        popped: Any
        if wait_ms <= 0:
            async with self._gate():
                popped = await self._redis.zpopmin(keys.wanted_bots())
            member = popped[0][0] if popped else None
        else:
            try:
                async with faults(), asyncio.timeout(wait_ms / 1000 + LATE_SECONDS):
                    popped = await self._blocking.bzpopmin([keys.wanted_bots()], timeout=wait_ms / 1000)
            except TimeoutError:
                raise Unavailable("REDIS_UNAVAILABLE", "a blocking read was not answered") from None
            member = popped[1] if popped else None
        if member is None:
            return None
        table, _, seat = member.decode().partition("|")
        return TableId(table), int(seat)
