"""The log on Redis: a stream per table, and its channel as the sign that the stream has grown."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.client import PubSub

from services.runtime import keys
from services.runtime.redis import faults
from services.runtime.versions import encoded_event

CHECK_SECONDS: Final = 1.0
"""How often the stream is looked at without a sign: a subscription that was cut comes back silently."""


class RedisLog:
    """``port.Log``. ``subscriptions`` is a client whose connections may stay silent."""

    def __init__(self, redis: Redis, subscriptions: Redis) -> None:
        self._redis = redis
        self._subscriptions = subscriptions

    async def read(self, table: str, after_seq: int, limit: int) -> list[tuple[int, bytes]]:
        """At most ``limit`` kept events after ``after_seq``."""
        async with faults():
            entries: Any = await self._redis.xrange(keys.log(table), f"({after_seq}-0", "+", count=limit)
        return [(int(entry_id.partition(b"-")[0]), encoded_event(table, entry)) for entry_id, entry in entries]

    @asynccontextmanager
    async def news(self, table: str) -> AsyncIterator[AsyncIterator[None]]:
        """A sign for each publication on the table's channel, and one a second without."""
        pubsub = self._subscriptions.pubsub()
        try:
            async with faults():
                await pubsub.subscribe(keys.events_channel(table))
            yield _signs(pubsub)
        finally:
            await pubsub.aclose()  # type: ignore[no-untyped-call]


async def _signs(pubsub: PubSub) -> AsyncIterator[None]:
    while True:
        async with faults():
            await pubsub.get_message(timeout=CHECK_SECONDS)
        yield
