"""What the engine writes when a hand ends, and what the lobby finds when it was counted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from redis.asyncio import Redis

from services.runtime import keys
from services.scoring.finished import Finished
from services.scoring.redis_finished import GROUP


async def finish(redis: Redis, log: Sequence[bytes], finished: Finished) -> None:
    """Appends the log and the entry of the finished stream."""
    for seq, event in enumerate(log, start=finished.first):
        await redis.xadd(keys.log(finished.table), {"e": event}, id=f"{seq}-0")
    fields: dict[Any, Any] = {
        "table": finished.table,
        "match": finished.match,
        "hand": finished.hand,
        "first": finished.first,
        "last": finished.last,
    }
    await redis.xadd(keys.finished(keys.shard(finished.table)), fields)


async def scored(redis: Redis, table: str) -> list[tuple[str, int, dict[str, Any]]]:
    """Every result of a table so far: match, hand, and the decoded value."""
    entries: Any = await redis.xrange(keys.scored(keys.shard(table)))
    return [
        (fields[b"match"].decode(), int(fields[b"hand"]), json.loads(fields[b"result"]))
        for _, fields in entries
        if fields[b"table"].decode() == table
    ]


async def until_scored(
    redis: Redis, table: str, hands: int = 1, *, seconds: float = 60
) -> list[tuple[str, int, dict[str, Any]]]:
    """Waits until a table has results of so many different hands."""
    async with asyncio.timeout(seconds):
        while True:
            found = await scored(redis, table)
            if len({(match, hand) for match, hand, _ in found}) >= hands:
                return found
            await asyncio.sleep(0.01)


async def until_nothing_is_left(redis: Redis) -> None:
    """Waits until no finished stream holds an entry, nor any consumer."""
    async with asyncio.timeout(60):
        while await left(redis):
            await asyncio.sleep(0.01)


async def left(redis: Redis) -> int:
    """How many entries are in the finished streams, or pending with somebody."""
    total = 0
    for shard in range(keys.SHARDS):
        stream = keys.finished(shard)
        if await redis.exists(stream):
            total += await redis.xlen(stream)
            for group in await redis.xinfo_groups(stream):
                total += group["pending"] if group["name"] == GROUP.encode() else 0
    return total
