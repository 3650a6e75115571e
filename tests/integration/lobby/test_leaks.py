"""Nothing stays behind: tables opened, played and closed by the thousand leave no key, no claim and no task."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from redis.asyncio import Redis

from services.lobby.settings import LobbySettings
from tests.integration.lobby.fake_engine import FakeEngine
from tests.integration.lobby.hall import ENDED, Hall, serving_lobby, until

TABLES = 10_000 if os.environ.get("PROVE") else 1_000
AT_ONCE = 20
SPARE_TASKS = TABLES // 50
"""What gRPC has running of its own is not always the same; a task that stayed with one kind of table would be more."""


@pytest.mark.timeout(2 * TABLES / 5)
async def test_tables_by_the_thousand_leave_no_key_and_no_task(
    settings: Callable[..., LobbySettings], engine: FakeEngine, hasty_redis: Redis
) -> None:
    # Nobody renews the bots' leases here.
    async with serving_lobby(settings(forget_seconds=0.5, lease_seconds=600), engine, hasty_redis) as hall:
        tasks = len(asyncio.all_tasks())
        numbers = iter(range(TABLES))
        await asyncio.gather(*(_play(hall, numbers) for _ in range(AT_ONCE)))

        async def gone() -> bool:
            return not await hall.keys() and len(asyncio.all_tasks()) <= tasks + SPARE_TASKS

        await until(gone, 60)
        assert not engine.hands
        streams = [key async for key in hasty_redis.scan_iter(match="*:scored", count=1000)]
        assert sum([await hasty_redis.xlen(stream) for stream in streams]) == 0


async def _play(hall: Hall, numbers: Iterator[int]) -> None:
    for number in numbers:
        host, guest = f"h{number}", f"g{number}"
        match number % 10:
            case 0 | 1 | 2 | 3:  # never begun, or games for one
                table = (await hall.aces_up(host) if number % 10 else await hall.create(host)).id
            case 4 | 5 | 6 | 7:  # left by all
                table = (await hall.quick(host, 8)).table.id
                await hall.leave(table, host)
                continue
            case 8:  # ended in the middle of a hand
                table = (await hall.create(host, seats=2)).id
                await hall.join(table, guest)
                await hall.begin(table, [host, guest])
            case _:  # with a bot, after its match
                table = (await hall.create(host, seats=2, bots=1)).id
                bot = await until(partial(hall.claim, "w", f"b{number}"))
                await _play_out(hall, bot.table)
                continue
        await hall.close(table, host)


async def _play_out(hall: Hall, table: str) -> None:
    """Plays the match at a table of one person and one bot, and the person leaves."""
    players = [seat.player for seat in (await hall.table(table)).seats]
    await hall.begin(table, players)
    await hall.score(table, [100, 0], winners=[0])
    await hall.until_state(table, ENDED)
    await hall.leave(table, players[0])
