from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from prometheus_client import REGISTRY
from redis.asyncio import Redis

from services.runtime import redis_figures
from services.runtime.errors import Unavailable
from services.runtime.redis import blocking, connect, faults
from services.runtime.redis_server import RedisServer


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(f"pandemonium_redis_{name}", labels) or 0.0


async def test_connections_and_answers_are_counted(redis: Redis, redis_url: str) -> None:
    opened, answers = value("connections_total", outcome="opened"), value("answer_seconds_count")
    async with connect(redis_url) as client:
        await client.ping()
        async with client.pipeline(transaction=False) as pipe:
            pipe.get("a")
            pipe.get("b")
            await pipe.execute()
    assert value("connections_total", outcome="opened") == opened + 1
    assert value("answer_seconds_count") >= answers + 2


async def test_a_blocking_read_is_no_slow_answer(redis: Redis, redis_url: str) -> None:
    answers = value("answer_seconds_count")
    async with blocking(redis_url) as client:
        await client.blpop(["nothing"], timeout=0.01)
    assert value("answer_seconds_count") == answers


async def test_a_redis_that_is_not_there_and_one_that_goes_are_counted(tmp_path: Path) -> None:
    broken, failed = value("broken_total", why="lost"), value("connections_total", outcome="failed")
    async with RedisServer(tmp_path) as server:
        client = connect(server.url)
        await client.ping()
        waiting = connect(server.url)
        await waiting.ping()
    async with client, waiting:
        with pytest.raises(Unavailable):
            async with faults():
                await client.ping()
        with pytest.raises(Unavailable):
            async with faults():
                await client.ping()
    assert value("broken_total", why="lost") + value("connections_total", outcome="failed") >= broken + failed + 2
    assert value("connections_total", outcome="failed") > failed


@pytest.mark.parametrize("steps", range(6))
async def test_a_connection_that_another_closes_at_any_moment_is_lost_and_nothing_worse(
    redis: Redis, redis_url: str, steps: int
) -> None:
    async with connect(redis_url) as client:
        connection = client.connection_pool.make_connection()  # type: ignore[no-untyped-call]
        await connection.connect()

        async def ping() -> object:
            await connection.send_command("PING")
            return await connection.read_response()

        asking = asyncio.ensure_future(ping())
        for _ in range(steps):
            await asyncio.sleep(0)
        await connection.disconnect(nowait=True)
        with suppress(Unavailable):
            async with faults():
                assert await asking == b"PONG"
        await connection.disconnect()


async def test_what_redis_says_of_itself_is_taken_over(redis: Redis) -> None:
    await redis.set("a", "1")
    await redis.eval("return 1", 0)
    before = value("scripts_total")
    last = redis_figures.told(await redis.info("everything"), {})
    assert value("memory_bytes") > 0
    assert value("keys") == 1
    assert value("log_enabled") == 1
    assert value("log_written") == 1
    assert value("scripts_total") > before

    await redis.eval("return 1", 0)
    once = value("scripts_total")
    redis_figures.told(await redis.info("everything"), last)
    assert value("scripts_total") == once + 1


def test_counters_go_on_after_a_restart_of_redis() -> None:
    last = redis_figures.told({"evicted_keys": 5}, {"evicted_keys": 2.0})
    once = value("keys_evicted_total")
    redis_figures.told({"evicted_keys": 4}, last)
    assert value("keys_evicted_total") == once + 4
