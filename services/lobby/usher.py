"""Brings players to seats: first the player's claim, then the seat, then the claim is held. Never two seats for one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from services.lobby import solo
from services.lobby.keeper import Keeper
from services.lobby.redis_claims import Claim
from services.lobby.seating import drop
from services.lobby.table import PlayerId, State, Table, TableId
from services.runtime.errors import FailedPrecondition, Fault, NotFound, Unavailable

_LOOK_AGAIN_SECONDS: Final = 0.02
_MOST_LOOKS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Usher:
    """Seats players. Raises ``ALREADY_SEATED`` where another table has the player."""

    keeper: Keeper

    async def seat(self, player: PlayerId, table: TableId, sit: Callable[[], Awaitable[Table]]) -> Table:
        """Claims the player for the table and then has ``sit`` take the seat; what it raises, this raises."""
        claim = await self.keeper.claims.take(player, table)
        if claim.table != table:
            claim = await self._claim_after(player, table)
        try:
            seated = await sit()
        except Fault as fault:
            # If Redis is away the seat may have been taken: the claim is pending and ends, or is renewed, by itself.
            if not isinstance(fault, Unavailable):
                await self.keeper.free(player, table)
            raise
        if not await self.keeper.claims.hold(player, table):
            await self.keeper.change(table, lambda t: drop(t, [player], self.keeper.tables.now_ms()))
            raise elsewhere(claim.table)
        return seated

    async def standing(self, player: PlayerId) -> Table | None:
        """The table that seats the player, if any.

        A pending claim is waited for, a few seconds at most; one whose table does not seat the player is released. A
        solo game that is over keeps nobody: its table is closed.
        """
        for _ in range(_MOST_LOOKS):
            claim = await self.keeper.claims.of(player)
            if claim is None:
                return None
            table = await self.keeper.tables.load(claim.table)
            if table is not None and table.state is not State.CLOSED and table.seat_of(player) is not None:
                if solo.done_with(table):
                    await self._close_done(table.id)
                elif not claim.pending or await self.keeper.claims.hold(player, table.id):
                    return table
            elif claim.pending:
                await asyncio.sleep(_LOOK_AGAIN_SECONDS)
            else:
                await self.keeper.free(player, claim.table)
        raise Unavailable("CONTENDED", "another request of this player is not done yet; try again")

    async def _claim_after(self, player: PlayerId, table: TableId) -> Claim:
        standing = await self.standing(player)
        if standing is not None and standing.id != table:
            raise elsewhere(standing.id)
        claim = await self.keeper.claims.take(player, table)
        if claim.table != table:
            raise elsewhere(claim.table)
        return claim

    async def _close_done(self, table: TableId) -> None:
        now_ms = self.keeper.tables.now_ms()
        with suppress(NotFound):
            await self.keeper.change(table, lambda t: solo.close_done(t, now_ms))


def elsewhere(table: TableId) -> FailedPrecondition:
    """The refusal of who sits at another table."""
    return FailedPrecondition("ALREADY_SEATED", "this player sits at another table", {"table": table})
