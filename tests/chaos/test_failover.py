"""A primary is lost together with plays that it had acknowledged and that its replica had not got."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from services.cli import recount
from services.runtime import keys
from services.runtime.redis_server import RedisServer
from tests.chaos.promises import KILLED, PAUSED, Dies, Promises
from tests.chaos.under_way import UnderWay, under_way
from tests.e2e.log_book import LogBook
from tests.e2e.platforms import platform
from tests.e2e.tables import SeatedTable, missing
from tests.redis_groups import ClusterGroup, SentinelGroup, cluster_group, cut_off, in_step, sentinel_group, until

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.xdist_group("platform"),
    pytest.mark.timeout(600),
]


PAUSE_S = 0.3
"""So slow that the plays that are lost are all of one hand: of a hand that was counted the first history stands."""
HOW = [
    KILLED,
    pytest.param(PAUSED, marks=pytest.mark.skipif(not os.environ.get("CHAOS"), reason="takes a while: make chaos")),
]
"""Paused: stopped until the replica has taken its place, then continued, when it still takes itself for the primary."""


@pytest.mark.parametrize("how", HOW)
async def test_sentinels_promote_a_replica_and_every_client_that_was_ahead_is_told(
    how: str, tmp_path: Path, promises: Promises
) -> None:
    async with (
        sentinel_group(tmp_path / "redis") as group,
        platform(tmp_path / "data", LogBook(), engines=2, bots=False, redis_url=group.url) as running,
        under_way(running.urls, tables=2, pause_s=PAUSE_S) as playing,
    ):
        failover = Failover(group, await group.primary(), playing, playing.tables)
        await failover.lose_its_last_plays(how)
        await failover.comes_back(how)
        await failover.nothing_else_is_missing()
        promises.measured(Dies.PRIMARY, "behind sentinels", how, failover.found(), playing.size)


@pytest.mark.parametrize("how", HOW)
async def test_a_node_of_a_cluster_is_lost_and_only_its_tables_are_set_back(
    how: str, tmp_path: Path, promises: Promises
) -> None:
    async with (
        cluster_group(tmp_path / "redis") as group,
        platform(tmp_path / "data", LogBook(), engines=2, bots=False, redis_url=group.url) as running,
        under_way(running.urls, tables=4, pause_s=PAUSE_S) as playing,
    ):
        owners = [await group.owner(keys.hand(seated.table.id)) for seated in playing.tables]
        failing = owners[0]
        its = [seated for seated, owner in zip(playing.tables, owners, strict=True) if owner is failing]
        others = [seated for seated, owner in zip(playing.tables, owners, strict=True) if owner is not failing]
        failover = Failover(group, failing, playing, its)
        await failover.lose_its_last_plays(how)
        await failover.comes_back(how)
        await failover.nothing_else_is_missing()
        assert [player.set_back_at for seated in others for player in seated.players if player.set_back_at] == []
        promises.measured(Dies.PRIMARY, "of a cluster of 3 + 3", how, failover.found(), playing.size)


class Failover:
    """The loss of a primary with plays of ``its`` tables that only it has."""

    def __init__(
        self, group: SentinelGroup | ClusterGroup, primary: RedisServer, playing: UnderWay, its: list[SeatedTable]
    ) -> None:
        self._group = group
        self._primary = primary
        self._playing = playing
        self._its = its
        self._players = [player for seated in its for player in seated.players]
        self._kept: dict[int, int] = {}
        """How many answers each of its players had that are not lost."""
        self._told_s = 0.0

    async def lose_its_last_plays(self, how: str) -> None:
        """Until every one of its players was told, and all tables go on."""
        playing, replica = self._playing, await self._group.replica_of(self._primary)
        assert self._primary.pid is not None
        self._kept = {id(player): len(player.answers) for player in self._players}
        async with cut_off(self._primary, replica):
            await playing.more_answers(20)
            if how == KILLED:
                await self._primary.kill()
            else:
                os.kill(self._primary.pid, signal.SIGSTOP)
        lost_at = asyncio.get_running_loop().time()
        try:
            await playing.until(lambda: all(player.set_back_at for player in self._players), within_s=60)
            self._told_s = asyncio.get_running_loop().time() - lost_at
            await playing.more_answers(20)
        except BaseException:
            if how == PAUSED:
                os.kill(self._primary.pid, signal.SIGCONT)  # else it could not be ended
            raise

    async def comes_back(self, how: str) -> None:
        """The old primary goes on, or is started again, and becomes a replica; nobody is set back by that."""
        before = [len(player.set_back_at) for player in self._players]
        if how == KILLED:
            await self._primary.start()
        else:
            assert self._primary.pid is not None
            os.kill(self._primary.pid, signal.SIGCONT)
        await until(lambda: in_step(self._primary.port))
        await self._playing.more_answers(20)
        assert [len(player.set_back_at) for player in self._players] == before

    async def nothing_else_is_missing(self) -> None:
        """Ends the hands. What was acknowledged is in the logs: all but what came between the cut and the setback."""
        await self._playing.end()
        for seated in self._playing.tables:
            match, logs = await seated.record(self._playing.ended[seated])
            assert recount.so_far(match, logs)[1] == []
            for player in seated.players:
                told = player.answers
                if seated in self._its:
                    told = told[: self._kept[id(player)]] + told[player.set_back_at[-1] :]
                assert missing(told, logs) == []

    def found(self) -> str:
        """What was lost, and when that was told."""
        lost = sum(player.set_back_at[-1] - self._kept[id(player)] for player in self._players)
        tables = f"{len(self._its)} of {len(self._playing.tables)} tables set back"
        return f"{tables}, of {lost} answers since the cut, all told within {self._told_s:.1f} s"
