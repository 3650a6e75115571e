"""What is asked in another way of a cluster than of one Redis: what names no key, or keys of many hash tags."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.sentinel import SentinelConnectionPool

from services.runtime import keys
from services.runtime.errors import Unavailable
from services.runtime.redis import faults
from services.runtime.redis_cluster import ClusterClient

POLL_SECONDS: Final = 0.1
"""How often a cluster's streams are looked at: a blocking read can't wait for streams of more than one hash tag."""
LATE_SECONDS: Final = 2.0
"""How much longer than it was to wait a blocking read may take before its server counts as lost."""

Entries = list[tuple[bytes | None, dict[bytes, bytes]]]
"""Ids and fields; no fields where the entry was removed from its stream."""

# Other than the command itself, a script is routed without asking a node for the names of its keys.
_READ_GROUP: Final = """
return redis.pcall('XREADGROUP', 'GROUP', ARGV[1], ARGV[2], 'COUNT', ARGV[3], 'STREAMS', KEYS[1], ARGV[4])
"""


async def own_connection(client: Redis) -> AbstractConnection:
    """A connection of the caller's own, not connected yet and in no pool: for a subscription. Raises RedisError."""
    if isinstance(client, ClusterClient):
        return await client.own_connection()
    connection: AbstractConnection = client.connection_pool.make_connection()  # type: ignore[no-untyped-call]
    return connection


async def answers(client: Redis) -> bool:
    """Whether Redis answers; of a cluster, whether any node does that is known. Raises redis-py's errors."""
    if isinstance(client, ClusterClient):
        await client.initialize()
        return bool(await client.ping(target_nodes=client.get_default_node()))
    return bool(await client.ping())


async def clocks(client: Redis) -> Mapping[str, Sequence[int]]:
    """Whose clock the tables of each shard go by: the servers by a name of their own, each with its shards."""
    if isinstance(client, ClusterClient):
        await client.initialize()
        by_node: dict[str, list[int]] = {}
        for shard in range(keys.SHARDS):
            by_node.setdefault(client.get_node_from_key(keys.timers(shard)).name, []).append(shard)
        return by_node
    pool = client.connection_pool
    primary = pool.master_address if isinstance(pool, SentinelConnectionPool) else None
    return {str(primary or ""): range(keys.SHARDS)}


async def now(client: Redis, shard: int = 0) -> tuple[int, int]:
    """Redis' time, in seconds and microseconds; of a cluster, that of the node that has the shard."""
    if isinstance(client, ClusterClient):
        await client.initialize()
        told: Any = await client.time(target_nodes=client.get_node_from_key(keys.timers(shard)))
    else:
        told = await client.time()
    seconds, micros = told
    return int(seconds), int(micros)


async def figures(client: Redis, section: str = "default") -> dict[str, Any]:
    """What Redis says of itself (INFO). Of a cluster, numbers are sums over the primaries, or a word if all say it."""
    if not isinstance(client, ClusterClient):
        one: dict[str, Any] = await client.info(section)
        return one
    await client.initialize()
    total: dict[str, Any] = {}
    for node in client.get_primaries():
        told: Any = await client.info(section, target_nodes=node)
        _add(total, told)
    return total


async def scan(client: Redis, match: str, count: int) -> AsyncIterator[list[bytes]]:
    """The keys like ``match``, in pages of about ``count`` looked at; of every node of a cluster. May name one twice.

    Raises ``Unavailable``.
    """
    nodes: list[Any] = [None]
    if isinstance(client, ClusterClient):
        async with faults():
            await client.initialize()
            nodes = list(client.get_primaries())
    for node in nodes:
        cursor = 0
        at = {} if node is None else {"target_nodes": node}
        while True:
            async with faults():
                answer: Any = await client.scan(cursor, match=match, count=count, **at)
            cursor, found = answer[0] if node is None else answer[0][node.name], answer[1]
            yield found
            if not cursor:
                break


async def read_group(
    reader: Redis,
    group: str,
    consumer: str,
    streams: Sequence[str],
    *,
    after: str = ">",
    count: int,
    wait_ms: int | None = None,
) -> list[tuple[str, Entries]]:
    """At most ``count`` entries of each stream for the consumer; waits for one up to ``wait_ms``, if that is given.

    Raises redis-py's errors, and ``Unavailable`` if a server that was to answer long ago has not.
    """
    try:
        async with asyncio.timeout((wait_ms or 0) / 1000 + LATE_SECONDS):
            if isinstance(reader, ClusterClient):
                return await _poll(reader, group, consumer, streams, after, count, wait_ms or 0)
            asked: dict[Any, Any] = dict.fromkeys(streams, after)
            answer: Any = await reader.xreadgroup(group, consumer, asked, count=count, block=wait_ms)
    except TimeoutError:
        raise Unavailable("REDIS_UNAVAILABLE", "a blocking read was not answered") from None
    return [(name.decode(), entries) for name, entries in answer or ()]


async def _poll(
    reader: Redis, group: str, consumer: str, streams: Sequence[str], after: str, count: int, wait_ms: int
) -> list[tuple[str, Entries]]:
    until = time.monotonic() + wait_ms / 1000
    while True:
        pipe = reader.pipeline(transaction=False)
        for stream in streams:
            pipe.eval(_READ_GROUP, 1, stream, group, consumer, str(count), after)
        told = await pipe.execute(raise_on_error=False)
        for answer in told:
            if isinstance(answer, Exception):
                raise answer
        found = [(name.decode(), _entries(raw)) for answer in told for name, raw in answer or ()]
        if any(entries for _, entries in found) or time.monotonic() >= until:
            return found
        await asyncio.sleep(POLL_SECONDS)


def _entries(raw: Sequence[Any]) -> Entries:
    return [(identity, dict(zip(fields[::2], fields[1::2], strict=True)) if fields else {}) for identity, fields in raw]


def _add(total: dict[str, Any], told: Mapping[str, Any]) -> None:
    for name, value in told.items():
        if name not in total:
            total[name] = dict(value) if isinstance(value, Mapping) else value
        elif isinstance(value, Mapping) and isinstance(total[name], dict):
            _add(total[name], value)
        elif isinstance(value, int | float) and isinstance(total[name], int | float):
            total[name] += value
        elif value != total[name]:
            total[name] = "differs"
