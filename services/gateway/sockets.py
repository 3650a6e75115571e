"""Every open table socket of this process, so that all can be told when it stops."""

from __future__ import annotations

import asyncio
from typing import Protocol


class Closable(Protocol):
    """An open socket."""

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
        """It is gone, and everything that hung on it was told."""
        self._open.discard(socket)
        if not self._open:
            self._empty.set()

    async def drain(self, seconds: float) -> None:
        """Closes all and waits until they are gone, for so long at most."""
        for socket in tuple(self._open):
            socket.going_away()
        try:
            async with asyncio.timeout(seconds):
                await self._empty.wait()
        except TimeoutError:
            return
