"""Telling everyone that a seat's socket came or went, again if they can't hear it at first.

That it went is told only if the player is not back soon, at whichever edge: the seat's epoch says so. So a page that is
loaded anew, a network that stumbles and an edge that sends all its sockets away are no news to a table. Before the
first hand is prepared no engine has epochs: there the lobby knows the newest socket, by its name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from itertools import repeat
from typing import Final, TypeVar

from services.gateway.attendance import Sitting
from services.gateway.backend import Engines, Lobby
from services.gateway.redis_feed import RedisSeats
from services.runtime.errors import DeadlineExceeded, Fault, NotFound, Unavailable
from services.runtime.keys import SHARDS, shard

AGAIN_SECONDS: Final = (0.0, 0.2, 1.0, *repeat(4.0, 900))
"""Waits before the first try and each one after: nobody else tells it, so an hour's outage is waited for."""

T = TypeVar("T")
Turns = AbstractAsyncContextManager[None]
_NO_TURNS: Final[Turns] = nullcontext()


class Presence:
    """One socket's presence at a table."""

    def __init__(
        self,
        lobby: Lobby,
        engines: Engines,
        seats: RedisSeats,
        table: str,
        player: str | None,
        socket: str,
        back_seconds: float,
        turns: Turns = _NO_TURNS,
    ) -> None:
        """``socket``: its name; ``back_seconds``: who comes back within so long was not away.

        ``turns``: each call takes one, and none while it waits to be said again.
        """
        self._lobby = lobby
        self._engines = engines
        self._seats = seats
        self._table = table
        self._player = player
        self._socket = socket
        self._back_seconds = back_seconds
        self._turns = turns
        self.named = False
        """No engine knows this socket: the lobby is to know it by its name."""
        self._saying_here = False
        self._unsaid = False
        self._lost = False
        self._order = asyncio.Lock()

    async def here(self) -> None:
        """The player is here. Nothing is said twice at the same time.

        What is asked for meanwhile is said after it: the lobby may have heard the contrary in between.
        """
        self._unsaid = True
        if self._saying_here:
            return
        self._saying_here = True
        try:
            while self._unsaid and not self._lost:
                self._unsaid = False
                await self._tell_lobby(True)
        finally:
            self._saying_here = False

    def lost(self) -> None:
        """The socket is gone: that it is here is not said any more, since it may come after another's farewell."""
        self._lost = True

    async def taken(self, seat: int, epoch: int) -> None:
        """The seat's epoch is this socket's: older sockets are to be closed, wherever they are."""
        await self._patiently(lambda: self._seats.taken(self._table, seat, epoch), lambda: not self._lost)

    async def gone(self, seat: int, epoch: int) -> None:
        """The socket of this seat is gone. ``epoch`` 0: it has none, or that is not known."""
        await asyncio.sleep(self._back_seconds)
        if await self._patiently(lambda: self._detach(seat, epoch)) is not False:
            await self._tell_lobby(False)

    async def _tell_lobby(self, present: bool) -> None:
        player = self._player
        if player is not None:
            async with self._order:
                await self._patiently(
                    lambda: self._lobby.present(self._table, player, present, self._socket if self.named else ""),
                    lambda: not (present and self._lost),
                )

    async def _detach(self, seat: int, epoch: int) -> bool:
        """Tells the engine. False: the seat has a newer socket."""
        try:
            left = await self._engines.detach(self._table, seat, epoch, self._socket)
        except NotFound:
            self.named = epoch == 0
            return True
        self.named = False
        return left

    async def _patiently(self, say: Callable[[], Awaitable[T]], matters: Callable[[], bool] = lambda: True) -> T | None:
        """Says something for as long as it ``matters``, and gives the answer.

        None: it does not matter any more, is refused and need not be said again, or could not be said in all that time.
        """
        for delay in AGAIN_SECONDS:
            await asyncio.sleep(delay)
            if not matters():
                break
            try:
                async with self._turns:
                    return await say()
            except (Unavailable, DeadlineExceeded):
                continue
            except Fault:
                break
        return None


class Farewells:
    """Says of sockets of another edge, which can't say so itself, that they are gone; it is too late to wait for them.

    Calls that concern one shard take turns: one that hangs holds up no other shard.
    """

    def __init__(self, lobby: Lobby, engines: Engines, seats: RedisSeats) -> None:
        self._lobby = lobby
        self._engines = engines
        self._seats = seats
        self._turns = [asyncio.Semaphore(1) for _ in range(SHARDS)]

    async def say(self, sitting: Sitting) -> None:
        """Returns when it is said."""
        presence = Presence(
            self._lobby,
            self._engines,
            self._seats,
            sitting.table,
            sitting.player,
            sitting.socket,
            back_seconds=0.0,
            turns=self._turns[shard(sitting.table)],
        )
        await presence.gone(sitting.seat, 0)
