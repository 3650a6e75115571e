"""How many tables a player has open without sitting there: such a table costs the platform bots, and its host nothing.

A place in the player's own set is taken before the table is opened, so that many at once are no way around. Places of
tables that are closed are given free when somebody finds none; the set ends by itself when no more were added for long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from redis.asyncio import Redis

from services.lobby.redis_gate import Gate
from services.lobby.table import PlayerId, TableId
from services.runtime import keys
from services.runtime.redis import Script

# Keys: the player's set. Arguments: the table, now (ms), the most, the lifetime (ms). Answers with 1 if it has a place.
_TAKE: Final = Script("""
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
""")


class Hosted:
    """The players' sets. ``most`` 0: no limit. Raises ``Unavailable`` when Redis is."""

    def __init__(self, client: Redis, gate: Gate, most: int, lifetime_ms: int) -> None:
        self._redis = client
        self._gate = gate
        self._lifetime_ms = lifetime_ms
        self.most = most

    async def take(self, player: PlayerId, table: TableId, now_ms: int) -> bool:
        """Takes a place for the table, if one is free."""
        if not self.most:
            return True
        async with self._gate():
            taken = await _TAKE(self._redis, [keys.hosted(player)], [table, now_ms, self.most, self._lifetime_ms])
        return bool(taken)

    async def of(self, player: PlayerId) -> list[TableId]:
        """The tables that have a place, the oldest first."""
        async with self._gate():
            found: Any = await self._redis.zrange(keys.hosted(player), 0, -1)
        return [TableId(table.decode()) for table in found]

    async def release(self, player: PlayerId, tables: Sequence[TableId]) -> None:
        """Gives the places of these tables free."""
        if tables:
            async with self._gate():
                await self._redis.zrem(keys.hosted(player), *tables)
