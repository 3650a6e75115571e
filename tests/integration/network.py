"""A network that can fall silent: connections stay open, and nothing arrives any more, in either direction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

LOOPBACK: Final = "127.0.0.1"


class Network:
    """Carries connections to ``to_port``; a client of the server there connects to ``port`` instead."""

    def __init__(self, to_port: int) -> None:
        self.port = 0
        self.carries_there = self.carries_back = True
        """Whether what the client sends arrives, and what the server sends; if not it vanishes, a close too."""
        self._to_port = to_port
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def falls_silent(self) -> None:
        """Nothing arrives any more."""
        self.carries_there = self.carries_back = False

    def is_back(self) -> None:
        """What is sent from now on arrives."""
        self.carries_there = self.carries_back = True

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, LOOPBACK, 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._connect(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward, back = await asyncio.open_connection(LOOPBACK, self._to_port)
        try:
            await asyncio.gather(
                self._carry(reader, back, lambda: self.carries_there),
                self._carry(onward, writer, lambda: self.carries_back),
            )
        finally:
            back.close()
            writer.close()

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, arrives: Callable[[], bool]
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(1 << 16):
                if arrives():
                    writer.write(data)
                    await writer.drain()
        if arrives():
            writer.close()
