"""Takes the results that scoring tells to their tables. An entry counts once however often it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from services.lobby import match, metrics
from services.lobby.keeper import Keeper
from services.lobby.redis_scored import Entry, ScoredStreams
from services.runtime.errors import Fault, NotFound
from services.runtime.log import logger

_AT_ONCE: Final = 16
_PAUSE_SECONDS: Final = 0.5
_WAIT_MS: Final = 1_000

_log = logger(__name__)


@dataclass(frozen=True, slots=True)
class Results:
    """Reads the scored streams."""

    keeper: Keeper
    streams: ScoredStreams
    take_over_ms: int

    async def run(self) -> None:
        """Takes new entries as they come. Never returns."""
        opened = False
        while True:
            try:
                if not opened:
                    await self.streams.open()
                    opened = True
                entries = await self.streams.read(_WAIT_MS)
            except Fault as fault:
                _log.warning("results not read", fault=str(fault))
                opened = False
                await asyncio.sleep(_PAUSE_SECONDS)
            else:
                await self.take(entries)

    async def run_take_over(self) -> None:
        """Takes what others, or this one, have read and not done. Never returns."""
        while True:
            await asyncio.sleep(self.take_over_ms / 1000)
            try:
                await self.take(await self.streams.take_over(self.take_over_ms))
            except Fault as fault:
                _log.warning("results not taken over", fault=str(fault))

    async def take(self, entries: Sequence[Entry]) -> None:
        """Carries entries to their tables. What fails now is taken over later."""
        for start in range(0, len(entries), _AT_ONCE):
            async with asyncio.TaskGroup() as group:
                for entry in entries[start : start + _AT_ONCE]:
                    group.create_task(self._take(entry))

    async def _take(self, entry: Entry) -> None:
        now_ms, result = self.keeper.tables.now_ms(), entry.result
        try:
            if result is None:
                metrics.SCORED_BAD.inc()
                _log.error("unreadable result", table=entry.table, entry=entry.id)
            else:
                try:
                    await self.keeper.change(entry.table, lambda t: match.scored(t, result, now_ms))
                except NotFound:
                    _log.info("result of a table that is gone", table=entry.table)
                metrics.SCORED_LAG.observe(max(0, now_ms - entry.added_ms) / 1000)
            await self.streams.done(entry)
        except Fault as fault:
            _log.warning("result not taken", table=entry.table, fault=str(fault))
