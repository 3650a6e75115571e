"""A simulated network between a seat and its socket: each frame takes its time, and none overtakes another.

One :class:`Wire` is one direction. What a connection loses when it breaks is lost here too.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable
from typing import Final

from services.loadtest.history import now_us

US: Final = 1_000_000
Carry = Callable[[bytes, int], None]
"""Takes a frame at the end of the wire, and when it should have come out, µs."""


class Wire:
    """Frames on one way. ``delay_us`` is the least that each takes, ``jitter_us`` the mean of what comes to it."""

    def __init__(self, delay_us: float, jitter_us: float, carry: Carry, luck: random.Random) -> None:
        self._delay_us = delay_us
        self._jitter_us = jitter_us
        self._carry = carry
        self._luck = luck
        self._under_way: deque[tuple[int, bytes]] = deque()
        self._last_us = 0
        self._timer: asyncio.TimerHandle | None = None

    def put(self, frame: bytes, at_us: int) -> int:
        """A frame goes in at ``at_us``. Returns when it is to come out."""
        jitter = self._luck.expovariate(1 / self._jitter_us) if self._jitter_us else 0.0
        due_us = self._last_us = max(self._last_us, at_us + round(self._delay_us + jitter))
        if not self._under_way and due_us <= now_us():
            self._carry(frame, due_us)
        else:
            self._under_way.append((due_us, frame))
            if self._timer is None:
                self._wait()
        return due_us

    def cut(self) -> None:
        """Loses everything that is under way."""
        self._under_way.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        delay_s = max(0, self._under_way[0][0] - now_us()) / US
        self._timer = asyncio.get_running_loop().call_later(delay_s, self._arrived)

    def _arrived(self) -> None:
        self._timer = None
        # A timer has a resolution of a millisecond, and may be early by half of it.
        while self._under_way and self._under_way[0][0] <= now_us() + 500:
            due_us, frame = self._under_way.popleft()
            self._carry(frame, due_us)
        if self._under_way and self._timer is None:
            self._wait()
