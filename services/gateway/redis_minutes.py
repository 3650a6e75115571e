"""How often somebody has done something in this minute: one counter for each, which ends with its minute."""

from __future__ import annotations

from typing import Final, NamedTuple

from redis.asyncio import Redis

from services.runtime.errors import RETRY_AFTER, ResourceExhausted
from services.runtime.redis import Script, faults

WINDOW_SECONDS: Final = 60

_COUNT: Final = Script("""
redis.call('SET', KEYS[1], 0, 'EX', ARGV[1], 'NX')
return {redis.call('INCR', KEYS[1]), redis.call('TTL', KEYS[1])}
""")

# A counter whose minute is over is not begun anew by taking back: it would never end.
_TAKE_BACK: Final = Script("""
if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('DECR', KEYS[1]) end
return 0
""")


class Count(NamedTuple):
    """How often in this minute, the last time included, and how many seconds of the minute are left, at least one."""

    times: int
    seconds_left: int

    def beyond(self, limit: int, reason: str, detail: str) -> ResourceExhausted | None:
        """The fault of having done it more often than ``limit``, which says when the minute is over; 0: no limit."""
        if not limit or self.times <= limit:
            return None
        return ResourceExhausted(reason, detail, {RETRY_AFTER: str(self.seconds_left)})


class RedisMinutes:
    """The counters. Raises ``Unavailable`` while Redis can't be reached."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def count(self, key: str) -> Count:
        """Counts once more."""
        async with faults():
            times, left = await _COUNT(self._client, [key], [WINDOW_SECONDS])
        return Count(int(times), max(1, int(left)))

    async def take_back(self, key: str) -> None:
        """Counts once less: it was nothing to be counted."""
        async with faults():
            await _TAKE_BACK(self._client, [key])
