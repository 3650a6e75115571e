"""Against a cluster of three nodes: every way in which Redis is asked that spans tables or names no key."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
import pytest_asyncio
from redis.asyncio import Redis
from redis.crc import key_slot

from services.engine.redis_nodes import ClusterCalls, ClusterNodes
from services.lobby.redis_gate import Gate
from services.lobby.redis_scored import ScoredStreams
from services.runtime import keys
from services.runtime.errors import Unavailable
from services.runtime.redis import Script, blocking, connect, faults
from services.runtime.redis_nodes import answers, clocks, figures, now, own_connection, read_group, scan
from services.runtime.redis_place import Cluster, place
from tests.redis_groups import SLOTS, ClusterGroup, ask, cluster_group, until

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.xdist_group("redis groups"),
    pytest.mark.timeout(300),
]

INCREASE = "return redis.call('INCRBY', KEYS[1], ARGV[1])"
TABLES = [f"t{i}" for i in range(40)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def group(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ClusterGroup]:
    async with cluster_group(tmp_path_factory.mktemp("cluster"), replicas=False) as started:
        yield started


@pytest_asyncio.fixture(loop_scope="module")
async def client(group: ClusterGroup) -> AsyncIterator[Redis]:
    async with connect(group.url) as made:
        yield made
        for server in group.servers:
            async with Redis(port=server.port) as node:
                await node.flushall()
                await node.script_flush()


@pytest_asyncio.fixture(loop_scope="module")
async def nodes(group: ClusterGroup) -> AsyncIterator[ClusterNodes]:
    where = place(group.url)
    assert isinstance(where, Cluster)
    made = ClusterNodes(where)
    yield made
    made.close()


async def test_scripts_go_to_the_node_of_their_table_and_are_sent_whole_where_they_are_not_known(
    client: Redis, nodes: ClusterNodes
) -> None:
    counters = [f"{keys.hand(table)}:n" for table in TABLES]
    calls = ClusterCalls(nodes, INCREASE)
    assert await calls.run([([key], ["1"]) for key in counters]) == [1] * len(TABLES)
    assert [await Script(INCREASE)(client, [key], [2]) for key in counters] == [3] * len(TABLES)
    assert len({key_slot(key.encode()) * 3 // SLOTS for key in counters}) == 3


async def test_a_slot_that_moves_is_followed_by_the_calls_that_were_under_way(
    group: ClusterGroup, client: Redis, nodes: ClusterNodes
) -> None:
    """Through all stages of a migration: ASK while it goes on, MOVED afterwards. No call is lost or made twice."""
    key, other = keys.hand("moving"), keys.hand("staying")
    slot, source = key_slot(key.encode()), await group.owner(key)
    target = next(server for server in group.servers if server is not source)
    calls = ClusterCalls(nodes, INCREASE)
    assert await calls.run([([key], ["1"]), ([other], ["1"])]) == [1, 1]
    async with Redis(port=source.port) as old, Redis(port=target.port) as new:
        await ask(new, "CLUSTER", "SETSLOT", slot, "IMPORTING", await ask(old, "CLUSTER", "MYID"))
        await ask(old, "CLUSTER", "SETSLOT", slot, "MIGRATING", await ask(new, "CLUSTER", "MYID"))
        await ask(old, "MIGRATE", "127.0.0.1", target.port, key, 0, 5000)

        assert await calls.run([([key], ["1"]), ([other], ["1"])]) == [2, 2]
        assert await Script(INCREASE)(client, [key], [1]) == 3

        identity = await ask(new, "CLUSTER", "MYID")
        for node in (new, old):
            await ask(node, "CLUSTER", "SETSLOT", slot, "NODE", identity)
        assert await calls.run([([key], ["1"]), ([other], ["1"])]) == [4, 3]
        assert await Script(INCREASE)(client, [key], [1]) == 5
        assert await new.get(key) == b"5"


async def test_pipelines_over_many_tables_answer_in_their_order(client: Redis) -> None:
    pipe = client.pipeline(transaction=False)
    for number, table in enumerate(TABLES):
        pipe.hset(keys.hand(table), "seq", number)
    await pipe.execute()
    reads = client.pipeline(transaction=False)
    for table in TABLES:
        reads.hmget(keys.hand(table), ["seq"])
    assert await reads.execute() == [[str(number).encode()] for number in range(len(TABLES))]


async def test_a_scan_finds_the_keys_of_every_node(client: Redis) -> None:
    for table in TABLES:
        await client.hset(keys.hand(table), "seq", "1")
    found = {key async for page in scan(client, "{s*}:hand:*", 10) for key in page}
    assert found == {keys.hand(table).encode() for table in TABLES}


async def test_entries_of_all_shards_come_to_a_group_and_are_waited_for(group: ClusterGroup, client: Redis) -> None:
    streams = [keys.finished(shard) for shard in range(keys.SHARDS)]
    pipe = client.pipeline(transaction=False)
    for stream in streams:
        pipe.xgroup_create(stream, "readers", id="0", mkstream=True)
    await pipe.execute()
    async with blocking(group.url) as reader:
        waiting = asyncio.create_task(read_group(reader, "readers", "one", streams, count=5, wait_ms=20_000))
        added = await client.xadd(streams[7], {"table": "x"})
        assert [pair for pair in await waiting if pair[1]] == [(streams[7], [(added, {b"table": b"x"})])]
        for stream in streams:
            await client.xadd(stream, {"table": "y"})
        found = await read_group(reader, "readers", "one", streams, count=5, wait_ms=20_000)
        assert sorted(name for name, _ in found) == sorted(streams)
        assert await read_group(reader, "readers", "one", streams, count=5, wait_ms=1) == []
        again = await read_group(reader, "readers", "one", streams, after="0", count=5)
        assert sum(len(entries) for _, entries in again) == keys.SHARDS + 1


async def test_what_is_published_about_any_table_reaches_a_subscription_at_any_node(
    group: ClusterGroup, client: Redis
) -> None:
    async with blocking(group.url) as subscriber:
        connection = await own_connection(subscriber)
        await connection.connect()  # type: ignore[no-untyped-call]
        channels = [keys.events_channel(table).encode() for table in TABLES]
        await connection.send_command("SUBSCRIBE", *channels)
        for _ in channels:
            await connection.read_response()
        for channel in channels:
            await client.publish(channel, channel)
        async with asyncio.timeout(30):
            heard = [(await connection.read_response())[2] for _ in channels]
        assert sorted(heard) == sorted(channels)
        await connection.disconnect()


async def test_every_shard_has_a_clock_and_the_figures_are_of_all_nodes(client: Redis) -> None:
    for table in TABLES:
        await client.set(keys.hand(table), "1")
    owners = await clocks(client)
    assert len(owners) == 3
    assert sorted(shard for shards in owners.values() for shard in shards) == list(range(keys.SHARDS))
    for shards in owners.values():
        assert (await now(client, shards[0]))[0] > 1_600_000_000
    assert (await figures(client))["db0"]["keys"] == len(TABLES)
    assert await answers(client)


async def test_a_node_that_is_silent_is_unavailable_to_a_lobby_that_looks_for_results(
    group: ClusterGroup, client: Redis
) -> None:
    """A cluster's pipeline gives the silence as the answers of its commands: as such it was once taken for entries."""
    async with blocking(group.url) as reader:
        streams = ScoredStreams(client, reader, Gate(), "lobby-1")
        await streams.open()
        assert await streams.take_over(0) == []
        node = group.servers[1]
        assert node.pid is not None
        os.kill(node.pid, signal.SIGSTOP)
        try:
            for asked in (streams.open(), streams.take_over(0), streams.close()):
                with pytest.raises(Unavailable):
                    await asked
        finally:
            os.kill(node.pid, signal.SIGCONT)
        await until(group.whole)
        await until(lambda: _taken_over(streams))


async def _taken_over(streams: ScoredStreams) -> bool:
    with suppress(Unavailable):
        return await streams.take_over(0) == []
    return False


async def test_a_cluster_that_is_not_there_is_unavailable_to_all() -> None:
    url = "redis+cluster://127.0.0.1:1,127.0.0.1:2"
    where = place(url)
    assert isinstance(where, Cluster)
    nodes = ClusterNodes(where)
    with pytest.raises(Unavailable):
        await ClusterCalls(nodes, INCREASE).run([(["n"], ["1"])])
    async with connect(url) as client:
        with pytest.raises(Unavailable):
            async with faults():
                await client.get("n")
        pipe = client.pipeline(transaction=False)
        pipe.get("n")
        with pytest.raises(Unavailable):
            async with faults():
                await pipe.execute()
