"""A watcher that stops reading: what a browser does that hangs. The edge should cut it off.

Whoever reads nothing does not see that either, so each looks up at the end of the run, and finds its connection closed.
"""

from __future__ import annotations

import asyncio
from typing import Final

from services.client import frames
from services.client.errors import ClientError
from services.client.socket import Socket, connect
from services.loadtest.measures import Measures

_CONNECT_S: Final = 10.0
_LOOK_S: Final = 3.0


class SlowReader:
    """One socket: attached as a watcher, then read no more."""

    def __init__(self, url: str, measures: Measures) -> None:
        self._url = url
        self._measures = measures
        self._socket: Socket | None = None

    async def attach(self) -> None:
        """Connects; from the welcome on nothing is read. Raises :class:`ClientError`."""
        self._socket = await connect(self._url, [frames.VERSION], self._received, timeout_s=_CONNECT_S)
        self._socket.send(frames.attach(seat=False, after=None, n=0))

    async def look_up(self) -> None:
        """Reads again, and counts whether it was cut off meanwhile."""
        if self._socket is None:
            return
        self._socket.read(True)
        await asyncio.wait([self._socket.closed], timeout=_LOOK_S)
        self._measures.count("slow.cut_off" if self._socket.closed.done() else "slow.not_cut_off")
        self._socket.abort()

    def _received(self, frame: bytes) -> None:
        if self._socket is not None and frame.startswith(b'{"t":"welcome"'):
            self._socket.read(False)


async def attached(readers: list[SlowReader]) -> list[str]:
    """Attaches all of them; what kept some out."""
    results = await asyncio.gather(*(reader.attach() for reader in readers), return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, ClientError):
            raise result
    return [str(result) for result in results if isinstance(result, ClientError)]
