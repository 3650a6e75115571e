"""Does the steps that tables need, one after another, for as long as one is due. Any step may be done twice."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from services.lobby import dispute, match, metrics, seating, standstill
from services.lobby.agenda import Step, due, next_step
from services.lobby.backend import Engines, Scoring
from services.lobby.keeper import Keeper
from services.lobby.redis_wanted import Wanted
from services.lobby.table import Table, TableId
from services.runtime.errors import FailedPrecondition, Fault, NotFound
from services.runtime.log import logger

MOST_STEPS: Final = 32
"""Steps of one table in a row; then others have their turn."""

_log = logger(__name__)


@dataclass(frozen=True, slots=True)
class Driver:
    """Drives tables through their lives."""

    keeper: Keeper
    engines: Engines
    scoring: Scoring
    wanted: Wanted

    async def run(self) -> None:
        """Drives the tables that the bell rings for. Never returns; several may run at once."""
        while True:
            await self.drive(await self.keeper.bell.next())

    async def drive(self, table: TableId) -> None:
        """Does what is due at the table, and sees to it that the rest is looked for when it is."""
        try:
            for _ in range(MOST_STEPS):
                if not await self.step(table):
                    return
            self.keeper.bell.ring(table)
        except Fault as fault:
            # Redis is away. What is due stays due.
            _log.warning("table not driven", table=table, fault=str(fault))
        except Exception as error:
            # A mistake of ours with one table must not stop the others; the index brings it up again.
            _log.error("table not driven", table=table, exc_info=error)

    async def step(self, table_id: TableId) -> bool:
        """Does the one step that is due first; whether the table changed by it."""
        keeper, now_ms = self.keeper, self.keeper.tables.now_ms()
        table = await keeper.tables.load(table_id)
        if table is None:
            await keeper.tables.unindex(table_id)
            return False
        step = next_step(table, now_ms, keeper.timing)
        if step is None:
            await keeper.tables.postpone(table, due(table, keeper.timing).at_ms)
            return False
        try:
            changed = await self._do(step, table, now_ms)
            outcome = "done" if changed or step is Step.OFFER else "waiting"
        except Fault as fault:
            _log.warning("step not done", step=step, table=table.id, fault=str(fault))
            changed, outcome = False, "fault"
        metrics.STEPS.labels(step, outcome).inc()
        if not changed:
            # Scoring may be away for long, with many closed tables waiting for it.
            wait_ms = keeper.timing.forget_ms if (step, outcome) == (Step.FORGET, "waiting") else 0
            await keeper.tables.postpone(table, now_ms + max(keeper.retry_ms, wait_ms))
        return changed

    async def _do(self, step: Step, table: Table, now_ms: int) -> bool:
        match step:
            case Step.SETTLE:
                return await self._settle(table)
            case Step.FORGET:
                return await self._forget(table)
            case Step.FREEZE | Step.THAW:
                return await self._hold(table, step is Step.FREEZE)
            case Step.PREPARE:
                return await self._prepare(table)
            case Step.DEAL:
                return await self._deal(table)
            case Step.VOID:
                return await self._void(table)
            case Step.KEEP:
                return await self._keep(table)
            case Step.OFFER:
                return await self._offer(table, now_ms)
            case _:
                after = await self.keeper.change(table.id, lambda t: self._transition(step, t))
                return after.version != table.version

    def _transition(self, step: Step, table: Table) -> Table:
        """The steps that only change the table. It may have changed since: then the step is no longer due."""
        now_ms, timing = self.keeper.tables.now_ms(), self.keeper.timing
        if next_step(table, now_ms, timing) is not step:
            return table
        match step:
            case Step.CLOSE:
                return seating.close(table, now_ms)
            case Step.DROP_ABSENT:
                return seating.drop_absent(table, now_ms - timing.absent_ms, now_ms)
            case Step.UPHOLD:
                return dispute.uphold(table)
            case Step.REMATCH:
                return match.rematch(table, new_id(), now_ms)
            case Step.FILL:
                return seating.fill_with_bots(table, now_ms)
            case Step.HURRY:
                return match.hurry(table, now_ms)
            case Step.START:
                return match.start(table, [secrets.token_hex(16) for _ in table.seats], now_ms)
            case _:
                return table

    async def _prepare(self, table: Table) -> bool:
        commitment = await self.engines.prepare(table)
        now_ms = self.keeper.tables.now_ms()
        name, hand = table.match, table.hand + 1
        after = await self.keeper.change(table.id, lambda t: match.prepared(t, name, hand, commitment, now_ms))
        if table.quick and hand == 1 and after.waiting_ms == now_ms:
            metrics.QUICK_PLAY_WAIT.observe(max(0, now_ms - table.since_ms) / 1000)
        return after.version != table.version

    async def _deal(self, table: Table) -> bool:
        name, hand, now_ms = table.match, table.hand, self.keeper.tables.now_ms()
        try:
            await self.engines.deal(table)
        except Fault as fault:
            if fault.reason != "NOT_PREPARED" and not isinstance(fault, NotFound):
                raise
            _log.warning("the prepared hand is lost", table=table.id, hand=hand)
            after = await self.keeper.change(table.id, lambda t: match.undealt(t, name, hand, now_ms))
            return after.version != table.version
        metrics.HANDS_DEALT.inc()
        after = await self.keeper.change(table.id, lambda t: match.dealt(t, name, hand))
        return after.version != table.version

    async def _hold(self, table: Table, still: bool) -> bool:
        await self.engines.freeze(table.id, still)
        after = await self.keeper.change(table.id, lambda t: standstill.told(t, still))
        return after.version != table.version

    async def _void(self, table: Table) -> bool:
        name, hand, now_ms = table.match, table.hand, self.keeper.tables.now_ms()
        try:
            standing = await self.scoring.void_hand(name, hand)
        except (FailedPrecondition, NotFound) as fault:
            _log.error("a disputed hand is not taken back", table=table.id, hand=hand, fault=str(fault))
            after = await self.keeper.change(table.id, lambda t: dispute.dismissed(t, name, hand))
        else:
            after = await self.keeper.change(table.id, lambda t: dispute.voided(t, name, hand, standing, now_ms))
        return after.version != table.version

    async def _offer(self, table: Table, now_ms: int) -> bool:
        await self.wanted.offer(table.id, table.wanted, now_ms)
        after = await self.keeper.tables.load(table.id)
        if after is None or not after.wanted:
            await self.wanted.withdraw(table.id, len(table.seats))
        return False

    async def _keep(self, table: Table) -> bool:
        if table.code and not await self.keeper.codes.hold(table.code, table.id):
            _log.error("the code was lost to another table", table=table.id)
        elsewhere = [
            seat.player
            for seat in table.seats
            if seat.player and not await self.keeper.claims.hold(seat.player, table.id)
        ]
        now_ms = self.keeper.tables.now_ms()
        again_ms = now_ms + self.keeper.timing.keep_ms
        after = await self.keeper.change(table.id, lambda t: seating.kept(seating.drop(t, elsewhere, now_ms), again_ms))
        # Who left meanwhile was freed before the claim was renewed just now.
        for seat in table.seats:
            if seat.player and after.seat_of(seat.player) is None:
                await self.keeper.free(seat.player, table.id)
        return after.version != table.version

    async def _settle(self, table: Table) -> bool:
        await self.engines.abandon(table.id)
        await self._let_go(table)
        after = await self.keeper.change(table.id, seating.settled)
        return after.version != table.version

    async def _forget(self, table: Table) -> bool:
        # Once more, for what a slow join, offer or call to an engine left behind after the table had settled.
        await self.engines.abandon(table.id)
        try:
            await self.engines.forget(table.id)
        except Fault as fault:
            if fault.reason != "HAND_UNCOUNTED":
                raise
            return False  # Scoring is away; what it still has to read stays.
        await self._let_go(table)
        return await self.keeper.tables.erase(table)

    async def _let_go(self, table: Table) -> None:
        for seat in table.seats:
            if seat.player:
                await self.keeper.claims.release(seat.player, table.id)
        await self.keeper.let_code_go(table)
        await self.wanted.withdraw(table.id, len(table.seats))
        if table.quick:
            await self.keeper.places.withdraw(len(table.seats), table.id)


def new_id() -> str:
    """An id that nobody guesses, for a table or a match."""
    return secrets.token_hex(8)
