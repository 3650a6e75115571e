"""Tables come and go by the hundred, with sockets, hands and plays, and everything is afterwards as it was."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from redis.asyncio import Redis

from services.cli.local_platform import Platform
from services.cli.ports import Ports
from services.client import Client
from services.loadtest.process_use import used
from services.rules.hand import Phase
from services.runtime.redis import connect
from tests.e2e.log_book import LogBook
from tests.e2e.platforms import UNLIMITED

pytestmark = [pytest.mark.xdist_group("platform"), pytest.mark.timeout(300)]

AT_ONCE = 8
WARM_UP = 24
TABLES = 120
SPARE_DESCRIPTORS = TABLES // 4
"""Pools of connections are as large as what happened at once, which is not the same each time; one that is not closed
for each table would be four times as many."""
GONE_WITHIN_S = 60.0


async def test_tables_by_the_hundred_leave_no_key_no_subscription_and_no_descriptor(tmp_path: Path) -> None:
    log = LogBook()
    async with (
        Platform(tmp_path, Ports.free(), say=log, bots=False, env={**UNLIMITED, "LOBBY_FORGET_SECONDS": "0.5"}) as here,
        connect(here.redis_url) as redis,
        couples(here.url) as pairs,
    ):
        before = await kept(redis)
        await play_tables(pairs, WARM_UP)
        open_before = descriptors(here)

        await play_tables(pairs, TABLES)

        open_after = descriptors(here)
        deadline = time.monotonic() + GONE_WITHIN_S
        while (after := await kept(redis)) != before and time.monotonic() < deadline:
            await asyncio.sleep(0.1)
        assert after == before
        assert {name: n for name, n in open_after.items() if n > open_before[name] + SPARE_DESCRIPTORS} == {}
    assert log.errors() == []


async def kept(redis: Redis) -> tuple[set[bytes | str], list[bytes | str]]:
    """All keys and all channels that somebody listens to."""
    return {key async for key in redis.scan_iter(count=1000)}, await redis.pubsub_channels()


def descriptors(platform: Platform) -> dict[str, int]:
    """How many each process has open."""
    uses = {process.name: used(process.pid or 0) for process in platform.processes}
    return {name: use.descriptors for name, use in uses.items() if use is not None}


@asynccontextmanager
async def couples(url: str) -> AsyncIterator[list[tuple[Client, Client]]]:
    """Two guests for each of the tables that are played at once."""
    async with AsyncExitStack() as stack:
        pairs = [
            (await stack.enter_async_context(Client(url)), await stack.enter_async_context(Client(url)))
            for _ in range(AT_ONCE)
        ]
        await asyncio.gather(*(client.guest("Passer-by") for pair in pairs for client in pair))
        yield pairs


async def play_tables(pairs: list[tuple[Client, Client]], count: int) -> None:
    """So many tables: opened, begun, played at, closed in the middle of the hand."""
    numbers = iter(range(count))
    await asyncio.gather(*(_play(*pair, numbers) for pair in pairs))


async def _play(host: Client, guest: Client, numbers: Iterator[int]) -> None:
    for _ in numbers:
        table = await host.create_table(seats=2, public=False)
        await guest.join(table.id, table.invite or "")
        async with host.table(table.id) as one, guest.table(table.id) as two:
            await one.until(lambda: bool(one.table.commitment))
            await one.ready()
            await two.ready()
            await one.until(lambda: one.view.phase is Phase.PLAYING)
            await one.turn()
            await host.close_table(table.id)
