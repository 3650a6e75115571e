"""The timers' index on Redis: one sorted set per shard, kept by ``referee.lua``, read and mended here."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Final

from redis.asyncio import Redis

from services.engine.port import Timer
from services.engine.redis_wire import PlainRedis, command
from services.runtime import keys
from services.runtime.errors import Unavailable
from services.runtime.redis import faults

SCAN_COUNT: Final = 200
"""How many keys one step of a sweep looks at."""
SCAN_PAUSE_SECONDS: Final = 0.02
"""How long a sweep rests between two steps, so that plays don't notice it."""

_PREFIX: Final = ":hand:"
_KINDS: Final = tuple(Timer)
_INDEXES: Final = tuple(keys.timers(shard) for shard in range(keys.SHARDS))


class RedisTimers:
    """``port.TimerIndex``."""

    def __init__(self, redis: Redis, plain: PlainRedis) -> None:
        self._redis = redis
        self._plain = plain
        self._ahead = 0.0
        """Redis' clock less this machine's, ms, as of the last round."""

    async def due(self, limit: int) -> list[tuple[str, Timer]]:
        """What is due by this machine's clock, put right by Redis' as of the last round."""
        now = int(time.time() * 1000 + self._ahead)
        until = (str(now), "LIMIT", "0", str(limit))
        replies = await self._plain.send(
            [command("TIME"), *(command("ZRANGEBYSCORE", key, "-inf", *until) for key in _INDEXES)]
        )
        for reply in replies:
            if isinstance(reply, Exception):
                raise Unavailable("REDIS_UNAVAILABLE", "the timers cannot be read") from reply
        (seconds, micros), *shards = replies
        self._ahead = int(seconds) * 1000 + int(micros) / 1000 - time.time() * 1000
        return [_entry(member.decode()) for members in shards for member in members]

    async def rebuild(self) -> int:
        """One slow walk over all hands."""
        tables, cursor = 0, 0
        while True:
            async with faults():
                found: Any
                cursor, found = await self._redis.scan(cursor, match=f"{{s*}}{_PREFIX}*", count=SCAN_COUNT)
                await self._mend([key.decode().partition(_PREFIX)[2] for key in found])
            tables += len(found)
            if not cursor:
                return tables
            await asyncio.sleep(SCAN_PAUSE_SECONDS)

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


def _entry(member: str) -> tuple[str, Timer]:
    table, _, kind = member.rpartition("|")
    return table, Timer(kind)
