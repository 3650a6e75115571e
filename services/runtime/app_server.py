"""uvicorn as one part of a service among others: the scope, not uvicorn, hears the signals and decides the end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

import uvicorn

from services.runtime.scope import Scope

KEEP_ALIVE_SECONDS: Final = 75
"""How long a connection may be idle. Balancers and clients keep theirs for 60 s or less: who closes first must not be
the server, or what they send at that moment is lost."""


class AppServer(uvicorn.Server):
    """A uvicorn server run by :func:`services.runtime.serve.run_app`. Override :meth:`drain` to say goodbye first.

    Its ``Config`` should set ``timeout_graceful_shutdown``, well below the settings' ``stop_seconds``.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        config.timeout_keep_alive = KEEP_ALIVE_SECONDS
        super().__init__(config)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves signals alone: the runtime handles them."""
        yield

    async def drain(self) -> None:
        """Called at the beginning of a stop, before uvicorn closes any connection."""

    @asynccontextmanager
    async def serving(self, host: str, port: int, scope: Scope) -> AsyncIterator[int]:
        """Serves while inside and gives the port; if serving ends by itself, the service stops as failed."""
        listener = socket.create_server((host, port), backlog=2048)
        task = scope.spawn(lambda: self._serve_on(listener), "http")
        try:
            # uvicorn tells of its start by a flag only.
            while not self.started and not task.done():  # noqa: ASYNC110
                await asyncio.sleep(0.005)
            if not self.started:
                raise RuntimeError("the HTTP server did not start")
            yield listener.getsockname()[1]
        finally:
            if self.started and not task.done():
                await self.drain()
                self.should_exit = True
                await asyncio.wait([task])
            listener.close()

    async def _serve_on(self, listener: socket.socket) -> None:
        try:
            await self.serve(sockets=[listener])
        except SystemExit as error:
            # uvicorn ends the whole process, from inside a task, when an application's start-up fails.
            raise RuntimeError("the application did not start") from error
        if not self.should_exit:
            raise RuntimeError("the HTTP server ended by itself")
