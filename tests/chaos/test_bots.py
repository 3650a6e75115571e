"""The bots are ended with SIGTERM during a hand, and started again: their seats are offered, and played on."""

from __future__ import annotations

import asyncio
import os
from itertools import pairwise
from pathlib import Path

import pytest

from services.cli import recount
from services.cli.harming import Harming
from services.client import Client
from services.client.models import Pace, TableState
from services.rules.event import SeatEvent
from tests.chaos.promises import Promises
from tests.e2e.log_book import LogBook
from tests.e2e.platforms import platform
from tests.e2e.player import Player

pytestmark = [
    pytest.mark.xdist_group("platform"),
    pytest.mark.timeout(300),
    pytest.mark.skipif(not os.environ.get("CHAOS"), reason="takes a while: make chaos"),
]


async def test_bots_that_are_replaced_give_their_seats_up_and_others_play_on(
    tmp_path: Path, promises: Promises
) -> None:
    """One bot at a table of two: while nobody has its seat, only the other one plays."""
    replaced = False
    async with platform(tmp_path / "platform", LogBook(), engines=1) as running, Client(running.url) as client:
        await client.guest("Ada")
        table = await client.create_table(seats=2, bots=1, pace=Pace.FAST, public=False)
        player = Player(client, seed=1, pause_s=0.1, enough=lambda: replaced)
        game = asyncio.create_task(player.go_on(table.id))
        loop = asyncio.get_running_loop()
        moved: list[float] = []

        async def watch() -> None:
            async with client.signed_in("").table(table.id, seat=False) as session:
                async for event in session:
                    if isinstance(event, SeatEvent) and event.seat == 1:
                        moved.append(loop.time())  # noqa: PERF401 - looked at meanwhile

        watching = asyncio.create_task(watch())
        try:
            async with asyncio.timeout(120):
                while len(moved) < 5:
                    await asyncio.sleep(0.02)
                began = loop.time()
                await Harming(running).harm("bots", "restart", 0)
                while moved[-1] < loop.time() - 0.5 or moved[-1] < began + 0.5:
                    await asyncio.sleep(0.02)
            gap_s = max(later - earlier for earlier, later in pairwise(moved))
            replaced = True
            async with asyncio.timeout(150):
                ended = await game
            match = await client.match(ended.match or "")
            logs = [await client.hand_log(match.id, sheet.hand) for sheet in match.hands]
        finally:
            watching.cancel()
            game.cancel()
            await asyncio.gather(watching, game, return_exceptions=True)

    assert ended.state is TableState.BETWEEN
    assert recount.so_far(match, logs)[1] == []
    promises.measured("bots replaced", f"the other seat played on; the bot's seat was played again after {gap_s:.1f} s")
