"""Where workers offer bots and keep the leases of their seats."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from services.lobby import metrics, seating
from services.lobby.redis_wanted import Wanted
from services.lobby.table import Lease, PlayerId, Seat, Table, TableId
from services.lobby.usher import Usher
from services.runtime.errors import FailedPrecondition, Fault

LONGEST_WAIT_MS: Final = 10_000
_LONGEST_LOOK_MS: Final = 1_000
_GONE: Final = frozenset({"UNKNOWN_TABLE", "TABLE_CLOSED", "SEAT_TAKEN"})


@dataclass(frozen=True, slots=True)
class BotDesk:
    """Gives waiting bot seats to workers, in the order in which both came."""

    usher: Usher
    wanted: Wanted
    draining: asyncio.Event = field(default_factory=asyncio.Event)
    """Once it is set nobody waits for a seat any more."""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Whoever has it waits in Redis; the others wait for it. So one connection serves all who wait."""

    async def claim(self, worker: str, player: PlayerId, name: str, wait_ms: int) -> tuple[Lease, Seat] | None:
        """Seats the bot at a table that wants one; waits for one up to ``wait_ms``. Raises ``ALREADY_SEATED``."""
        try:
            found = await self._claim(worker, player, name, min(wait_ms, LONGEST_WAIT_MS))
        except Fault:
            metrics.BOT_CLAIMS.labels("fault").inc()
            raise
        metrics.BOT_CLAIMS.labels("claimed" if found else "none").inc()
        return found

    async def renew(self, leases: list[Lease]) -> list[Lease]:
        """Renews leases; those that are lost."""
        held = await self.usher.keeper.tables.renew(leases)
        return [lease for lease, holds in zip(leases, held, strict=True) if not holds]

    async def _claim(self, worker: str, player: PlayerId, name: str, wait_ms: int) -> tuple[Lease, Seat] | None:
        standing = await self.usher.standing(player)
        if standing is not None:
            raise FailedPrecondition("ALREADY_SEATED", "this player sits at a table", {"table": standing.id})
        until = time.monotonic() + wait_ms / 1000
        while True:
            left_ms = int((until - time.monotonic()) * 1000)
            found = await self._next(left_ms)
            if found is None:
                if left_ms <= 0 or self.draining.is_set():
                    return None
                continue
            lease = Lease(*found, worker, player)
            try:
                table = await self.usher.seat(player, lease.table, partial(self._sit, lease, name))
            except Fault as fault:
                if fault.reason in _GONE:
                    continue
                await self._put_back(lease)
                raise
            return lease, table.seats[lease.seat]

    async def _next(self, left_ms: int) -> tuple[TableId, int] | None:
        if left_ms <= 0:
            return await self.wanted.take(0)
        try:
            async with asyncio.timeout(left_ms / 1000):
                await self.turn.acquire()
        except TimeoutError:
            return None
        try:
            if self.draining.is_set():
                return None
            return await self.wanted.take(min(left_ms, _LONGEST_LOOK_MS))
        finally:
            self.turn.release()

    async def _sit(self, lease: Lease, name: str) -> Table:
        keeper = self.usher.keeper
        now_ms = keeper.tables.now_ms()
        return await keeper.change(lease.table, lambda t: seating.claim_bot(t, lease, name, now_ms))

    async def _put_back(self, lease: Lease) -> None:
        await self.wanted.offer(lease.table, [lease.seat], self.usher.keeper.tables.now_ms())
