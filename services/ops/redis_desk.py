"""What the console leaves in Redis for gateways and processes, and what they leave for it."""

from __future__ import annotations

import time
from typing import Any, Final

import msgspec
from redis.asyncio import Redis

from services.runtime import keys
from services.runtime.orders import DRAIN, Told
from services.runtime.redis import faults

ORDER_SECONDS: Final = 60
LOOK_MS: Final = 10_000
"""How long a table is looked at after somebody has asked."""


class RedisDesk:
    """Notices, processes, orders, and the sockets of one table. Raises ``Unavailable`` while Redis can't be reached."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def reached(self) -> bool:
        """Whether Redis answers."""
        return bool(await self._client.ping())

    async def notice(self) -> dict[str, Any] | None:
        """What all players are told at present."""
        async with faults():
            body = await self._client.get(keys.notice())
        return msgspec.json.decode(body) if body else None

    async def announce(self, notice: dict[str, Any] | None, seconds: int = 0) -> None:
        """Has all players told that, for so long; None: nothing any more."""
        async with faults():
            if notice is None:
                await self._client.delete(keys.notice())
            else:
                await self._client.set(keys.notice(), msgspec.json.encode(notice), ex=seconds)

    async def processes(self) -> list[Told]:
        """Every process that has told of itself just now."""
        async with faults():
            told: dict[Any, Any] = await self._client.hgetall(keys.processes())
            now_ms = time.time_ns() // 1_000_000
            found = [msgspec.json.decode(body, type=Told) for body in told.values()]
            gone = [each.name for each in found if each.until < now_ms]
            if gone:
                await self._client.hdel(keys.processes(), *gone)
        return sorted((each for each in found if each.until >= now_ms), key=lambda each: (each.service, each.started))

    async def drain(self, process: str) -> None:
        """Orders a process to drain."""
        async with faults():
            await self._client.set(keys.order(process), DRAIN, ex=ORDER_SECONDS)

    async def look_at(self, table: str) -> list[list[Any]]:
        """The sockets at a table, ``[table, seat, player, rtt_ms]`` each; gateways show them from a second later on."""
        now_ms = time.time_ns() // 1_000_000
        async with faults():
            looked: dict[Any, Any] = await self._client.hgetall(keys.looked_at())
            old = [name for name, until in looked.items() if int(until) < now_ms]
            if old:
                await self._client.hdel(keys.looked_at(), *old)
            await self._client.hset(keys.looked_at(), table, now_ms + LOOK_MS)
            shown: dict[Any, Any] = await self._client.hgetall(keys.sights(table))
        return [sight for body in shown.values() for sight in msgspec.json.decode(body)]
