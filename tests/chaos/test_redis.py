from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from services.cli import recount
from services.cli.local_platform import Platform
from tests.chaos.promises import KILLED, Dies, Promises
from tests.chaos.under_way import under_way
from tests.e2e.tables import missing

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.xdist_group("platform"),
    pytest.mark.timeout(600),
]


async def test_redis_is_killed_and_started_again_and_the_tables_pause_and_go_on(
    platform: Platform, promises: Promises
) -> None:
    async with under_way(platform.urls, tables=4) as running:
        sessions = [player.session for player in running.players if player.session is not None]

        await platform["redis"].hold()
        await running.until(lambda: all(session.paused for session in sessions), within_s=20)
        await platform["redis"].start()
        await running.until(lambda: not any(session.paused for session in sessions), within_s=30)
        await running.more_answers(20)
        problems = await running.finish()

    assert problems == []
    assert all(player.set_back_at == [] for player in running.players)
    promises.measured(Dies.REDIS, "redis", f"{KILLED} and kept down", "every table paused, and went on", running.size)


async def test_redis_forgets_a_second_and_every_client_that_was_ahead_is_told(
    platform: Platform, tmp_path: Path
) -> None:
    """What a promoted replica does that had not got the last second."""
    redis, folder = platform["redis"], platform.folder.redis
    async with under_way(platform.urls, tables=3) as running:
        kept = [len(player.answers) for player in running.players]
        shutil.copytree(folder, tmp_path / "earlier")
        began = asyncio.get_running_loop().time()
        await running.more_answers(20)
        await running.until(lambda: asyncio.get_running_loop().time() > began + 1, within_s=5)

        await redis.hold()
        shutil.rmtree(folder)
        shutil.copytree(tmp_path / "earlier", folder)
        await redis.start()
        await running.until(lambda: all(player.set_back_at for player in running.players), within_s=60)
        await running.more_answers(20)

        running.enough = True
        async with asyncio.timeout(120):
            ended = await asyncio.gather(*running.games)
        for number, (table, seen) in enumerate(zip(running.tables, ended, strict=True)):
            match, logs = await table.record(seen)
            assert recount.so_far(match, logs)[1] == []
            first = number * len(table.players)
            for seat, player in enumerate(table.players):
                told = player.answers[: kept[first + seat]] + player.answers[player.set_back_at[-1] :]
                assert missing(told, logs) == []
