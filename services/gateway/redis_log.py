"""Reads the tables' logs, which the engine writes (docs/architecture.md, "Keys"). Writes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from redis.asyncio import Redis

from services.gateway.events import Event, read
from services.gateway.relay import Head
from services.runtime import keys
from services.runtime.redis import faults
from services.runtime.versions import encoded_event


class RedisLog:
    """The logs in Redis. Raises ``Unavailable`` while they can't be reached."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def head(self, table: str) -> Head:
        """The last event in the log."""
        async with faults():
            entries: Any = await self._client.xrevrange(keys.log(table), count=1)
        if not entries:
            return Head(0, "")
        event = read(encoded_event(table, entries[0][1]))
        return Head(event.seq, event.digest)

    async def since(self, table: str, seq: int) -> Sequence[Event]:
        """The event ``seq``, if it is still there, and what follows it."""
        async with faults():
            entries: Any = await self._client.xrange(keys.log(table), min=f"{seq}-0")
        return [read(encoded_event(table, fields)) for _, fields in entries]

    async def heads(self, tables: Sequence[str]) -> Sequence[Head]:
        """The last event of each table, as its hand has it."""
        async with faults(), self._client.pipeline(transaction=False) as pipe:
            for table in tables:
                pipe.hmget(keys.hand(table), "seq", "digest")
            rows = await pipe.execute()
        return [Head(int(seq or 0), (digest or b"").decode()) for seq, digest in rows]
