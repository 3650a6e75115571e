"""How often somebody has done something in this minute: one counter for each, which ends with its minute."""

from __future__ import annotations

from typing import Final

from redis.asyncio import Redis

from services.runtime.redis import Script, faults

WINDOW_SECONDS: Final = 60

_COUNT: Final = Script("""
redis.call('SET', KEYS[1], 0, 'EX', ARGV[1], 'NX')
return redis.call('INCR', KEYS[1])
""")

# A counter whose minute is over is not begun anew by taking back: it would never end.
_TAKE_BACK: Final = Script("""
if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('DECR', KEYS[1]) end
return 0
""")


class RedisMinutes:
    """The counters. Raises ``Unavailable`` while Redis can't be reached."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def count(self, key: str) -> int:
        """Counts once more; how often in this minute, this time included."""
        async with faults():
            return int(await _COUNT(self._client, [key], [WINDOW_SECONDS]))

    async def take_back(self, key: str) -> None:
        """Counts once less: it was nothing to be counted."""
        async with faults():
            await _TAKE_BACK(self._client, [key])
