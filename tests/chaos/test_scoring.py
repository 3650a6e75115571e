from __future__ import annotations

import asyncio
import os

import pytest

from services.cli import recount
from services.cli.local_platform import Platform
from services.client.models import TableState
from services.rules.hand import Phase
from tests.chaos.promises import KILLED, Dies, Promises
from tests.e2e.tables import SeatedTable, missing, seated_table

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.xdist_group("platform"),
    pytest.mark.timeout(600),
]

KILLS = 20 if os.environ.get("PROVE") else 3


async def until_over(seated: SeatedTable, hand: int) -> None:
    """Waits until that hand has ended, or a later one has been prepared."""
    session = None
    while session is None:
        session = seated.players[0].session
        await asyncio.sleep(0.01)
    await session.until(
        lambda: (
            session.view is not None
            and (session.view.hand > hand or (session.view.hand == hand and session.view.phase is Phase.OVER))
        )
    )


async def test_scoring_is_killed_again_and_again_and_each_hand_counts_once(
    platform: Platform, promises: Promises
) -> None:
    """It dies as a hand ends, so that it is in the middle of counting, or has not begun."""
    scoring = platform["scoring"]
    killed = 0
    async with seated_table(platform.urls, enough=lambda: killed >= KILLS) as seated:
        game = asyncio.create_task(seated.play())
        async with asyncio.timeout(60 + 90 * KILLS):
            for hand in range(1, KILLS + 1):
                await scoring.ready(within_s=60)
                await until_over(seated, hand)
                scoring.kill()
                killed += 1
            ended = await game
        await scoring.ready(within_s=60)
        match, logs = await seated.record(ended)

    assert ended.state is TableState.BETWEEN
    assert len(logs) >= KILLS
    assert recount.so_far(match, logs)[1] == []
    assert missing(seated.answers, logs) == []
    size = f"1 table, {len(logs)} hands, recounted"
    promises.measured(Dies.LOBBY_OR_SCORING, "scoring", f"{KILLED} as {KILLS} hands end", "each counted once", size)
