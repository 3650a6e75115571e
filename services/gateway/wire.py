"""The connection under a table socket: uvicorn's WebSocket protocol with a short path for frames.

The route that FastAPI runs only says who is there; then :meth:`Wire.take` gives the frames to a receiver, in the event
loop's own callback, and lets it write many frames in one go: no task, no queue and no ASGI message per frame. Knows
nothing of what the frames mean.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any, Final, Protocol, cast

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import Frame, apply_mask  # type: ignore[attr-defined]  # compiled, where that can be had
from websockets.http11 import Request

from services.gateway import metrics
from services.gateway.framing import LONGEST_HEAD, frame_size, text_frame

CLOSE_SECONDS: Final = 2.0
"""How long the other side may take to answer a close before the connection is cut."""
SEND_BUFFER_BYTES: Final = 64 * 1024
"""What the kernel may hold for one socket (it takes twice as much), so that a slow reader is noticed here."""
_MOST_FRAGMENTS: Final = 64
_REQUEST_END: Final = b"\r\n\r\n"
_WHOLE_TEXT: Final = 0x81
_MASKED: Final = 0x80


class Receiver(Protocol):
    """Who gets the frames."""

    def text(self, data: bytes) -> None:
        """A text frame."""

    def binary(self) -> None:
        """A binary frame."""

    def overflowed(self) -> None:
        """More waits to be written than the limit allows."""

    def going_away(self) -> None:
        """The server stops."""

    def lost(self) -> None:
        """The connection is gone. Once, and nothing after it."""


class Wire(WebSocketsSansIOProtocol):
    """One connection. Before :meth:`take` it behaves as uvicorn's."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.gone: asyncio.Future[None] = self.loop.create_future()
        """Done when the connection is gone."""
        self._receiver: Receiver | None = None
        self._most_backlog = 0
        self._out: list[bytes] = []
        self._out_frames = 0
        self._closing = False
        self._by_frame = False
        self._rest = b""
        self._most_frame = self.config.ws_max_size + LONGEST_HEAD

    @classmethod
    def of(cls, websocket: WebSocket) -> Wire:
        """The connection of a route's socket. Asked once: the scope, which the connection holds, lets go of it."""
        return cast("Wire", websocket.scope["state"].pop("wire"))

    def take(self, receiver: Receiver, most_backlog: int) -> None:
        """Gives the frames to ``receiver`` from now on. ``most_backlog``: bytes that may wait to be written."""
        self._receiver = receiver
        self._most_backlog = most_backlog
        sock = self.transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        while not self.queue.empty():
            message = self.queue.get_nowait()
            if message["type"] == "websocket.receive":
                text = message.get("text")
                receiver.binary() if text is None else receiver.text(text.encode())
        self.read(True)
        if self.disconnected:
            self._lose()

    def write(self, payload: bytes) -> None:
        """Writes one text frame, together with all others of this turn of the loop."""
        self.write_framed(text_frame(payload), 1)

    def write_framed(self, frames: bytes, count: int) -> None:
        """Writes so many text frames, ready as they are, in the same way."""
        if self._closing:
            return
        if not self._out:
            self.loop.call_soon(self._flush)
        self._out.append(frames)
        self._out_frames += count

    def end(self, code: int, reason: str) -> None:
        """Writes what waits and a close frame; the connection goes when that is answered, or is cut soon."""
        if self._closing or self.disconnected:
            return
        self._flush()
        self._closing = self.close_sent = True
        try:
            self.conn.send_close(code, reason)
        except InvalidState:
            self.transport.abort()
            return
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.read(True)
        self.close_timer = self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    def read(self, on: bool) -> None:
        """Goes on, or stops, reading."""
        if on is not self.read_paused or self.transport.is_closing():
            return
        self.read_paused = not on
        (self.transport.resume_reading if on else self.transport.pause_reading)()

    # What asyncio and uvicorn call.

    def data_received(self, data: bytes) -> None:
        """Takes short text frames by itself and gives the library all others, each whole.

        Nearly all that clients say is short; the library's parser takes about three times as long for it.
        """
        if not self._by_frame:
            super().data_received(data)
            # Nothing is behind the request, so the library's parser is where a frame begins.
            self._by_frame = self.handshake_initiated and data.find(_REQUEST_END) == len(data) - len(_REQUEST_END)
            return
        if self._rest:
            data = self._rest + data
        at, end = 0, len(data)
        while True:
            size = frame_size(data, at)
            if size > self._most_frame:
                self._by_frame = False  # The library refuses it from its head.
                super().data_received(data[at:])
                return
            if not size or at + size > end:
                break
            receiver = self._receiver
            if (
                data[at] == _WHOLE_TEXT
                and _MASKED <= data[at + 1] < _MASKED + 126
                and receiver is not None
                and not self.frames
                and not self._closing
            ):
                receiver.text(apply_mask(data[at + 6 : at + size], data[at + 2 : at + 6]))
            else:
                super().data_received(data[at : at + size])
            at += size
        self._rest = data[at:]

    def handle_connect(self, event: Request) -> None:
        """Starts the route, which finds this connection in its state."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            cast("dict[str, Any]", self.scope)["state"]["wire"] = self

    def handle_cont(self, event: Frame) -> None:
        """Takes a fragment; a message of too many is refused."""
        if len(self.frames) >= _MOST_FRAGMENTS:
            self.end(1008, "too many fragments")
            return
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answers a ping; answers that nobody reads count as backlog."""
        super().handle_ping()
        self._check_backlog()

    def send_receive_event_to_app(self) -> None:
        """Passes a whole message on."""
        receiver = self._receiver
        if receiver is None:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        if self._closing:
            return
        if self.curr_msg_data_type == "text":
            receiver.text(bytes(data))
        else:
            receiver.binary()

    def handle_close(self, event: Frame) -> None:
        """The other side closes."""
        self._flush()
        self._closing = True
        super().handle_close(event)
        self._lose()

    def handle_parser_exception(self) -> None:
        """The other side breaks the protocol, or its frame is too large."""
        if self.conn.close_sent is not None and self.conn.close_sent.code in metrics.CLOSE_CODES:
            metrics.CLOSED.labels(str(self.conn.close_sent.code)).inc()
        self._closing = True
        super().handle_parser_exception()
        self._lose()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        super().connection_lost(exc)
        self._closing = True
        self._lose()
        if not self.gone.done():
            self.gone.set_result(None)

    def shutdown(self) -> None:
        """The server stops."""
        if self._receiver is not None and not self._closing:
            self._receiver.going_away()
        super().shutdown()

    # Within.

    def _flush(self) -> None:
        out, self._out = self._out, []
        count, self._out_frames = self._out_frames, 0
        if out and not self.transport.is_closing():
            metrics.FRAMES_OUT.inc(count)
            self.transport.write(b"".join(out))
            self._check_backlog()

    def _check_backlog(self) -> None:
        if self._receiver is None or self._closing:
            return
        if self.transport.get_write_buffer_size() > self._most_backlog:
            self._receiver.overflowed()

    def _lose(self) -> None:
        receiver, self._receiver = self._receiver, None
        if receiver is not None:
            receiver.lost()
