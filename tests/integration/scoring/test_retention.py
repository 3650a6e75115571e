"""What is kept for a time only, in either database; the clock is the test's."""

from __future__ import annotations

import asyncio

from sqlalchemy import func, select

from services.scoring.archive import Archive
from services.scoring.database import Database
from services.scoring.forgetting import Forgetting
from services.scoring.retention import Retention
from services.scoring.schema import aces_up_logs, hand_logs
from tests.integration.scoring.test_forgetting import count, count_game, everything
from tests.unit.scoring.games import LOSES
from tests.unit.scoring.logs import T0

DAY_MS = 86_400_000


def retention(database: Database, days_later: float, *, logs_days: float = 0, players_days: float = 0) -> Retention:
    return Retention(
        database,
        Forgetting(database),
        logs_days=logs_days,
        players_days=players_days,
        now_ms=lambda: T0 + int(days_later * DAY_MS),
        batch=2,
    )


async def logs(database: Database) -> int:
    async with database.read("ping") as connection:
        found = [
            await connection.scalar(select(func.count()).select_from(table)) for table in (hand_logs, aces_up_logs)
        ]
    return sum(number or 0 for number in found)


async def test_logs_go_in_batches_when_their_time_is_over_and_scores_stay(database: Database) -> None:
    for number in range(5):
        await count(database, number, match=f"m{number}")
    await count_game(database, LOSES[0], match="alone")
    assert await retention(database, 29.9, logs_days=30).step() == 0
    assert await logs(database) == 6
    later = retention(database, 31, logs_days=30)
    assert [await later.step() for _ in range(4)] == [3, 2, 1, 0]
    assert await logs(database) == 0
    match = await Archive(database).match("m3")
    assert match is not None
    assert len(match.hands) == 1
    assert await Archive(database).hand("m3", 1) == []


async def test_who_has_not_played_for_long_is_deleted_and_who_has_is_not(database: Database) -> None:
    await count(database, 1, match="m1")
    await count_game(database, LOSES[0], match="alone")
    assert await retention(database, 99, players_days=100).step() == 0
    assert "Ann" in await everything(database)
    later = retention(database, 101, players_days=100)
    while await later.step():
        pass
    left = await everything(database)
    assert not any(name in left for name in ("Ann", "Ben"))


async def test_nothing_goes_where_no_limit_is_set(database: Database) -> None:
    await count(database, 1, match="m1")
    before = await everything(database)
    assert await retention(database, 10_000).step() == 0
    assert await everything(database) == before


async def test_a_sweep_empties_what_is_due_and_ends_when_told_to(database: Database) -> None:
    for number in range(5):
        await count(database, number, match=f"m{number}")
    stopping = asyncio.Event()
    running = asyncio.create_task(retention(database, 31, logs_days=30).run(stopping))
    async with asyncio.timeout(60):
        while await logs(database):
            await asyncio.sleep(0.02)
        stopping.set()
        await running
