"""Every open table socket of this process, so that all can be told when it stops."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection
from typing import NamedTuple, Protocol


class Sight(NamedTuple):
    """What operators see of a socket; ``seat`` None: it watches; ``rtt_ms`` None: not known yet."""

    table: str
    seat: int | None
    player: str
    rtt_ms: int | None


class Closable(Protocol):
    """An open socket."""

    @property
    def sight(self) -> Sight:
        """What operators see of it."""

    def going_away(self) -> None:
        """The server stops."""


class Sockets:
    """The open sockets."""

    def __init__(self) -> None:
        self._open: set[Closable] = set()
        self._empty = asyncio.Event()
        self._empty.set()

    def __len__(self) -> int:
        return len(self._open)

    def add(self, socket: Closable) -> None:
        """A socket was opened."""
        self._open.add(socket)
        self._empty.clear()

    def remove(self, socket: Closable) -> None:
        """It is gone."""
        self._open.discard(socket)
        if not self._open:
            self._empty.set()

    def at(self, tables: Collection[str]) -> list[Sight]:
        """The sockets at these tables."""
        return [sight for sight in (socket.sight for socket in self._open) if sight.table in tables]

    async def send_away(
        self, per_second: float, within: float, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    ) -> None:
        """Has the clients of all come back elsewhere, one after another in any order.

        So many a second, or as many as it takes to be done ``within`` so many seconds; ``per_second`` 0: all at once.
        Evenly, so that where they go has no storm; who comes by itself meanwhile is not waited for. Returns when the
        last one was told, at once if there is none.
        """
        leaving = list(self._open)
        random.shuffle(leaving)
        loop, number = asyncio.get_running_loop(), len(leaving)
        seconds = min(number / per_second, within) if per_second else 0.0
        began = loop.time()
        for i, socket in enumerate(leaving):
            ahead = began + seconds * i / number - loop.time()
            if ahead > 0:
                await sleep(ahead)
            if socket in self._open:
                socket.going_away()

    async def drain(self, seconds: float) -> None:
        """Closes all and waits until they are gone, for so long at most."""
        for socket in tuple(self._open):
            socket.going_away()
        try:
            async with asyncio.timeout(seconds):
                await self._empty.wait()
        except TimeoutError:
            return
