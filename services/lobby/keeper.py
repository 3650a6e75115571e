"""Changes tables, and carries out what follows from a change.

Who left is free, freed places are offered, what is due is rung for. A crash in between loses nothing: claims are
reconciled, and the index of steps has what was due.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from services.lobby.agenda import Timing, due
from services.lobby.bell import Bell
from services.lobby.redis_claims import Claims
from services.lobby.redis_codes import Codes
from services.lobby.redis_places import Places
from services.lobby.redis_tables import Tables
from services.lobby.seating import drop
from services.lobby.table import PlayerId, State, Table, TableId
from services.runtime.errors import NotFound, Unavailable
from services.runtime.log import logger

MOST_ATTEMPTS: Final = 100
"""How often a change is computed anew because somebody else's came first; each such time, theirs got through."""

_log = logger(__name__)

Transition = Callable[[Table], Table]


@dataclass(frozen=True, slots=True)
class Keeper:
    """The only way to change a stored table."""

    tables: Tables
    claims: Claims
    codes: Codes
    places: Places
    bell: Bell
    timing: Timing
    retry_ms: int

    async def get(self, table: TableId) -> Table:
        """Raises ``UNKNOWN_TABLE``."""
        found = await self.tables.load(table)
        if found is None:
            raise NotFound("UNKNOWN_TABLE", f"no table {table}")
        return found

    async def create(self, table: Table) -> Table | None:
        """Stores a new table, with a code if others may join; ``None`` if there is one of its id."""
        code = "" if table.solo else await self.codes.take(table.id)
        table = replace(table, version=self._version_after(0), code=code)
        if not await self.tables.store(None, table, self._due_ms(table)):
            await self.let_code_go(table)
            return None
        await self._follow(None, table)
        return table

    async def open(self, table: Table) -> Table:
        """Stores a new table of an id that nobody else can have thought of."""
        stored = await self.create(table)
        if stored is None:
            raise Unavailable("CONTENDED", "the table's id is taken; try again")
        return stored

    async def change(self, table: TableId, transition: Transition) -> Table:
        """Applies a transition to the table as it then stands; what it raises, this raises.

        Also raises ``UNKNOWN_TABLE``, and ``Unavailable`` when Redis is.
        """
        for _ in range(MOST_ATTEMPTS):
            before = await self.get(table)
            after = transition(before)
            if after is before:
                return before
            after = replace(after, version=self._version_after(max(before.version, after.version)))
            if await self.tables.store(before, after, self._due_ms(after)):
                await self._follow(before, after)
                return after
        raise Unavailable("CONTENDED", "too many changes at once; try again")

    async def renew(self, table: TableId, known: int) -> Table:
        """The table, with a version above ``known``, which somebody has seen: if it has none, that one is lost."""
        found = await self.get(table)
        if found.version >= known:
            return found
        _log.warning("newer versions of a table are lost", table=table, known=known, version=found.version)
        return await self.change(table, lambda t: t if t.version >= known else replace(t, version=known))

    async def free(self, player: PlayerId, table: TableId) -> None:
        """Ends the player's claim for a table that does not seat it.

        The player may just have sat down there again, on the strength of the very claim that ends here: then the claim
        is made again, and if another table was quicker, the seat is given up.
        """
        await self.claims.release(player, table)
        seated = await self.tables.load(table)
        if seated is None or seated.state is State.CLOSED or seated.seat_of(player) is None:
            return
        if not await self.claims.hold(player, table):
            await self.change(table, lambda t: drop(t, [player], self.tables.now_ms()))

    async def let_code_go(self, table: Table) -> None:
        """Gives the table's code free."""
        if table.code:
            await self.codes.release(table.code, table.id)

    async def give_places(self, table: TableId, seats: int, places: int) -> None:
        """Says that a table of quick play has (more) places, unless it has none to give any more."""
        await self.places.give(seats, table, places)
        now = await self.tables.load(table)
        if now is None or not _places(now):
            await self.places.withdraw(seats, table)

    def _version_after(self, version: int) -> int:
        # By the clock: what follows on a version that a failover brought back is above all that were lost with it.
        return max(version + 1, self.tables.now_ms())

    def _due_ms(self, table: Table) -> int:
        # What is due at once is rung for; the index only has it done by somebody if this process can't.
        return max(due(table, self.timing).at_ms, self.tables.now_ms() + self.retry_ms)

    async def _follow(self, before: Table | None, after: Table) -> None:
        if due(after, self.timing).at_ms <= self.tables.now_ms():
            self.bell.ring(after.id)
        if before is None:
            return
        now, then = _places(after), _places(before)
        if now > then:
            await self.give_places(after.id, len(after.seats), now - then)
        elif then and not now:
            await self.places.withdraw(len(after.seats), after.id)
        staying = {seat.player for seat in after.seats}
        for seat in before.seats:
            if seat.player not in staying and seat.player:
                await self.free(seat.player, after.id)


def _places(table: Table) -> int:
    return table.free_seats if table.quick and table.state is State.OPEN else 0
