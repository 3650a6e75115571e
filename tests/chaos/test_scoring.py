from __future__ import annotations

import asyncio
import os

import pytest

from services.cli import recount
from services.cli.local_platform import Platform
from services.client.models import TableState
from tests.e2e.tables import missing, seated_table

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.xdist_group("platform"),
    pytest.mark.timeout(600),
]

KILLS = 20 if os.environ.get("PROVE") else 3


async def test_scoring_is_killed_again_and_again_and_each_hand_counts_once(platform: Platform) -> None:
    """It dies as a hand ends, so that it is in the middle of counting, or has not begun."""
    scoring = platform["scoring"]
    killed = 0
    async with seated_table(platform.urls, seats=2, target=1000, enough=lambda: killed >= KILLS) as seated:
        game = asyncio.create_task(seated.play())
        session = None
        while killed < KILLS:
            await scoring.ready(within_s=60)
            session = seated.players[0].session
            if session is None:
                await asyncio.sleep(0.01)
                continue
            before = session.view.hand if session.view and session.view.phase == "over" else 0
            async with asyncio.timeout(150):
                await session.until(
                    lambda: session.view is not None and session.view.phase == "over" and session.view.hand > before
                )
            scoring.kill()
            killed += 1
        async with asyncio.timeout(150):
            ended = await game
        await scoring.ready(within_s=60)
        match, logs = await seated.record(ended)

    assert ended.state is TableState.BETWEEN
    assert len(logs) >= KILLS
    assert recount.so_far(match, logs)[1] == []
    assert missing(seated.answers, logs) == []
