"""What players ask of the lobby, apart from where bots come from (``bot_desk.py``). Knows no gRPC and no Redis."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from services.lobby import code, dispute, match, metrics, seating
from services.lobby.driver import new_id
from services.lobby.keeper import Keeper
from services.lobby.redis_hosted import Hosted
from services.lobby.redis_pause import Pause
from services.lobby.table import Pace, PlayerId, Seat, State, Strength, Table, TableId
from services.lobby.usher import Usher, elsewhere
from services.rules.options import OptionError, Options
from services.runtime.errors import FailedPrecondition, Fault, InvalidArgument, NotFound, Unavailable

QUICK_SEATS: Final = 4
LONGEST_COUNTDOWN_MS: Final = 60_000
_MOST_PLACES: Final = 50
_GONE: Final = frozenset({"TABLE_FULL", "TABLE_CLOSED", "MATCH_RUNNING", "UNKNOWN_TABLE"})


@dataclass(frozen=True, slots=True)
class Wish:
    """The table that somebody wants."""

    seats: int
    public: bool
    options_json: str = ""
    host_plays: bool = True
    bots: int = 0
    strength: Strength = Strength.MEDIUM
    pace: Pace = Pace.HUMAN
    countdown_ms: int = 0


@dataclass(frozen=True, slots=True)
class Lobby:
    """Tables and who sits at them. Raises faults with the reasons of the contract."""

    keeper: Keeper
    usher: Usher
    countdown_ms: int
    pause: Pause
    hosted: Hosted

    async def create(self, player: PlayerId, name: str, wish: Wish) -> Table:
        """Opens a table; its host sits down first, if at all.

        Raises ``BAD_SEATS``, ``BAD_OPTION``, ``BAD_COUNTDOWN``, ``ALREADY_SEATED``, ``CREATION_PAUSED``,
        ``TOO_MANY_HOSTED``.
        """
        await self.pause.require_none()
        table = self._new_table(TableId(new_id()), player, wish)
        if not wish.host_plays:
            return await self._open_to_watch(player, table)
        table = seating.join(table, player, name, "", table.created_ms)
        return await self.usher.seat(player, table.id, lambda: self.keeper.open(table))

    async def get(self, table: TableId, known: int = 0) -> Table:
        """The table, in a version that is not below ``known``. Raises ``UNKNOWN_TABLE``."""
        return await self.keeper.renew(table, known)

    async def find(self, text: str) -> Table:
        """The table that has the code. Raises ``UNKNOWN_CODE``."""
        meant = code.read(text)
        table = await self.keeper.codes.table_of(meant) if meant else None
        found = await self.keeper.tables.load(table) if table else None
        if found is None or found.state is State.CLOSED:
            raise NotFound("UNKNOWN_CODE", "no table has this code")
        return found

    async def public(self, limit: int) -> list[Table]:
        """Public tables that are not closed, newest first."""
        tables = await self.keeper.tables.public(limit)
        return [table for table in tables if table.public and table.state is not State.CLOSED]

    async def join(self, table: TableId, player: PlayerId, name: str, invite: str) -> Table:
        """Takes a free seat, or keeps the one that the player has there."""

        async def sit() -> Table:
            now_ms = self.keeper.tables.now_ms()
            return await self.keeper.change(table, lambda t: seating.join(t, player, name, invite, now_ms))

        with _counted():
            return await self.usher.seat(player, table, sit)

    async def quick_play(self, player: PlayerId, name: str, seats: int) -> Table:
        """Seats the player where others wait, or at a new table that others will find. Who sits stays there.

        Raises ``BAD_SEATS``; ``ALREADY_SEATED`` if a game of Aces Up is running; ``CREATION_PAUSED`` if there is no
        place at any table and no new ones are opened.
        """
        seats = seating.seat_count(seats or QUICK_SEATS)
        places = self.keeper.places
        for _ in range(_MOST_PLACES):
            standing = await self.usher.standing(player)
            if standing is not None and standing.solo:
                metrics.JOINS.labels("elsewhere").inc()
                raise elsewhere(standing.id)
            if standing is not None:
                metrics.JOINS.labels("already").inc()
                return standing
            table = await places.take(seats, TableId(new_id()))
            try:
                seated = await self.usher.seat(player, table, partial(self._sit_quick, table, player, name, seats))
            except Fault as fault:
                if fault.reason in _GONE:
                    await places.withdraw(seats, table)
                    continue
                await self.keeper.give_places(table, seats, 1)
                if fault.reason != "ALREADY_SEATED":
                    metrics.JOINS.labels(metrics.join_outcome(fault.reason)).inc()
                    raise
            else:
                metrics.JOINS.labels("seated").inc()
                return seated
        metrics.JOINS.labels("fault").inc()
        raise Unavailable("CONTENDED", "no place was found; try again")

    async def leave(self, table: TableId, player: PlayerId) -> Table:
        """Gives the seat up."""
        now_ms = self.keeper.tables.now_ms()
        return await self.keeper.change(table, lambda t: seating.leave(t, player, now_ms))

    async def set_ready(self, table: TableId, player: PlayerId, ready: bool, nonce: str) -> Table:
        """Notes readiness for the next hand."""
        return await self.keeper.change(table, lambda t: match.set_ready(t, player, ready, nonce))

    async def add_bot(self, table: TableId, player: PlayerId, strength: Strength, pace: Pace) -> tuple[Table, int]:
        """Gives a free seat to a bot; the seat's index."""
        now_ms, seat = self.keeper.tables.now_ms(), -1

        def add(before: Table) -> Table:
            nonlocal seat
            seating.require_host(before, player)
            after, seat = seating.add_bot(before, strength, pace, now_ms)
            return after

        return await self.keeper.change(table, add), seat

    async def remove_bot(self, table: TableId, player: PlayerId, seat: int) -> Table:
        """Frees a bot's seat."""

        def remove(before: Table) -> Table:
            seating.require_host(before, player)
            return seating.remove_bot(before, seat)

        return await self.keeper.change(table, remove)

    async def remove_player(self, table: TableId, player: PlayerId, seat: int) -> Table:
        """Has the host send another player away."""
        now_ms = self.keeper.tables.now_ms()
        return await self.keeper.change(table, lambda t: seating.remove_player(t, player, seat, now_ms))

    async def rematch(self, table: TableId, player: PlayerId) -> Table:
        """Asks for another match."""
        return await self.keeper.change(table, lambda t: match.ask_rematch(t, player))

    async def dispute(self, table: TableId, player: PlayerId, withdraw: bool) -> Table:
        """Asks to have the last hand dealt again, or takes that back."""
        return await self.keeper.change(table, lambda t: dispute.ask(t, player, withdraw))

    async def close(self, table: TableId, player: PlayerId) -> None:
        """Ends the table."""
        now_ms = self.keeper.tables.now_ms()
        await self.keeper.change(table, lambda t: seating.end(t, player, now_ms))

    async def set_presence(self, table: TableId, player: PlayerId, present: bool, socket: str) -> None:
        """Notes that the player's socket came or went; ``socket`` may be empty (see ``seating``)."""
        now_ms = self.keeper.tables.now_ms()
        await self.keeper.change(table, lambda t: seating.set_presence(t, player, present, now_ms, socket))

    async def _open_to_watch(self, player: PlayerId, table: Table) -> Table:
        """Opens a table where its host does not sit, unless the player has too many of them."""
        if not await self.hosted.take(player, table.id, table.created_ms):
            await self.hosted.release(
                player, [held for held in await self.hosted.of(player) if not await self._open(held)]
            )
            if not await self.hosted.take(player, table.id, table.created_ms):
                raise FailedPrecondition("TOO_MANY_HOSTED", f"at most {self.hosted.most} tables to watch at a time")
        try:
            return await self.keeper.open(table)
        except Fault as fault:
            # If Redis is away the table may be there; its place is looked after when the next one is taken.
            if not isinstance(fault, Unavailable):
                await self.hosted.release(player, [table.id])
            raise

    async def _open(self, table: TableId) -> bool:
        found = await self.keeper.tables.load(table)
        return found is not None and found.state is not State.CLOSED

    def _new_table(self, table: TableId, host: PlayerId, wish: Wish) -> Table:
        seats = seating.seat_count(wish.seats)
        if wish.bots + wish.host_plays > seats:
            raise InvalidArgument("BAD_SEATS", "more bots than seats")
        if wish.countdown_ms > LONGEST_COUNTDOWN_MS:
            raise InvalidArgument("BAD_COUNTDOWN", f"a countdown is at most {LONGEST_COUNTDOWN_MS} ms")
        try:
            options = Options.from_json(wish.options_json)
            options.check_seats(seats)
        except OptionError as error:
            raise InvalidArgument("BAD_OPTION", str(error), {"option": error.option}) from None
        now_ms = self.keeper.tables.now_ms()
        bot = Seat(bot=True, strength=wish.strength, pace=wish.pace)
        first_bot = seats - wish.bots
        return Table(
            id=table,
            seats=tuple(bot if index >= first_bot else Seat() for index in range(seats)),
            host=host,
            created_ms=now_ms,
            since_ms=now_ms,
            waiting_ms=now_ms,
            keep_at_ms=now_ms + self.keeper.timing.keep_ms,
            match=new_id(),
            public=wish.public,
            watched=not wish.host_plays,
            invite="" if wish.public else secrets.token_urlsafe(12),
            options=options.to_json(),
            countdown_ms=wish.countdown_ms or self.countdown_ms,
        )

    async def _sit_quick(self, table: TableId, player: PlayerId, name: str, seats: int) -> Table:
        """Sits down at the table, which whoever comes first opens."""
        if await self.keeper.tables.load(table) is None:
            await self.pause.require_none()
            new = replace(self._new_table(table, player, Wish(seats, public=True)), quick=True, hurried=True)
            stored = await self.keeper.create(seating.join(new, player, name, "", new.created_ms))
            if stored is not None:
                return stored
        now_ms = self.keeper.tables.now_ms()
        return await self.keeper.change(table, lambda t: seating.join(t, player, name, "", now_ms))


@contextmanager
def _counted() -> Iterator[None]:
    try:
        yield
    except Fault as fault:
        metrics.JOINS.labels(metrics.join_outcome(fault.reason)).inc()
        raise
    metrics.JOINS.labels("seated").inc()
