"""Places that quick play may give away: the one point where all quick-play requests meet.

For each number of seats one sorted set: tables, scored by how many places are still to be given. A request takes its
place here in one atomic step, from the table with the fewest left or from a new one, and then sits down there; so
tables fill one after another however many ask at once. The set is a promise, not the truth: a table that turns out to
be full is withdrawn and another place taken; a place that was taken and never used is filled with a bot.
"""

from __future__ import annotations

from typing import Final

from redis.asyncio import Redis

from services.lobby.redis_gate import Gate
from services.lobby.table import TableId
from services.runtime import keys
from services.runtime.redis import Script

# Arguments: number of seats, id of a table to open if none has a place.
_TAKE: Final = Script("""
local table = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
if not table then
  redis.call('ZADD', KEYS[1], tonumber(ARGV[1]) - 1, ARGV[2])
  return ARGV[2]
end
if tonumber(redis.call('ZINCRBY', KEYS[1], -1, table)) <= 0 then redis.call('ZREM', KEYS[1], table) end
return table
""")


class Places:
    """The places to be given. Raises ``Unavailable`` when Redis is."""

    def __init__(self, client: Redis, gate: Gate) -> None:
        self._redis = client
        self._gate = gate

    async def take(self, seats: int, new: TableId) -> TableId:
        """Takes one place, and says at which table: one that has been waiting, or ``new``."""
        async with self._gate():
            table: bytes = await _TAKE(self._redis, [keys.quick_places(seats)], [seats, new])
        return TableId(table.decode())

    async def give(self, seats: int, table: TableId, places: int) -> None:
        """Says that the table has (more) places to give: somebody left, or did not come."""
        async with self._gate():
            await self._redis.zincrby(keys.quick_places(seats), places, table)

    async def withdraw(self, seats: int, table: TableId) -> None:
        """Says that the table has no places to give."""
        async with self._gate():
            await self._redis.zrem(keys.quick_places(seats), table)
