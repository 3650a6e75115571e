"""Tells the driver, inside this process, which tables want a step now. Losing a ring loses only time."""

from __future__ import annotations

import asyncio
from typing import Final

from services.lobby.table import TableId

MOST: Final = 10_000
"""Tables that may wait. When full, further rings are dropped: the index of steps still has them."""


class Bell:
    """A queue of tables in which each stands once."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[TableId] = asyncio.Queue(MOST)
        self._waiting: set[TableId] = set()

    def ring(self, table: TableId) -> None:
        """Says that the table may need a step."""
        if table in self._waiting or self._queue.full():
            return
        self._waiting.add(table)
        self._queue.put_nowait(table)

    async def next(self) -> TableId:
        """The next table; from now on it can be rung for again."""
        table = await self._queue.get()
        self._waiting.discard(table)
        return table

    def __len__(self) -> int:
        """How many tables wait."""
        return len(self._waiting)
