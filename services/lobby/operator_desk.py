"""What operators ask of the lobby: every table, and what nobody at a table may do. Knows not who may ask."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from services.lobby import seating, standstill
from services.lobby.keeper import Keeper
from services.lobby.redis_pause import Pause
from services.lobby.table import Table, TableId

AT_ONCE: Final = 200
"""How many tables are read at once."""


@dataclass(frozen=True, slots=True)
class OperatorDesk:
    """Raises faults with the reasons of the contract."""

    keeper: Keeper
    pause: Pause

    async def every(self) -> AsyncIterator[list[Table]]:
        """Every table there is, some at a time; closed ones until they are forgotten."""
        names = await self.keeper.tables.every()
        for start in range(0, len(names), AT_ONCE):
            yield await self.keeper.tables.load_all(names[start : start + AT_ONCE])

    async def end(self, table: TableId) -> Table:
        """Closes the table, whatever goes on there. One that is closed stays as it is."""
        now_ms = self.keeper.tables.now_ms()
        return await self.keeper.change(table, lambda t: seating.close(t, now_ms))

    async def freeze(self, table: TableId, frozen: bool) -> Table:
        """Holds the table still, or lets it go on. Raises ``TABLE_CLOSED``."""
        now_ms = self.keeper.tables.now_ms()
        change = standstill.freeze if frozen else standstill.thaw
        return await self.keeper.change(table, lambda t: change(t, now_ms))

    async def expel(self, table: TableId, seat: int) -> Table:
        """Sends a person away for good. Raises ``TABLE_CLOSED``, ``NO_PLAYER_THERE``."""
        now_ms = self.keeper.tables.now_ms()
        return await self.keeper.change(table, lambda t: seating.expel(t, seat, now_ms))
