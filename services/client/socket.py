"""A websocket as thin as it gets: the Sans-I/O protocol of ``websockets`` on an asyncio transport.

Frames come in and go out synchronously, in the event loop's own callback: no task, no queue and no wake-up per frame,
which is what lets one process hold thousands of seats. What is written is bounded by the protocol above (at most 32
commands are unanswered), so writes never wait.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from typing import Final, cast

from websockets.client import ClientProtocol
from websockets.exceptions import InvalidHandshake, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from services.client.errors import ConnectionProblem, SessionEnded, handshake_end

_LARGEST_FRAME: Final = 1 << 20
ABNORMAL: Final = 1006
"""The close code of a connection that broke (RFC 6455)."""


class Socket(asyncio.Protocol):
    """One connection. ``receive`` gets each text frame; ``closed`` resolves to the close code and reason."""

    def __init__(self, url: str, subprotocols: list[str], receive: Callable[[bytes], None]) -> None:
        loop = asyncio.get_running_loop()
        offered = [Subprotocol(name) for name in subprotocols]
        self._ws = ClientProtocol(parse_uri(url), subprotocols=offered, max_size=_LARGEST_FRAME)
        self._receive = receive
        self._parts: list[bytes] = []
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = loop.create_future()
        self.opened.add_done_callback(_retrieved)
        self.closed: asyncio.Future[tuple[int, str]] = loop.create_future()
        self.last_received = loop.time()

    def send(self, frame: bytes) -> None:
        """Writes a text frame; does nothing on a connection that is closing."""
        if self._ws.state is State.OPEN:
            self._ws.send_text(frame)
            self._write()

    async def close(self, patience_s: float) -> None:
        """Says goodbye; returns when the connection has ended, without an answer after ``patience_s``."""
        if self._transport is None or self.closed.done():
            return
        try:
            if self._ws.state is State.OPEN:
                self._ws.send_close(1000)
                self._write()
                await asyncio.wait([self.closed], timeout=patience_s)
        finally:
            if not self.closed.done():
                self.abort()
                await asyncio.wait([self.closed])

    def abort(self) -> None:
        """Drops the connection without a word."""
        if self._transport is not None:
            self._transport.abort()

    def read(self, on: bool) -> None:
        """Stops, or goes on, taking what comes: a client that hangs, and one that wakes up."""
        if self._transport is not None and on is not self._transport.is_reading():
            (self._transport.resume_reading if on else self._transport.pause_reading)()

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asks for the upgrade."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is no subclass
        self._ws.send_request(self._ws.connect())
        self._write()

    def data_received(self, data: bytes) -> None:
        """Bytes have come."""
        self.last_received = asyncio.get_running_loop().time()
        self._ws.receive_data(data)
        for event in self._ws.events_received():
            if isinstance(event, Frame):
                self._frame(event)
        if not self.opened.done() and self._ws.handshake_exc is None and self._ws.state is not State.CONNECTING:
            self.opened.set_result(None)
        self._write()

    def eof_received(self) -> None:
        """The other side writes no more."""
        self._ws.receive_eof()
        self._write()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._ws.receive_eof()
        if not self.opened.done():
            self.opened.set_exception(_handshake_error(self._ws.handshake_exc or exc))
        if not self.closed.done():
            code = self._ws.close_code
            self.closed.set_result((code or ABNORMAL, self._ws.close_reason or ""))

    def _frame(self, frame: Frame) -> None:
        if frame.opcode is Opcode.TEXT and frame.fin:
            self._receive(bytes(frame.data))
        elif frame.opcode in (Opcode.TEXT, Opcode.CONT):
            self._parts.append(bytes(frame.data))
            if frame.fin:
                whole, self._parts = b"".join(self._parts), []
                self._receive(whole)

    def _write(self) -> None:
        assert self._transport is not None
        for data in self._ws.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._transport.close()


async def connect(url: str, subprotocols: list[str], receive: Callable[[bytes], None], *, timeout_s: float) -> Socket:
    """An open connection. Raises :class:`ConnectionProblem`, or the :class:`SessionEnded` that the refusal means."""
    uri = parse_uri(url)
    loop = asyncio.get_running_loop()
    tls = ssl.create_default_context() if uri.secure else None
    socket = Socket(url, subprotocols, receive)
    try:
        async with asyncio.timeout(timeout_s):
            await loop.create_connection(lambda: socket, uri.host, uri.port, ssl=tls)
            await socket.opened
    except OSError as problem:  # includes the time-out
        socket.abort()
        raise ConnectionProblem(f"no socket to {uri.host}:{uri.port}: {problem}") from problem
    except BaseException:
        socket.abort()
        raise
    return socket


def _handshake_error(cause: BaseException | None) -> ConnectionProblem | SessionEnded:
    if isinstance(cause, InvalidStatus):
        end = handshake_end(cause.response.status_code)
        if end is not None:
            return end
    if isinstance(cause, InvalidHandshake):
        return ConnectionProblem(f"the handshake failed: {cause}")
    return ConnectionProblem(f"lost in the handshake: {cause}")


def _retrieved(future: asyncio.Future[None]) -> None:
    """Keeps asyncio from reporting an error that nobody waits for any more."""
    if not future.cancelled():
        future.exception()
