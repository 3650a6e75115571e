"""PostgreSQL is away while hands end: they go on, wait in the streams, and are counted once when it is back."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from redis.asyncio import Redis

from services.runtime import keys
from tests.chaos.loads import harmed
from tests.chaos.promises import KILLED, PAUSED, Dies, Promises, size
from tests.e2e.log_book import LogBook
from tests.e2e.platforms import platform
from tests.postgres_server import PostgresNotFound, PostgresServer, find_postgres, postgres_server

pytestmark = [
    pytest.mark.xdist_group("platform"),
    pytest.mark.timeout(600),
    pytest.mark.skipif(not os.environ.get("CHAOS"), reason="takes a while: make chaos"),
]

WAITED_S = 2.0
"""A hand that is in a stream for so long waits; others are being counted."""
PATIENCE_S = 120.0


@pytest.mark.parametrize("how", [KILLED, PAUSED])
async def test_hands_wait_for_postgres_and_each_counts_once(how: str, tmp_path: Path, promises: Promises) -> None:
    try:
        find_postgres()
    except PostgresNotFound as reason:
        pytest.skip(str(reason))
    away_s, counted_s = 0.0, 0.0
    with postgres_server() as server:
        url = {"SCORING_DATABASE_URL": server.url}
        async with platform(tmp_path / "platform", LogBook(), engines=1, bots=False, env=url) as running:

            async def harm() -> None:
                nonlocal away_s, counted_s
                loop = asyncio.get_running_loop()
                began = loop.time()
                async with Redis(port=running.ports.redis) as redis, asyncio.timeout(PATIENCE_S):
                    _away(server, how)
                    try:
                        await _hand_waits(redis)
                    finally:
                        await asyncio.to_thread(_back, server, how)
                    back_at = loop.time()
                    waiting = await _finished(redis)
                    assert waiting
                    while waiting & await _finished(redis):
                        await asyncio.sleep(0.02)
                away_s, counted_s = back_at - began, loop.time() - back_at

            facts = await harmed(running, tmp_path / "run", "postgres", harm)
    waited_ms = facts["harmed"][0]["waited_ms"]
    found = f"what waited was counted {counted_s:.1f} s after it was back, longest wait {waited_ms:,} ms"
    promises.measured(Dies.POSTGRES, "postgres", f"{how} for {away_s:.1f} s", found, size(facts))


def _away(server: PostgresServer, how: str) -> None:
    if how == KILLED:
        server.kill()
    else:
        server.signal(signal.SIGSTOP)


def _back(server: PostgresServer, how: str) -> None:
    if how == KILLED:
        server.start()
    else:
        server.signal(signal.SIGCONT)


async def _hand_waits(redis: Redis) -> None:
    """Until a hand that has ended is not counted for a while."""
    loop = asyncio.get_running_loop()
    since: dict[tuple[int, bytes], float] = {}
    while not any(loop.time() - at > WAITED_S for at in since.values()):
        await asyncio.sleep(0.05)
        there = await _finished(redis)
        since = {entry: since.get(entry, loop.time()) for entry in there}


async def _finished(redis: Redis) -> set[tuple[int, bytes]]:
    """What is in the streams of finished hands, by shard and id."""
    pipeline = redis.pipeline(transaction=False)
    for shard in range(keys.SHARDS):
        pipeline.xrange(keys.finished(shard))
    return {(shard, entry) for shard, found in enumerate(await pipeline.execute()) for entry, _ in found}
