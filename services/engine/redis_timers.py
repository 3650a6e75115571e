"""The timers' index on Redis: one sorted set per shard, kept by ``referee.lua``, read and mended here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import cache
from typing import Final

import hiredis
from redis.asyncio import Redis
from redis.crc import key_slot

from services.engine.port import Timer
from services.engine.redis_nodes import ClusterNodes
from services.engine.redis_wire import PlainRedis, command
from services.runtime import keys
from services.runtime.errors import Unavailable
from services.runtime.redis import faults
from services.runtime.redis_nodes import scan
from services.runtime.redis_place import Address

SCAN_COUNT: Final = 200
"""How many keys one step of a sweep looks at."""
SCAN_PAUSE_SECONDS: Final = 0.02
"""How long a sweep rests between two steps, so that plays don't notice it."""

_PREFIX: Final = ":hand:"
_KINDS: Final = tuple(Timer)
_INDEXES: Final = tuple(keys.timers(shard) for shard in range(keys.SHARDS))


class RedisTimers:
    """``port.TimerIndex``."""

    def __init__(self, redis: Redis, plain: PlainRedis | ClusterNodes) -> None:
        self._redis = redis
        self._plain = plain
        self._ahead: dict[Address | None, float] = {}
        """Each node's clock less this machine's, ms, as of the last round."""

    async def due(self, limit: int) -> list[tuple[str, Timer]]:
        """What is due by this machine's clock, put right by Redis' as of the last round.

        In a cluster each node has its own clock, and the shards of one that does not answer are left out.
        """
        if isinstance(self._plain, PlainRedis):
            return [
                _entry(member) for members in await self._read(None, self._plain, _INDEXES, limit) for member in members
            ]
        nodes = self._plain
        groups = await nodes.by_owner(_INDEXES, _slot)
        groups.pop(None, None)
        asked = [self._due_at(nodes, address, shards, limit) for address, shards in groups.items() if address]
        return [_entry(member) for members in await asyncio.gather(*asked) for member in members]

    async def _due_at(self, nodes: ClusterNodes, address: Address, indexes: Sequence[str], limit: int) -> list[bytes]:
        try:
            shards = await self._read(address, nodes.node(address), indexes, limit)
        except Unavailable as fault:
            if isinstance(fault.__cause__, hiredis.ReplyError):
                nodes.doubt()
            else:
                nodes.failed(address)
            return []
        return [member for members in shards for member in members]

    async def _read(
        self, address: Address | None, plain: PlainRedis, indexes: Sequence[str], limit: int
    ) -> list[list[bytes]]:
        now = int(time.time() * 1000 + self._ahead.get(address, 0.0))
        until = (str(now), "LIMIT", "0", str(limit))
        replies = await plain.send(
            [command("TIME"), *(command("ZRANGEBYSCORE", key, "-inf", *until) for key in indexes)]
        )
        for reply in replies:
            if isinstance(reply, Exception):
                raise Unavailable("REDIS_UNAVAILABLE", "the timers cannot be read") from reply
        (seconds, micros), *shards = replies
        self._ahead[address] = int(seconds) * 1000 + int(micros) / 1000 - time.time() * 1000
        return shards

    async def rebuild(self) -> int:
        """One slow walk over all hands."""
        tables = 0
        async for found in scan(self._redis, f"{{s*}}{_PREFIX}*", SCAN_COUNT):
            async with faults():
                await self._mend([key.decode().partition(_PREFIX)[2] for key in found])
            tables += len(found)
            await asyncio.sleep(SCAN_PAUSE_SECONDS)
        return tables

    async def _mend(self, tables: list[str]) -> None:
        """Enters each due time that is a field of its table, unless an earlier one is entered (LT).

        One too early, or one that was done with meanwhile, does no harm.
        """
        if not tables:
            return
        reads = self._redis.pipeline(transaction=False)
        for table in tables:
            reads.hmget(keys.hand(table), [f"{kind}_at" for kind in _KINDS])
        writes = self._redis.pipeline(transaction=False)
        for table, dues in zip(tables, await reads.execute(), strict=True):
            for kind, due in zip(_KINDS, dues, strict=True):
                if due is not None:
                    writes.zadd(keys.timers(keys.shard(table)), {f"{table}|{kind}": int(due)}, lt=True)
        await writes.execute()


def _entry(member: bytes) -> tuple[str, Timer]:
    table, _, kind = member.decode().rpartition("|")
    return table, Timer(kind)


@cache
def _slot(index: str) -> int:
    return int(key_slot(index.encode()))
