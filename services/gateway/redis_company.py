"""What edges tell each other about the company at their tables: who watches, in a hash that expires, and emotes.

Every edge has a field of its own in a table's hash, with the time until which it holds; the sum over those that hold is
what everyone is told. One script per shard says, sums up and publishes, for any number of tables.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from redis.asyncio import Redis

from services.gateway.company import LIFETIME_SECONDS
from services.runtime import keys
from services.runtime.redis import Script, faults

# Keys: the watchers of some tables of one shard. Arguments: the edge, the lifetime (ms), then of each table how many
# watch there, and its channel.
_TELL: Final = Script("""
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local totals = {}
for i, key in ipairs(KEYS) do
  local here, channel = tonumber(ARGV[2 * i + 1]), ARGV[2 * i + 2]
  if here > 0 then
    redis.call('HSET', key, ARGV[1], string.format('%d|%.0f', here, now + ARGV[2]))
  else
    redis.call('HDEL', key, ARGV[1])
  end
  local fields = redis.call('HGETALL', key)
  local total, told = 0, 0
  for j = 1, #fields, 2 do
    if fields[j] == 'told' then
      told = tonumber(fields[j + 1])
    else
      local count, till = string.match(fields[j + 1], '^(%d+)|(%d+)$')
      if tonumber(till) > now then total = total + count else redis.call('HDEL', key, fields[j]) end
    end
  end
  if total > 0 then
    redis.call('HSET', key, 'told', total)
    redis.call('PEXPIRE', key, ARGV[2])
  else
    redis.call('DEL', key)
  end
  if total ~= told then redis.call('PUBLISH', channel, string.format('{"t":"watchers","count":%d}', total)) end
  totals[i] = total
end
return totals
""")


class RedisCompany:
    """The other edges, through Redis. Raises ``Unavailable`` while it can't be reached."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._edge = secrets.token_hex(6)

    async def tell(self, here: Mapping[str, int]) -> Mapping[str, int]:
        """Says how many watch each table here; gives how many watch it anywhere, and publishes what has changed."""
        by_shard: defaultdict[int, list[str]] = defaultdict(list)
        for table in here:
            by_shard[keys.shard(table)].append(table)
        totals: dict[str, int] = {}
        lifetime_ms = round(LIFETIME_SECONDS * 1000)
        async with faults():
            for tables in by_shard.values():
                told = [part for table in tables for part in (here[table], keys.company_channel(table))]
                hashes = [keys.watchers(table) for table in tables]
                counts = await _TELL(self._client, hashes, [self._edge, lifetime_ms, *told])
                totals.update(zip(tables, map(int, counts), strict=True))
        return totals

    async def say(self, table: str, frame: bytes) -> None:
        """Publishes a frame to every edge, this one too."""
        async with faults():
            await self._client.publish(keys.company_channel(table), frame)

    async def watchers(self, tables: Sequence[str]) -> Mapping[str, int]:
        """How many watch each of the tables, as last told; only those that somebody watches."""
        async with faults(), self._client.pipeline(transaction=False) as pipe:
            for table in tables:
                pipe.hget(keys.watchers(table), "told")
            counts: list[bytes | None] = await pipe.execute()
        return {table: int(count) for table, count in zip(tables, counts, strict=True) if count}
