from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from redis import exceptions
from redis.asyncio import Redis

from services.runtime.errors import Unavailable
from services.runtime.redis import ANSWER_SECONDS, Script, blocking, connect, faults

INCREASE = Script("return redis.call('INCRBY', KEYS[1], ARGV[1])")


class Silent:
    """A server that counts the commands sent to it and never answers."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    async def listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(4096):
                self.heard.append(data)
        except ConnectionError:
            pass
        finally:
            writer.close()


@asynccontextmanager
async def served(on_connection: Callable[..., Awaitable[None]]) -> AsyncIterator[str]:
    server = await asyncio.start_server(on_connection, "127.0.0.1", 0)
    async with server:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"


async def test_a_script_is_sent_whole_once_and_by_its_hash_from_then_on(redis: Redis) -> None:
    await redis.script_flush()
    assert [await INCREASE(redis, ["n"], [2]) for _ in range(3)] == [2, 4, 6]
    calls = await redis.info("commandstats")
    assert await redis.script_exists(INCREASE.sha) == [True]
    assert calls["cmdstat_eval"]["calls"] >= 1


async def test_a_script_that_the_server_forgot_runs_all_the_same_and_only_once(redis: Redis) -> None:
    await INCREASE(redis, ["n"], [1])
    await redis.script_flush()
    assert await INCREASE(redis, ["n"], [1]) == 2
    assert await redis.get("n") == b"2"


async def test_the_hash_is_the_one_that_the_server_computes(redis: Redis) -> None:
    assert await redis.script_load(INCREASE.source) == INCREASE.sha


async def test_a_command_whose_answer_does_not_come_is_unavailable_and_was_sent_once() -> None:
    """A time-out leaves the outcome open: only the caller knows whether the command may be sent again."""
    silent = Silent()
    async with served(silent.listen) as url, connect(url) as client:
        started = time.monotonic()
        with pytest.raises(Unavailable, match="REDIS_UNAVAILABLE"):
            async with faults():
                await client.incr("n")
    assert time.monotonic() - started < ANSWER_SECONDS * 2
    assert b"".join(silent.heard) == b"*3\r\n$6\r\nINCRBY\r\n$1\r\nn\r\n$1\r\n1\r\n"


async def test_a_redis_that_is_not_there_is_unavailable_at_once() -> None:
    async with connect("redis://127.0.0.1:1/0") as client:
        with pytest.raises(Unavailable, match="REDIS_UNAVAILABLE"):
            async with faults():
                await client.ping()


async def test_a_mistake_of_ours_is_not_called_unavailable(redis: Redis) -> None:
    await redis.set("text", "x")
    with pytest.raises(exceptions.ResponseError):
        async with faults():
            await redis.lpush("text", "y")


async def test_a_script_that_meets_a_full_memory_is_unavailable_for_now(redis: Redis) -> None:
    await redis.config_set("maxmemory", "1")
    try:
        with pytest.raises(Unavailable):
            async with faults():
                await INCREASE(redis, ["n"], [1])
    finally:
        await redis.config_set("maxmemory", "0")


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        *((code, Unavailable) for code in ("OOM", "LOADING", "READONLY", "NOREPLICAS", "MISCONF", "MASTERDOWN")),
        *((code, Unavailable) for code in ("CLUSTERDOWN", "TRYAGAIN", "BUSY")),
        *((code, exceptions.ResponseError) for code in ("ERR", "WRONGTYPE")),
    ],
)
async def test_an_answer_that_means_not_now_is_known_by_its_code(code: str, fault: type[Exception]) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(1024):
            writer.write(f"-{code} what it says\r\n".encode())
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server, connect(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0") as client:
        with pytest.raises(fault):
            async with faults():
                await client.set("key", "value")


async def test_a_blocking_read_may_wait_longer_than_a_command_may_take(redis_url: str, redis: Redis) -> None:
    async with blocking(redis_url) as reader:

        async def read() -> object:
            return await reader.xread({"log": "0"}, block=0)

        waiting = asyncio.create_task(read())
        try:
            async with asyncio.timeout(ANSWER_SECONDS + 10):
                while not (clients := [c for c in await redis.client_list() if c["cmd"] == "xread"]):
                    await asyncio.sleep(0.01)
                while int(clients[0]["idle"]) <= ANSWER_SECONDS:
                    await asyncio.sleep(0.1)
                    clients = [c for c in await redis.client_list() if c["cmd"] == "xread"]
                await redis.xadd("log", {"e": "1"}, id="1-0")
                assert await waiting == [[b"log", [(b"1-0", {b"e": b"1"})]]]
        finally:
            waiting.cancel()


async def test_answers_are_bytes(redis: Redis) -> None:
    await redis.set("k", "v")
    assert await redis.get("k") == b"v"
