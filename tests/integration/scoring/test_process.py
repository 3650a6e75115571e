"""The real process, killed in the one window that matters: after the commit, before the acknowledgement."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from redis.asyncio import Redis
from sqlalchemy import func, select

from services.scoring.database import Database
from services.scoring.schema import hands, players
from tests.integration.scoring.streams import finish, scored, until_nothing_is_left, until_scored
from tests.unit.scoring.logs import entry_of, played

PATIENCE_SECONDS = 240
"""Two starts of a process, on a machine that may be busy with much else and has no compiled bytecode yet."""


class Wire:
    """A TCP proxy to Redis that holds back everything from the moment somebody publishes a result."""

    def __init__(self, redis_url: str) -> None:
        address = urlsplit(redis_url)
        self._target = (address.hostname or "127.0.0.1", address.port or 6379)
        self.publishing = asyncio.Event()
        self.url = ""

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Wire]:
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.url = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"
        try:
            yield self
        finally:
            server.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(*self._target)
        answers = asyncio.create_task(self._pass(there, writer))
        while data := await _some(reader):
            if b":scored" in data:
                self.publishing.set()
            if self.publishing.is_set():
                continue
            back.write(data)
        back.close()
        await answers

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await _some(reader):
            writer.write(data)
        writer.close()


async def _some(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read(65536)
    except ConnectionError:
        return b""


@asynccontextmanager
async def process(redis_url: str, database_url: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """``python -m services.scoring``; killed at the end, if it still runs."""
    environment = os.environ | {
        "REDIS_URL": redis_url,
        "SCORING_DATABASE_URL": database_url,
        "SCORING_PORT": "0",
        "SCORING_METRICS_PORT": "0",
        "SCORING_CLAIM_AFTER_MS": "300",
        # The hands here were played in 1970.
        "SCORING_LOGS_DAYS": "0",
        "SCORING_PLAYERS_DAYS": "0",
    }
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "services.scoring",
        env=environment,
        cwd=Path(__file__).parents[3],
    )
    try:
        yield child
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()


@pytest.mark.timeout(PATIENCE_SECONDS + 30)
async def test_a_process_killed_between_commit_and_acknowledge_counts_once(
    redis: Redis, redis_url: str, database_url: str
) -> None:
    log = played(4)
    await finish(redis, log, entry_of(log))
    async with asyncio.timeout(PATIENCE_SECONDS), Wire(redis_url).open() as wire:
        async with process(wire.url, database_url):
            await wire.publishing.wait()
        database = Database(database_url)
        async with database.read("ping") as connection:
            assert await connection.scalar(select(func.count()).select_from(hands)) == 1, "it had committed"
        assert await scored(redis, "t1") == [], "and told nobody"
        async with process(redis_url, database_url) as heir:
            told = await until_scored(redis, "t1", seconds=PATIENCE_SECONDS)
            await until_nothing_is_left(redis)
            heir.terminate()
            assert await heir.wait() == 0
        async with database.read("ping") as connection:
            assert await connection.scalar(select(func.count()).select_from(hands)) == 1
            assert (await connection.execute(select(players.c.hands))).scalars().all() == [1, 1]
        await database.close()
    assert len(told) == 1
