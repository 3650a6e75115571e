"""A network that can fall silent: connections stay open, and nothing arrives any more, in either direction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from tests.doorway import LOOPBACK, Doorway


class Network(Doorway):
    """Carries connections to ``to_port``; a client of the server there connects to ``port`` instead."""

    def __init__(self, to_port: int) -> None:
        super().__init__()
        self.carries_there = self.carries_back = True
        """Whether what the client sends arrives, and what the server sends; if not it vanishes, a close too."""
        self._to_port = to_port

    def falls_silent(self) -> None:
        """Nothing arrives any more."""
        self.carries_there = self.carries_back = False

    def is_back(self) -> None:
        """What is sent from now on arrives."""
        self.carries_there = self.carries_back = True

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward, back = await asyncio.open_connection(LOOPBACK, self._to_port)
        try:
            await asyncio.gather(
                self._copy(reader, back, lambda: self.carries_there),
                self._copy(onward, writer, lambda: self.carries_back),
            )
        finally:
            back.close()
            writer.close()

    async def _copy(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, arrives: Callable[[], bool]
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(1 << 16):
                if arrives():
                    writer.write(data)
                    await writer.drain()
        if arrives():
            writer.close()
