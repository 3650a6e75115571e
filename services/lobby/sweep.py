"""Finds what is due, whoever left it undone: steps of tables, leases that ran out, results that nobody took."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from services.lobby import metrics, seating
from services.lobby.keeper import Keeper
from services.lobby.table import Lease, State
from services.runtime.errors import Fault, NotFound
from services.runtime.log import logger

_SLOWLY: Final = 20
"""Every so many looks Redis' time is taken and the tables are counted."""

_log = logger(__name__)


@dataclass(frozen=True, slots=True)
class Sweep:
    """Looks at the index of steps again and again. Several lobbies may sweep at once."""

    keeper: Keeper
    every_ms: int

    async def run(self) -> None:
        """Never returns."""
        looks = 0
        while True:
            try:
                if looks % _SLOWLY == 0:
                    await self.keeper.tables.sync()
                    await self.count()
                await self.look()
            except Fault as fault:
                _log.warning("not swept", fault=str(fault))
            looks += 1
            await asyncio.sleep(self.every_ms / 1000)

    async def look(self) -> None:
        """Rings for the tables that are due, and ends the leases that ran out."""
        with metrics.SWEEP.time():
            tables, leases = await self.keeper.tables.due(self.keeper.tables.now_ms())
        for table in tables:
            self.keeper.bell.ring(table)
        for lease in leases:
            await self._expire(lease)

    async def count(self) -> None:
        """Tells how many tables are in each state."""
        counts = await self.keeper.tables.counts()
        for state in State:
            metrics.TABLES.labels(state).set(counts[state])

    async def _expire(self, lease: Lease) -> None:
        held = True
        try:
            before = await self.keeper.get(lease.table)
            held = lease in before.leases
            await self.keeper.change(lease.table, lambda t: seating.lapse(t, lease))
        except NotFound:
            held = False
        if held:
            metrics.LEASES_EXPIRED.inc()
            _log.info("lease of a bot seat ran out", table=lease.table, seat=lease.seat)
        else:
            await self.keeper.tables.drop_lease(lease)
