"""A primary is lost together with plays that it had acknowledged and that its replica had not got."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.cli import recount
from services.runtime import keys
from services.runtime.redis_server import RedisServer
from tests.chaos.under_way import UnderWay, under_way
from tests.e2e.log_book import LogBook
from tests.e2e.platforms import platform
from tests.e2e.tables import SeatedTable, missing
from tests.redis_groups import ClusterGroup, SentinelGroup, cluster_group, cut_off, sentinel_group

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.xdist_group("platform"),
    pytest.mark.timeout(600),
]


async def test_sentinels_promote_a_replica_and_every_client_that_was_ahead_is_told(tmp_path: Path) -> None:
    async with (
        sentinel_group(tmp_path / "redis") as group,
        platform(tmp_path / "data", LogBook(), engines=2, bots=False, redis_url=group.url) as running,
        under_way(running.urls, tables=2) as playing,
    ):
        kept = await lost_with_its_last_plays(group, await group.primary(), playing, playing.tables)
        await playing.until(lambda: all(player.set_back_at for player in playing.players), within_s=60)
        await playing.more_answers(20)
        await nothing_else_is_missing(playing, playing.tables, kept)


async def test_a_node_of_a_cluster_is_lost_and_only_its_tables_are_set_back(tmp_path: Path) -> None:
    async with (
        cluster_group(tmp_path / "redis") as group,
        platform(tmp_path / "data", LogBook(), engines=2, bots=False, redis_url=group.url) as running,
        under_way(running.urls, tables=4) as playing,
    ):
        owners = [await group.owner(keys.hand(seated.table.id)) for seated in playing.tables]
        failing = owners[0]
        its = [seated for seated, owner in zip(playing.tables, owners, strict=True) if owner is failing]
        others = [seated for seated, owner in zip(playing.tables, owners, strict=True) if owner is not failing]
        kept = await lost_with_its_last_plays(group, failing, playing, its)
        await playing.until(lambda: all(player.set_back_at for seated in its for player in seated.players), within_s=60)
        await playing.more_answers(20)
        await nothing_else_is_missing(playing, its, kept)
        assert [player.set_back_at for seated in others for player in seated.players if player.set_back_at] == []


async def lost_with_its_last_plays(
    group: SentinelGroup | ClusterGroup, primary: RedisServer, playing: UnderWay, its: list[SeatedTable]
) -> dict[int, int]:
    """Kills the primary after plays that only it has; how many answers each of its players had that are not lost."""
    replica = await group.replica_of(primary)
    kept = {id(player): len(player.answers) for seated in its for player in seated.players}
    async with cut_off(primary, replica):
        await playing.more_answers(20)
        await primary.kill()
    return kept


async def nothing_else_is_missing(playing: UnderWay, its: list[SeatedTable], kept: dict[int, int]) -> None:
    """Ends the hands. What was acknowledged is in the logs: all but what came after ``kept`` and before the setback."""
    await playing.end()
    for seated in playing.tables:
        match, logs = await seated.record(playing.ended[seated])
        assert recount.so_far(match, logs)[1] == []
        for player in seated.players:
            told = player.answers
            if seated in its:
                told = told[: kept[id(player)]] + told[player.set_back_at[-1] :]
            assert missing(told, logs) == []
