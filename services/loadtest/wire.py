"""A simulated network between a seat and its socket: each frame takes its time, and none overtakes another.

One :class:`Wire` is one direction. What a connection loses when it breaks is lost here too. All wires of an event loop
share one :class:`Post` with one timer, since thousands of them would otherwise spend most of their time on timers.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Final

from services.loadtest.history import now_us

US: Final = 1_000_000
_EARLY_US: Final = 500
"""A timer has a resolution of a millisecond, and may be early by half of it."""

Carry = Callable[[bytes, int], None]
"""Takes a frame at the end of the wire, and when it should have come out, µs."""


class Post:
    """The frames under way on all wires, by when they are due."""

    def __init__(self) -> None:
        self._under_way: list[tuple[int, int, Wire, int, bytes]] = []
        self._numbers = count()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_us = 0

    def put(self, due_us: int, wire: Wire, life: int, frame: bytes) -> None:
        """Has the wire carry the frame when it is due, unless it was cut by then."""
        heappush(self._under_way, (due_us, next(self._numbers), wire, life, frame))
        self._set_timer()

    def _set_timer(self) -> None:
        """For the frame that is due first, which may be an earlier one than the timer is set for."""
        if not self._under_way:
            return
        due_us = self._under_way[0][0]
        if self._timer is not None:
            if due_us >= self._timer_us:
                return
            self._timer.cancel()
        self._timer_us = due_us
        self._timer = asyncio.get_running_loop().call_later(max(0, due_us - now_us()) / US, self._arrived)

    def _arrived(self) -> None:
        self._timer = None
        under_way, until_us = self._under_way, now_us() + _EARLY_US
        try:
            while under_way and under_way[0][0] <= until_us:
                due_us, _, wire, life, frame = heappop(under_way)
                wire.arrived(due_us, life, frame)
        finally:
            self._set_timer()


class Wire:
    """Frames on one way. ``delay_us`` is the least that each takes, ``jitter_us`` the mean of what comes to it."""

    def __init__(self, delay_us: float, jitter_us: float, carry: Carry, luck: random.Random, post: Post) -> None:
        self._delay_us = delay_us
        self._jitter_us = jitter_us
        self._carry = carry
        self._luck = luck
        self._post = post
        self._life = 0
        self._under_way = 0
        self._last_us = 0

    def put(self, frame: bytes, at_us: int) -> int:
        """A frame goes in at ``at_us``. Returns when it is to come out."""
        jitter = self._luck.expovariate(1 / self._jitter_us) if self._jitter_us else 0.0
        due_us = self._last_us = max(self._last_us, at_us + round(self._delay_us + jitter))
        if not self._under_way and due_us <= now_us():
            self._carry(frame, due_us)
        else:
            self._under_way += 1
            self._post.put(due_us, self, self._life, frame)
        return due_us

    def arrived(self, due_us: int, life: int, frame: bytes) -> None:
        """A frame is due that was put in this ``life`` of the wire."""
        if life == self._life:
            self._under_way -= 1
            self._carry(frame, due_us)

    def cut(self) -> None:
        """Loses everything that is under way."""
        self._life += 1
        self._under_way = 0
