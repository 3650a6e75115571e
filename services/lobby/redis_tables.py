"""Tables in Redis, and with each its place in the shard's indexes: one script changes them together or not at all.

A table is stored only on top of the version it was computed from (compare and set), so transitions may be computed
anywhere, by any number of lobbies. All keys of one script carry the table's hash tag.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from redis.asyncio import Redis

from services.lobby.redis_gate import Gate
from services.lobby.table import Lease, State, Table, TableId
from services.runtime import keys
from services.runtime.log import logger
from services.runtime.redis import Script
from services.runtime.redis_nodes import now
from services.runtime.versions import UnknownVersion, require

_STORED: Final = ("schema", "body")
_KNOWN: Final = frozenset({"1"})
"""Versions of a stored table that are read; ``_STORE`` writes the newest."""
_log = logger(__name__)

DUE_AT_ONCE: Final = 100
"""How many due members of one shard are taken in one look."""

# Keys: table, steps, public, states. Arguments: version expected, version, state, body, id, due (ms), score in the
# index of public tables or "", channel, how many leases to drop, these, then pairs of due time and lease to add.
_STORE: Final = Script("""
local old = redis.call('HMGET', KEYS[1], 'version', 'state')
if (old[1] or '0') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'schema', 1, 'version', ARGV[2], 'state', ARGV[3], 'body', ARGV[4])
redis.call('ZADD', KEYS[2], ARGV[6], ARGV[5])
if ARGV[7] == '' then redis.call('ZREM', KEYS[3], ARGV[5]) else redis.call('ZADD', KEYS[3], ARGV[7], ARGV[5]) end
if old[2] ~= ARGV[3] then
  if old[2] and redis.call('HINCRBY', KEYS[4], old[2], -1) <= 0 then redis.call('HDEL', KEYS[4], old[2]) end
  redis.call('HINCRBY', KEYS[4], ARGV[3], 1)
