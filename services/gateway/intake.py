"""How fast a socket's frames are taken in: a token bucket, and a bounded queue for those that must wait.

Nothing is dropped and nothing is answered out of turn: while tokens are missing, frames wait here, and when enough of
them wait the socket is no longer read, so that the sender's own buffers fill. A sender that keeps up the flood is told
apart from a fast one by the queue never getting short. Time is an argument, in seconds.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from services.gateway.bucket import Bucket, Rate

READ_BELOW: Final = 48
"""Waiting frames at which a socket is read again."""
READ_ABOVE: Final = 64
"""Waiting frames above which a socket is not read."""
MOST_WAITING: Final = 4096
"""Frames that one read may bring at most; more is a flood at once."""
FLOOD_ABOVE: Final = 32
"""More waiting frames than an honest client can have: it may leave this many commands unanswered."""
FLOOD_SECONDS: Final = 10.0


class Intake(Bucket):
    """The frames of one socket that wait, and the tokens that let them through."""

    __slots__ = ("_flooded_since", "reading", "waiting")

    def __init__(self, rate: Rate, now: float) -> None:
        super().__init__(rate, now)
        self._flooded_since: float | None = None
        self.reading = True
        """Whether the socket is read."""
        self.waiting: deque[tuple[bytes, int]] = deque()
        """Frames with their arrival (Redis time, ms), oldest first."""

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

    def turned(self) -> bool:
        """Whether the socket is to be read again, or no longer: ``reading`` says which from now on."""
        too_many = len(self.waiting) > (READ_ABOVE if self.reading else READ_BELOW)
        if self.reading is not too_many:
            return False
        self.reading = not self.reading
        return True
