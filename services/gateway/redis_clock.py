"""Redis' time at this process: arrivals are stamped in the clock that commits are stamped in.

The offset of this machine's monotonic clock comes from TIME samples; the one with the shortest round trip among the
recent ones is the most exact, and its error is at most half of that round trip. In a cluster every node commits by its
own clock, so each has samples of its own, and a table goes by the node that has it; so does a primary after a failover.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from redis.asyncio import Redis

from services.gateway import metrics
from services.runtime import keys
from services.runtime.errors import Fault
from services.runtime.redis import faults
from services.runtime.redis_nodes import clocks, now

EVERY_SECONDS: Final = 2.0
RECENT: Final = 8
"""Samples that count: old ones would hide that the clocks drift apart."""
FIRST: Final = 4
FIRST_SECONDS: Final = 0.05
"""Until there are ``FIRST`` samples they are taken this fast."""


class RedisClock:
    """Keep :meth:`run` running; until :attr:`is_set` the time is this machine's own."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._samples: dict[str, deque[tuple[float, float]]] = {}
        self._offsets_ms = [(time.time() - time.monotonic()) * 1000] * keys.SHARDS
        """By shard."""

    def now_ms(self, table: str | None = None) -> int:
        """Redis' time, ms since 1970; where it has more than one clock, that by which the table goes."""
        return int(time.monotonic() * 1000 + self._offsets_ms[0 if table is None else keys.shard(table)])

    @property
    def error_ms(self) -> float:
        """How far off :meth:`now_ms` may be."""
        return max((min(samples)[0] for samples in self._samples.values()), default=float("inf")) / 2

    @property
    def is_set(self) -> bool:
        """Whether it has been read at all."""
        return bool(self._samples)

    async def run(self) -> None:
        """Keeps sampling; while Redis can't be reached the offset stays. Never returns."""
        while True:
            with suppress(Fault):
                await self.sample()
            enough = self._samples and all(len(samples) >= FIRST for samples in self._samples.values())
            await asyncio.sleep(EVERY_SECONDS if enough else FIRST_SECONDS)

    async def sample(self) -> None:
        """Takes one sample of every clock. Raises ``Unavailable``; those that were read by then count."""
        async with faults():
            servers = await clocks(self._client)
            for gone in self._samples.keys() - servers.keys():
                del self._samples[gone]
            for server, shards in servers.items():
                before = time.monotonic()
                seconds, micros = await now(self._client, shards[0])
                after = time.monotonic()
                theirs = seconds * 1000 + micros / 1000
                self.add((after - before) * 1000, theirs - (before + after) / 2 * 1000, server, shards)

    def add(
        self, rtt_ms: float, offset_ms: float, server: str = "", shards: Iterable[int] = range(keys.SHARDS)
    ) -> None:
        """A sample: its round trip, and Redis' time less this machine's monotonic time at the middle of it.

        ``server`` is whose clock it is, ``shards`` are those that go by it.
        """
        samples = self._samples.setdefault(server, deque(maxlen=RECENT))
        samples.append((rtt_ms, offset_ms))
        for shard in shards:
            self._offsets_ms[shard] = min(samples)[1]
        metrics.CLOCK_ERROR_SECONDS.set(self.error_ms / 1000)
