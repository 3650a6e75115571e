"""Redis' time at this process: arrivals are stamped in the clock that commits are stamped in.

The offset of this machine's monotonic clock comes from TIME samples; the one with the shortest round trip among the
recent ones is the most exact, and its error is at most half of that round trip.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import suppress
from typing import Final

from redis.asyncio import Redis

from services.gateway import metrics
from services.runtime.errors import Fault
from services.runtime.redis import faults

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
        self._samples: deque[tuple[float, float]] = deque(maxlen=RECENT)
        self._offset_ms = (time.time() - time.monotonic()) * 1000

    def now_ms(self) -> int:
        """Redis' time, ms since 1970."""
        return int(time.monotonic() * 1000 + self._offset_ms)

    @property
    def error_ms(self) -> float:
        """How far off :meth:`now_ms` may be."""
        return min((rtt for rtt, _ in self._samples), default=float("inf")) / 2

    @property
    def is_set(self) -> bool:
        """Whether it has been read at all."""
        return bool(self._samples)

    async def run(self) -> None:
        """Keeps sampling; while Redis can't be reached the offset stays. Never returns."""
        while True:
            with suppress(Fault):
                await self.sample()
            await asyncio.sleep(EVERY_SECONDS if len(self._samples) >= FIRST else FIRST_SECONDS)

    async def sample(self) -> None:
        """Takes one sample. Raises ``Unavailable``."""
        before = time.monotonic()
        async with faults():
            seconds, micros = await self._client.time()
        after = time.monotonic()
        theirs = seconds * 1000 + micros / 1000
        self.add((after - before) * 1000, theirs - (before + after) / 2 * 1000)

    def add(self, rtt_ms: float, offset_ms: float) -> None:
        """A sample: its round trip, and Redis' time less this machine's monotonic time at the middle of it."""
        self._samples.append((rtt_ms, offset_ms))
        self._offset_ms = min(self._samples)[1]
        metrics.CLOCK_ERROR_SECONDS.set(self.error_ms / 1000)