end
local dropped = tonumber(ARGV[9])
for i = 10, 9 + dropped do redis.call('ZREM', KEYS[2], ARGV[i]) end
for i = 10 + dropped, #ARGV, 2 do redis.call('ZADD', KEYS[2], ARGV[i], ARGV[i + 1]) end
redis.call('PUBLISH', ARGV[8], ARGV[2])
return 1
""")

# Keys: table, steps, public, states. Arguments: version, id.
_ERASE: Final = Script("""
local old = redis.call('HMGET', KEYS[1], 'version', 'state')
if old[1] ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('ZREM', KEYS[3], ARGV[2])
if redis.call('HINCRBY', KEYS[4], old[2], -1) <= 0 then redis.call('HDEL', KEYS[4], old[2]) end
return 1
""")

# Keys: table, steps. Arguments: version, id, due (ms). A table that is gone needs nothing any more.
_POSTPONE: Final = Script("""
local version = redis.call('HGET', KEYS[1], 'version')
if not version then redis.call('ZREM', KEYS[2], ARGV[2]) end
if version == ARGV[1] then redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2]) end
return 1
""")


class Tables:
    """The stored tables. Raises ``Unavailable`` when Redis is."""

    def __init__(self, client: Redis, gate: Gate, lease_ms: int) -> None:
        self._redis = client
        self._gate = gate
        self._lease_ms = lease_ms
        self._offset_ms = 0

    def now_ms(self) -> int:
        """Redis' time as of the last :meth:`sync`, carried on by this machine's clock; ms since 1970."""
        return time.time_ns() // 1_000_000 + self._offset_ms

    async def sync(self) -> None:
        """Takes Redis' time as the time, so that all lobbies have the same."""
        async with self._gate():
            seconds, micros = await now(self._redis)
        self._offset_ms = seconds * 1000 + micros // 1000 - time.time_ns() // 1_000_000

    async def load(self, table: TableId) -> Table | None:
        """The table as stored, ``None`` if there is none."""
        async with self._gate():
            stored: Any = await self._redis.hmget(keys.lobby_table(table), _STORED)
        return _decode(table, *stored) if stored[1] else None

    async def load_all(self, tables: Sequence[TableId]) -> list[Table]:
        """Those of the tables that exist, in the same order."""
        if not tables:
            return []
        async with self._gate():
            pipe = self._redis.pipeline(transaction=False)
            for table in tables:
                pipe.hmget(keys.lobby_table(table), _STORED)
            rows = await pipe.execute()
        found = []
        for table, (schema, body) in zip(tables, rows, strict=True):
            try:
                if body:
                    found.append(_decode(table, schema, body))
            except UnknownVersion as fault:  # a newer lobby's, which lists it; the others are no worse for it
                _log.warning("table left out", table=table, fault=str(fault))
        return found

    async def store(self, before: Table | None, after: Table, due_ms: int) -> bool:
        """Stores ``after`` as the successor of ``before`` and publishes its version.

        False, and nothing changed, if the stored table is no longer ``before`` (``None``: if there is one already).
        ``due_ms`` is when the table's next step is to be looked for.
        """
        shard = keys.shard(after.id)
        old = before.leases if before else frozenset()
        gone = [_lease_text(lease) for lease in old - after.leases]
        until = self.now_ms() + self._lease_ms
        added = [part for lease in after.leases - old for part in (until, _lease_text(lease))]
        listed = after.created_ms if after.public and after.state is not State.CLOSED else ""
        async with self._gate():
            stored = await _STORE(
                self._redis,
                self._keys(after.id, shard),
                [
                    *(before.version if before else 0, after.version, after.state, _encode(after), after.id, due_ms),
                    *(listed, keys.table_channel(after.id), len(gone), *gone, *added),
                ],
            )
        return bool(stored)

    async def postpone(self, table: Table, due_ms: int) -> None:
        """Has the table's next step looked for at ``due_ms``, unless it has changed meanwhile."""
        async with self._gate():
            names = self._keys(table.id, keys.shard(table.id))[:2]
            await _POSTPONE(self._redis, names, [table.version, table.id, due_ms])

    async def erase(self, table: Table) -> bool:
        """Deletes the table from everywhere, unless it has changed meanwhile."""
        async with self._gate():
            names = self._keys(table.id, keys.shard(table.id))
            return bool(await _ERASE(self._redis, names, [table.version, table.id]))

    async def unindex(self, table: TableId) -> None:
        """Takes a table that does not exist (any more) out of the index of steps."""
        async with self._gate():
            names = self._keys(table, keys.shard(table))[:2]
            await _POSTPONE(self._redis, names, [0, table, 0])

    async def public(self, limit: int) -> list[Table]:
        """Public tables that are not closed, newest first."""
        async with self._gate():
            pipe = self._redis.pipeline(transaction=False)
            for shard in range(keys.SHARDS):
                pipe.zrevrange(keys.public_tables(shard), 0, limit - 1, withscores=True)
            found = [pair for shard in await pipe.execute() for pair in shard]
        newest = sorted(found, key=lambda pair: (-float(pair[1]), pair[0]))[:limit]
        return await self.load_all([TableId(member.decode()) for member, _ in newest])

    async def every(self) -> list[TableId]:
        """Every table that exists, closed ones too, in no order."""
        async with self._gate():
            pipe = self._redis.pipeline(transaction=False)
            for shard in range(keys.SHARDS):
                pipe.zrange(keys.steps(shard), 0, -1)
            members = [member.decode() for shard in await pipe.execute() for member in shard]
        return [TableId(member) for member in members if "|" not in member]

    async def due(self, now_ms: int) -> tuple[list[TableId], list[Lease]]:
        """Tables whose step is due, and leases that have run out; some of each shard."""
        async with self._gate():
            pipe = self._redis.pipeline(transaction=False)
            for shard in range(keys.SHARDS):
                pipe.zrangebyscore(keys.steps(shard), "-inf", now_ms, start=0, num=DUE_AT_ONCE)
            members = [member.decode() for shard in await pipe.execute() for member in shard]
        tables = [TableId(member) for member in members if "|" not in member]
        return tables, [_lease(member) for member in members if "|" in member]

    async def renew(self, leases: Sequence[Lease]) -> list[bool]:
        """Renews leases that still hold; says of each whether it does."""
        if not leases:
            return []
        until = self.now_ms() + self._lease_ms
        async with self._gate():
            pipe = self._redis.pipeline(transaction=False)
            for lease in leases:
                index = keys.steps(keys.shard(lease.table))
                pipe.zadd(index, {_lease_text(lease): until}, xx=True)
                pipe.zscore(index, _lease_text(lease))
            answers = await pipe.execute()
        return [score is not None for score in answers[1::2]]

    async def drop_lease(self, lease: Lease) -> None:
        """Takes a lease that no table knows any more out of the index."""
        async with self._gate():
            await self._redis.zrem(keys.steps(keys.shard(lease.table)), _lease_text(lease))

    async def counts(self) -> Counter[State]:
        """How many tables are in each state."""
        async with self._gate():
            pipe = self._redis.pipeline(transaction=False)
            for shard in range(keys.SHARDS):
                pipe.hgetall(keys.table_states(shard))
            shards: Iterable[dict[bytes, bytes]] = await pipe.execute()
        total: Counter[State] = Counter()
        for states in shards:
            total.update({State(name.decode()): int(count) for name, count in states.items()})
        return total

    @staticmethod
    def _keys(table: TableId, shard: int) -> list[str]:
        return [keys.lobby_table(table), keys.steps(shard), keys.public_tables(shard), keys.table_states(shard)]


def _encode(table: Table) -> bytes:
    return msgspec.json.encode(table)


def _decode(table: TableId, schema: bytes | None, body: bytes) -> Table:
    """Raises ``UnknownVersion``."""
    require(f"table {table}", (schema or b"1").decode("ascii", "replace"), _KNOWN)
    return msgspec.json.decode(body, type=Table)


def _lease_text(lease: Lease) -> str:
    return f"{lease.table}|{lease.seat}|{lease.worker}|{lease.player}"


def _lease(text: str) -> Lease:
    table, seat, worker, player = text.split("|")
    return msgspec.convert({"table": table, "seat": int(seat), "worker": worker, "player": player}, Lease)
