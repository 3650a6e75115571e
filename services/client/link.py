"""Keeps a table's connection up: connects, notices silence, and tries again with jittered pauses.

Knows which close codes are final (``errors``), and nothing of what the frames mean.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Sequence
from typing import Final, Protocol

from services.client import frames
from services.client.addresses import Addresses
from services.client.errors import ConnectionProblem, session_end
from services.client.socket import Socket, connect

_PROBE_S: Final = 3.0
"""After so much silence it pings."""
_SILENCE_S: Final = 8.0
"""After so much, the connection is taken for dead."""
_CONNECT_S: Final = 5.0
_GOODBYE_S: Final = 1.0
"""How long the other side may take to answer a goodbye."""
_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 5.0
_TRY_AGAIN_LATER: Final = 1013
_CROWDED: Final = 4
"""Who is told to try again later waits as after so many failures at least."""

_log = logging.getLogger(__name__)


class Listener(Protocol):
    """Who the connection is for."""

    def opened(self) -> None:
        """A new connection is open."""

    def received(self, frame: bytes) -> None:
        """A frame has come on it."""

    def lost(self) -> bool:
        """It is gone. Answers whether it had been of use: then the next try comes at once."""


class Link:
    """Connections to one address, one after another; of several addresses, each to the next one."""

    def __init__(self, url: str | Sequence[str], token: str | None, listener: Listener, *, patience_s: float) -> None:
        self._addresses = Addresses(url)
        self._subprotocols = [frames.VERSION] + ([f"token.{token}"] if token else [])
        self._listener = listener
        self._patience_s = patience_s
        self._socket: Socket | None = None
        self._probes = 0
        self.close_code: int | None = None
        """Of the last connection, once it was closed."""

    def send(self, frame: bytes) -> None:
        """Writes a frame, if there is a connection."""
        if self._socket is not None:
            self._socket.send(frame)

    def drop(self) -> None:
        """Gives the present connection up; another one follows."""
        if self._socket is not None:
            self._socket.abort()

    async def close(self) -> None:
        """Says goodbye, and waits a moment for the answer. To be called when :meth:`keep_up` was cancelled."""
        if self._socket is not None:
            await self._socket.close(_GOODBYE_S)

    async def keep_up(self) -> None:
        """Never returns. Raises the :class:`SessionEnded` of a final close, or :class:`ConnectionProblem`.

        The latter when the other side has been out of reach for longer than the patience.
        """
        loop = asyncio.get_running_loop()
        failures, reached_at = 0, loop.time()
        while True:
            try:
                self._socket = await connect(
                    self._addresses.present, self._subprotocols, self._listener.received, timeout_s=_CONNECT_S
                )
            except ConnectionProblem as problem:
                if loop.time() - reached_at > self._patience_s:
                    raise
                _log.debug("%s", problem)
            else:
                code, why = await self._stay(self._socket)
                self.close_code = code
                reached_at = loop.time()
                failures = failures_after(code, failures, useful=self._listener.lost())
                end = session_end(code, why)
                if end is not None:
                    raise end
            self._addresses.turn()
            await asyncio.sleep(_pause_s(failures))
            failures += 1

    async def _stay(self, socket: Socket) -> tuple[int, str]:
        """Stays until the connection is closed, or so silent that it must be dead; the close code and reason."""
        loop = asyncio.get_running_loop()
        self._listener.opened()
        silence = 0.0
        while not socket.closed.done():
            await asyncio.wait([socket.closed], timeout=min(_PROBE_S, max(0.0, _SILENCE_S - silence)))
            silence = loop.time() - socket.last_received
            if silence >= _SILENCE_S:
                socket.abort()
            elif silence >= _PROBE_S:
                self._probes += 1
                socket.send(frames.ping(self._probes))
        return socket.closed.result()


def failures_after(code: int, failures: int, *, useful: bool) -> int:
    """As how many failures in a row the end of a connection with this close code counts, after so many."""
    if code == _TRY_AGAIN_LATER:
        return max(failures, _CROWDED)
    return 0 if useful else failures


def _pause_s(failures: int) -> float:
    """How long to wait before another try: full jitter, so that many clients of a lost edge don't return at once."""
    return random.uniform(0, min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2 ** min(failures, 10)))
