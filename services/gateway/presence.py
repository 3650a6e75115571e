"""Telling everyone that a seat's socket came or went, again if they can't hear it at first.

That it went is told only if the player is not back soon, at whichever edge: the seat's epoch says so. So a page that is
loaded anew, a network that stumbles and an edge that sends all its sockets away are no news to a table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from services.gateway.backend import Engines, Lobby
from services.gateway.redis_feed import RedisSeats
from services.runtime.errors import Fault, Unavailable

AGAIN_SECONDS: Final = (0.0, 0.2, 1.0, 4.0)
"""Waits before the first try and each one after."""


class Presence:
    """One socket's presence at a table."""

    def __init__(
        self,
        lobby: Lobby,
        engines: Engines,
        seats: RedisSeats,
        table: str,
        player: str | None,
        back_seconds: float,
    ) -> None:
        """``back_seconds``: who comes back within so long was not away."""
        self._lobby = lobby
        self._engines = engines
        self._seats = seats
        self._table = table
        self._player = player
        self._back_seconds = back_seconds
        self._saying_here = False
        self._order = asyncio.Lock()

    async def here(self) -> None:
        """The player is here; nothing is said twice at the same time."""
        if self._saying_here:
            return
        self._saying_here = True
        try:
            await self._tell_lobby(True)
        finally:
            self._saying_here = False

    async def taken(self, seat: int, epoch: int) -> None:
        """The seat's epoch is this socket's: older sockets are to be closed, wherever they are."""
        await _patiently(lambda: self._seats.taken(self._table, seat, epoch))

    async def gone(self, attached: tuple[int, int] | None) -> None:
        """The socket of this seat and epoch is gone; None: of a table that has had no hand yet."""
        if attached is not None:
            await asyncio.sleep(self._back_seconds)
            if not await self._left(*attached):
                return
        await self._tell_lobby(False)

    async def _tell_lobby(self, present: bool) -> None:
        player = self._player
        if player is not None:
            async with self._order:
                await _patiently(lambda: self._lobby.present(self._table, player, present))

    async def _left(self, seat: int, epoch: int) -> bool:
        """Tells the engine. False: the seat has a newer socket. What can't be told counts as left."""
        left = True

        async def detach() -> None:
            nonlocal left
            left = await self._engines.detach(self._table, seat, epoch)

        await _patiently(detach)
        return left


async def _patiently(say: Callable[[], Awaitable[None]]) -> None:
    """Says something that matters; what is refused need not be said again."""
    for delay in AGAIN_SECONDS:
        await asyncio.sleep(delay)
        try:
            await say()
        except Fault as fault:
            if not isinstance(fault, Unavailable):
                return
        else:
            return
