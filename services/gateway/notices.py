"""What operators tell all players, and what they are shown of sockets. Knows no Redis: only the port below.

Looked at once a second, so a notice reaches every page within about that time, whichever edge it is at.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, Protocol

from services.gateway.frames import Notice, encode
from services.gateway.sockets import Sight, Sockets
from services.runtime.errors import Fault
from services.runtime.log import logger

LOOK_SECONDS: Final = 1.0
NOTHING: Final = Notice("", {}, 0)

_log = logger(__name__)


class Listener(Protocol):
    """A socket at a table."""

    def notice(self, frame: bytes) -> None:
        """All players are told something."""


class Console(Protocol):
    """The operators' side. Raises ``Unavailable`` while it can't be reached."""

    async def look(self) -> tuple[Notice, Sequence[str]]:
        """What is to be told now, and the tables whose sockets are asked for."""

    async def show(self, sights: Sequence[Sight]) -> None:
        """Shows the sockets at those tables."""


class Notices:
    """The sockets of this process that hear of notices. :meth:`run` does the looking."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._listeners: set[Listener] = set()
        self.now = NOTHING
        """What all players are told at present."""

    def arrive(self, listener: Listener) -> None:
        """A socket was welcomed."""
        self._listeners.add(listener)
        if self.now.id:
            listener.notice(encode(self.now))

    def leave(self, listener: Listener) -> None:
        """It is gone."""
        self._listeners.discard(listener)

    async def run(self, sockets: Sockets) -> None:
        """Looks, tells and shows. Never returns."""
        while True:
            await self.look(sockets)
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self, sockets: Sockets) -> None:
        """Does so once."""
        try:
            notice, tables = await self._console.look()
            if tables:
                await self._console.show(sockets.at(set(tables)))
        except Fault as fault:
            _log.debug("notices not looked at", fault=str(fault))
            return
        if notice.id != self.now.id:
            self.now = notice
            frame = encode(notice)
            for listener in tuple(self._listeners):
                listener.notice(frame)
