"""A token bucket: how often something may happen in the long run, and at once. Time is an argument, in seconds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    """Times per second in the long run, and at once. ``per_second`` 0: no limit."""

    per_second: float = 40.0
    burst: float = 120.0


class Bucket:
    """The tokens that are left; ``tokens`` to begin with, None: all."""

    __slots__ = ("_at", "_rate", "_tokens")

    def __init__(self, rate: Rate, now: float, tokens: float | None = None) -> None:
        self._rate = rate
        self._tokens = rate.burst if tokens is None else tokens
        self._at = now

    def take(self, now: float, tokens: float = 1.0) -> bool:
        """Whether it may happen now; takes its tokens."""
        if self._rate.per_second <= 0:
            return True
        self._refill(now)
        if self._tokens < tokens:
            return False
        self._tokens -= tokens
        return True

    def charge(self, tokens: float) -> None:
        """Makes what happened cost more. The debt is bounded by a second of tokens."""
        self._tokens = max(self._tokens - tokens, -self._rate.per_second)

    def wait(self, now: float, tokens: float = 1.0) -> float:
        """Seconds until :meth:`take` can succeed."""
        if self._rate.per_second <= 0:
            return 0.0
        self._refill(now)
        return max(0.0, (tokens - self._tokens) / self._rate.per_second)

    def _refill(self, now: float) -> None:
        self._tokens = min(self._rate.burst, self._tokens + (now - self._at) * self._rate.per_second)
        self._at = now
