"""Every kind of connection finds the primary through the sentinels, and finds the next one after a failover."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.engine.redis_wire import PlainRedis, ScriptCalls, command
from services.runtime.errors import Unavailable
from services.runtime.redis import Script, blocking, connect, faults
from services.runtime.redis_nodes import own_connection
from tests.redis_groups import SentinelGroup, ask, cut_off, sentinel_group, until

pytestmark = [pytest.mark.xdist_group("redis groups"), pytest.mark.timeout(300)]

ONCE = "if redis.call('SADD', KEYS[1], ARGV[1]) == 1 then return 'first' end return 'again'"
INCREASE = "return redis.call('INCRBY', KEYS[1], ARGV[1])"


@pytest_asyncio.fixture
async def group(tmp_path: Path) -> AsyncIterator[SentinelGroup]:
    async with sentinel_group(tmp_path) as started:
        yield started


async def test_a_failover_is_followed_by_clients_the_plain_connection_and_subscriptions(group: SentinelGroup) -> None:
    plain = PlainRedis(group.url)
    calls = ScriptCalls(plain, INCREASE)
    async with connect(group.url) as client, blocking(group.url) as waiting:
        assert await client.set("k", "v")
        assert await calls.run([(["n"], ["2"]), (["n"], ["3"])]) == [2, 5]
        subscription = await own_connection(waiting)
        await subscription.connect()  # type: ignore[no-untyped-call]
        async with Replicas(group) as replicas:
            await replicas.caught_up()

        await group.fail_over()

        async def both_write() -> bool:
            try:
                async with faults():
                    await Script(INCREASE)(client, ["m"], [1])
                return bool(await calls.run([(["n"], ["0"])]) == [5])
            except Unavailable:
                return False

        await until(both_write)
        assert await client.get("k") == b"v"
        with pytest.raises((RedisError, OSError)):
            await subscription.read_response()
        again = await own_connection(waiting)
        await again.connect()  # type: ignore[no-untyped-call]
        assert getattr(again, "port", 0) == (await group.primary()).port
        await again.disconnect()
        plain.close()


async def test_a_primary_that_has_become_a_replica_is_left_by_the_plain_connection(group: SentinelGroup) -> None:
    """Also if nobody cuts the connection: the answer READONLY does."""
    plain = PlainRedis(group.url)
    calls = ScriptCalls(plain, INCREASE)
    assert await calls.run([(["n"], ["2"])]) == [2]
    (mine,) = await plain.send([command("CLIENT", "ID")])
    first = await group.primary()
    second = next(server for server in group.servers if server is not first)
    (demoted,) = await plain.send([command("REPLICAOF", "127.0.0.1", str(second.port))])
    assert demoted == b"OK"

    (refused,) = await calls.run([(["n"], ["1"])])
    assert "READONLY" in str(refused)

    await plain.send([command("PING")])
    async with Redis(port=first.port) as client:
        assert mine not in [int(one["id"]) for one in await client.client_list()]
    plain.close()


async def test_with_replicas_asked_for_nothing_is_acknowledged_that_only_the_primary_has(group: SentinelGroup) -> None:
    plain, other = PlainRedis(group.url), PlainRedis(group.url)
    calls, others = ScriptCalls(plain, ONCE, replicas=1), ScriptCalls(other, ONCE, replicas=1)
    assert await calls.run([(["n"], ["1"])]) == [b"first"]
    primary = await group.primary()
    async with cut_off(primary, await group.replica_of(primary)):
        with pytest.raises(Unavailable):
            await calls.run([(["n"], ["2"])])
        with pytest.raises(Unavailable):  # nor when it is only asked for again, by somebody who wrote nothing
            await others.run([(["n"], ["2"])])

    async def acknowledged() -> bool:
        try:
            return bool(await others.run([(["n"], ["2"])]) == [b"again"])
        except Unavailable:
            return False

    await until(acknowledged)
    plain.close()
    other.close()


async def test_without_a_sentinel_that_answers_redis_is_unavailable() -> None:
    url = "redis+sentinel://127.0.0.1:1,127.0.0.1:2/pandemonium/0"
    plain = PlainRedis(url)
    with pytest.raises(Unavailable):
        await plain.send([command("PING")])
    async with connect(url) as client:
        with pytest.raises(Unavailable):
            async with faults():
                await client.ping()


class Replicas:
    """Waits until what was written has reached the replica: a failover may lose what has not."""

    def __init__(self, group: SentinelGroup) -> None:
        self._client = connect(group.url)

    async def __aenter__(self) -> Replicas:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def caught_up(self) -> None:
        """Returns when the replica has everything."""

        async def has() -> bool:
            return bool(await ask(self._client, "WAIT", 1, 1000))

        await until(has)
