"""Tables that are being played while something is done to the platform, and are confirmed afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from services.cli import recount
from services.client.models import Table
from tests.e2e.player import Player
from tests.e2e.tables import SeatedTable, missing, seated_table

AT_ONCE: Final = 8
"""How many tables begin at the same time."""


class UnderWay:
    """Tables whose players go on until :meth:`finish`."""

    def __init__(self) -> None:
        self.tables: list[SeatedTable] = []
        self.enough = False
        self.games: list[asyncio.Task[Table]] = []
        self.ended: dict[SeatedTable, Table] = {}
        """Each table as it was when its players left, after :meth:`end`."""

    @property
    def players(self) -> list[Player]:
        """All of them."""
        return [player for table in self.tables for player in table.players]

    @property
    def size(self) -> str:
        """Of what was played, once it is confirmed."""
        answers = sum(len(table.answers) for table in self.tables)
        return f"{len(self.tables)} tables, {answers:,} answers, recounted"

    async def until(self, condition: Callable[[], bool], within_s: float) -> None:
        """Waits until ``condition`` holds. Raises TimeoutError, or what stopped a game."""
        async with asyncio.timeout(within_s):
            while not condition():
                for game in self.games:
                    if game.done():
                        game.result()
                        raise AssertionError("a game stopped by itself")
                await asyncio.sleep(0.01)

    async def more_answers(self, count: int, within_s: float = 60) -> None:
        """Waits until each table has got ``count`` more answers: it goes on."""
        wanted = [len(table.answers) + count for table in self.tables]
        await self.until(lambda: all(len(t.answers) >= w for t, w in zip(self.tables, wanted, strict=True)), within_s)

    async def end(self, within_s: float = 120) -> None:
        """Every table's hand is played to its end and counted."""
        self.enough = True
        async with asyncio.timeout(within_s):
            self.ended = dict(zip(self.tables, await asyncio.gather(*self.games), strict=True))

    async def finish(self, within_s: float = 120) -> list[str]:
        """Every table's hand is played to its end and counted; what is wrong with the logs and sheets."""
        await self.end(within_s)
        found = []
        for table, seen in self.ended.items():
            match, logs = await table.record(seen)
            found += recount.so_far(match, logs)[1]
            found += missing(table.answers, logs)
        return found


@asynccontextmanager
async def under_way(
    urls: Sequence[str], *, tables: int, seats: int = 4, pause_s: float = 0.02
) -> AsyncIterator[UnderWay]:
    """Tables in the middle of their first hand."""
    async with AsyncExitStack() as stack:
        running = UnderWay()
        for number in range(tables):
            table = seated_table(urls, seats=seats, seed=number, pause_s=pause_s, enough=lambda: running.enough)
            running.tables.append(await stack.enter_async_context(table))
        try:
            for count, seated in enumerate(running.tables, 1):
                running.games.append(asyncio.create_task(seated.play()))
                if count % AT_ONCE == 0:
                    await running.until(lambda: all(t.answers for t in running.tables[:count]), within_s=60)  # noqa: B023
            await running.more_answers(20)
            yield running
        finally:
            for game in running.games:
                game.cancel()
            await asyncio.gather(*running.games, return_exceptions=True)
