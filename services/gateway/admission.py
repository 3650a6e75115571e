"""How fast sockets may come: so many a second, some at once; who would wait too long is told to try again later.

Attaching is the dearest thing that a client can ask for, and after a break all ask together. Let in at a bounded rate,
they leave the tables that play undisturbed; the queue is bounded by rate and patience together. Time is an argument,
in seconds.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from typing import Final

from services.gateway import metrics
from services.gateway.bucket import Rate

TRY_AGAIN_LATER: Final = 1013
"""The close code of who is not let in (IANA's registry of WebSocket close codes has it)."""


class Admission:
    """The door. ``longest_wait``: seconds in the queue; ``rate.per_second`` 0 lets everybody in."""

    def __init__(
        self, rate: Rate, longest_wait: float, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    ) -> None:
        self._rate = rate
        self._longest_wait = longest_wait
        self._sleep = sleep
        self._next = -math.inf
        """When the next one's turn would be if nobody could come at once."""

    def wait(self, now: float) -> float | None:
        """Seconds until a newcomer's turn, which is then taken; None: too many wait already."""
        if self._rate.per_second <= 0:
            return 0.0
        step = 1 / self._rate.per_second
        turn = max(self._next, now - (self._rate.burst - 1) * step)
        if turn - now > self._longest_wait:
            return None
        self._next = turn + step
        return max(0.0, turn - now)

    async def admitted(self) -> bool:
        """Returns when it is the newcomer's turn; False at once if that would take too long."""
        wait = self.wait(time.monotonic())
        if wait is None:
            metrics.ADMISSIONS.labels("refused").inc()
            return False
        metrics.ADMISSIONS.labels("waited" if wait else "at_once").inc()
        if wait:
            await self._sleep(wait)
        return True
