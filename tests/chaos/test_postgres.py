"""PostgreSQL crashes and is paused while hands end: they are counted once, afterwards."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import AsyncExitStack
from pathlib import Path

import asyncpg
import pytest
from asyncpg.exceptions import PostgresError

from services.rules.hand import Phase
from services.runtime.redis_server import RedisServer
from services.runtime.serve import serving
from services.scoring.build import build as build_scoring
from services.scoring.settings import ScoringSettings
from tests.chaos.promises import Promises
from tests.chaos.under_way import under_way
from tests.docker_engine import docker_answers
from tests.integration.gateway import platform
from tests.integration.gateway.place import Place

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(600),
    pytest.mark.skipif(not os.environ.get("CHAOS"), reason="takes a while: make chaos"),
    pytest.mark.skipif(docker_answers(), reason="PostgreSQL is in a container, whose processes are not ours to stop"),
]


def processes(backend: int) -> list[int]:
    """The whole server of one of its backends: the postmaster first, then its children."""
    status = Path(f"/proc/{backend}/status").read_text()
    postmaster = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("PPid:"))
    children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    return [postmaster, *map(int, children)]


async def backend(url: str) -> int:
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        return int(await connection.fetchval("SELECT pg_backend_pid()"))
    finally:
        await connection.close()


async def own_database(server_url: str) -> str:
    """A database of the test's own, on a server that ends with the tests. No connection stays open over the crash."""
    connection = await asyncpg.connect(server_url.replace("+asyncpg", ""))
    try:
        await connection.execute("CREATE DATABASE chaos")
    finally:
        await connection.close()
    return f"{server_url.rpartition('/')[0]}/chaos"


async def crash(url: str) -> None:
    """Kills a backend, upon which PostgreSQL throws everybody out and recovers from its log."""
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        os.kill(int(await connection.fetchval("SELECT pg_backend_pid()")), signal.SIGKILL)
    finally:
        connection.terminate()


async def test_postgres_crashes_and_is_paused_and_each_hand_counts_once(
    postgres_server_url: str, tmp_path: Path, promises: Promises
) -> None:
    postgres_url = await own_database(postgres_server_url)
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(RedisServer(tmp_path / "redis"))
        settings = ScoringSettings(redis_url=server.url, port=0, metrics_port=0, database_url=postgres_url)
        scoring = f"127.0.0.1:{(await stack.enter_async_context(serving(settings, build_scoring))).port}"
        engine = await stack.enter_async_context(platform.engine(server.url))
        lobby = await stack.enter_async_context(platform.lobby(server.url, engine, scoring))
        place = Place(server.url, engine, lobby, scoring)
        gateway = await stack.enter_async_context(place.gateway(rate_limit=0.0))
        running = await stack.enter_async_context(under_way([f"http://127.0.0.1:{gateway.port}"], tables=2, seats=2))

        await crash(postgres_url)
        await running.more_answers(5)
        # The server may take a moment to recover; whoever asks meanwhile is thrown out.
        async with asyncio.timeout(60):
            while True:
                try:
                    pids = processes(await backend(postgres_url))
                    break
                except (OSError, PostgresError):
                    await asyncio.sleep(0.1)
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            sessions = [player.session for player in running.players if player.session is not None]
            running.enough = True
            async with asyncio.timeout(200):
                while not all(session.view.phase is Phase.OVER for session in sessions):
                    await asyncio.sleep(0.05)
            assert not any(game.done() for game in running.games), "no result without the database"
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)
        back_at = asyncio.get_running_loop().time()
        problems = await running.finish(120)
        counted_s = asyncio.get_running_loop().time() - back_at

    assert problems == []
    promises.measured("PostgreSQL crashed, and paused", f"hands went on; counted {counted_s:.1f} s after it was back")
