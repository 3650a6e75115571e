"""What engines and lobby publish about the tables of this process, as gateways hear it. Reads only.

One subscription for all tables. If it breaks, so does the run: what was missed would be taken for the platform's loss.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Protocol

from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.client.errors import ConnectionProblem
from services.runtime import keys
from services.runtime.redis import blocking, faults


class Hearer(Protocol):
    """Who wants to know of a table."""

    table: str

    def published(self, payload: bytes) -> None:
        """Events, a line each."""

    def changed(self) -> None:
        """The lobby has changed the table."""


class RedisFeed:
    """Keep :meth:`run` running."""

    def __init__(self, url: str) -> None:
        self._redis: Redis = blocking(url)
        self._pubsub = self._redis.pubsub()
        self._hearers: dict[bytes, Hearer] = {}
        self._versions: set[bytes] = set()
        self._standing: dict[bytes, asyncio.Event] = {}
        self._any = asyncio.Event()
        self._one_by_one = asyncio.Lock()

    async def subscribe(self, hearer: Hearer) -> None:
        """Returns when the subscription stands: all that is published from then on is heard.

        Raises ``Unavailable``.
        """
        version, events = keys.table_channel(hearer.table).encode(), keys.events_channel(hearer.table).encode()
        self._versions.add(version)
        for channel in (version, events):
            self._hearers[channel] = hearer
            self._standing[channel] = asyncio.Event()
        async with self._one_by_one, faults():  # the first one connects
            await self._pubsub.subscribe(version, events)
        self._any.set()
        for channel in (version, events):
            await self._standing[channel].wait()

    async def run(self) -> None:
        """Reads. Never returns. Raises :class:`ConnectionProblem` when the subscription breaks."""
        await self._any.wait()
        try:
            async for message in self._pubsub.listen():
                channel = message["channel"]
                if message["type"] == "subscribe":
                    self._standing[channel].set()
                elif message["type"] == "message":
                    hearer = self._hearers[channel]
                    if channel in self._versions:
                        hearer.changed()
                    else:
                        hearer.published(message["data"])
        except (RedisError, OSError) as error:
            raise ConnectionProblem(f"the subscription at Redis broke: {error}") from None

    async def close(self) -> None:
        """Ends the connection."""
        with suppress(RedisError, OSError):
            await self._pubsub.aclose()  # type: ignore[no-untyped-call]
        await self._redis.aclose()
