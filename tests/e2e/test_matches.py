from __future__ import annotations

import asyncio
import io
import os

import pytest
from rich.console import Console

from services.cli.local_platform import Platform
from services.cli.match import begin, see_through
from services.client import Client
from services.client.models import Pace, Strength
from services.rules.options import Options
from services.rules.scoring import LAST_HAND
from tests.e2e.log_book import LogBook
from tests.e2e.tables import play_match

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.xdist_group("platform"),
    pytest.mark.timeout(600),
]

TABLES = 200 if os.environ.get("PROVE") else 20
AT_ONCE_S = 540 if os.environ.get("PROVE") else 180
TARGET, MATCH_S = (100, 540) if os.environ.get("PROVE") else (30, 150)


async def bots_play(url: str, seats: int, target: int, door: asyncio.Semaphore | None = None) -> str:
    """A match of bots; what was shown of it, if it was confirmed. ``door``: how many tables are made at a time."""
    shown = io.StringIO()
    async with Client(url) as client:
        async with door or asyncio.Semaphore():
            table = await begin(client, seats, Options(target=target), Pace.FAST, Strength.MEDIUM)
        confirmed = await see_through(client, table, Console(file=shown, highlight=False))
    assert confirmed, shown.getvalue()
    return shown.getvalue()


@pytest.mark.parametrize("seats", [2, 3, 4, 6, 8])
async def test_a_match_of_bots_ends_with_a_winner_and_every_hand_is_confirmed(platform: Platform, seats: int) -> None:
    async with asyncio.timeout(MATCH_S):
        shown = await bots_play(platform.url, seats, target=TARGET)

    assert "verified: " in shown
    async with Client(platform.url) as client:
        match = await client.match((await client.matches(limit=1)).matches[0].id)
    best = max(line.total for line in match.hands[-1].seats)
    assert best >= TARGET or len(match.hands) == LAST_HAND
    assert all(line.total == best for line in match.hands[-1].seats if line.seat in match.winners)


async def test_programs_play_a_match_through_two_gateways_and_every_answer_is_in_the_log(platform: Platform) -> None:
    async with asyncio.timeout(150):
        assert await play_match(platform.urls, seats=4, target=30, seed=1) == []


async def test_many_tables_play_at_once_and_every_hand_ends_and_is_confirmed(platform: Platform, log: LogBook) -> None:
    before = len(log.lines)
    door = asyncio.Semaphore(8)

    async with asyncio.timeout(AT_ONCE_S):
        shown = await asyncio.gather(
            *(bots_play(platform.urls[i % 2], 2 + i % 7, target=10, door=door) for i in range(TABLES))
        )

    assert sum("verified: " in text for text in shown) == TABLES
    assert log.errors(before) == []
