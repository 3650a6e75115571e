"""How fast a socket's frames are taken in: a token bucket, and a bounded queue for those that must wait.

Nothing is dropped and nothing is answered out of turn: while tokens are missing, frames wait here, and when enough of
them wait the socket is no longer read, so that the sender's own buffers fill. A sender that keeps up the flood is told
apart from a fast one by the queue never getting short. Time is an argument, in seconds.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

READ_BELOW: Final = 48
"""Waiting frames at which a socket is read again."""
READ_ABOVE: Final = 64
"""Waiting frames above which a socket is not read."""
MOST_WAITING: Final = 4096
"""Frames that one read may bring at most; more is a flood at once."""
FLOOD_ABOVE: Final = 32
"""More waiting frames than an honest client can have: it may leave this many commands unanswered."""
FLOOD_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Rate:
    """Frames per second in the long run, and at once. ``per_second`` 0: no limit."""

    per_second: float = 40.0
    burst: float = 120.0


class Intake:
    """The frames of one socket that wait, and the tokens that let them through."""

    __slots__ = ("_at", "_flooded_since", "_rate", "_tokens", "waiting")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._tokens = rate.burst
        self._at = now
        self._flooded_since: float | None = None
        self.waiting: deque[tuple[bytes, int]] = deque()
        """Frames with their arrival (Redis time, ms), oldest first."""

    def take(self, now: float) -> bool:
        """Whether a frame may pass now; takes its token."""
        if self._rate.per_second <= 0:
            return True
        self._refill(now)
        if self._tokens < 1.0:
            return False
        self._tokens -= 1.0
        return True

    def charge(self, tokens: float) -> None:
        """Makes what was sent cost more. The debt is bounded by a second of tokens."""
        self._tokens = max(self._tokens - tokens, -self._rate.per_second)

    def wait(self, now: float) -> float:
        """Seconds until :meth:`take` can succeed."""
        if self._rate.per_second <= 0:
            return 0.0
        self._refill(now)
        return max(0.0, (1.0 - self._tokens) / self._rate.per_second)

    def flooded(self, now: float) -> bool:
        """Whether more frames than any honest client sends have been waiting all the time for too long."""
        if len(self.waiting) <= FLOOD_ABOVE:
            self._flooded_since = None
            return False
        if self._flooded_since is None:
            self._flooded_since = now
        return now - self._flooded_since > FLOOD_SECONDS or len(self.waiting) > MOST_WAITING

    def excuse(self) -> None:
        """The wait is not the sender's fault: it counts for no flood."""
        self._flooded_since = None

    def _refill(self, now: float) -> None:
        self._tokens = min(self._rate.burst, self._tokens + (now - self._at) * self._rate.per_second)
        self._at = now
