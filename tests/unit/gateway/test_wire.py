"""The wire takes the same messages out of the same bytes, however they come in."""

from __future__ import annotations

import asyncio
import itertools
import struct
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.websockets import WebSocket
from uvicorn import Config
from uvicorn.server import ServerState

from services.gateway.wire import Wire

MOST = 4096
TEXT, BINARY, PING, CONTINUED = 1, 2, 9, 0
REQUEST = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class PaperTransport:
    """A connection on paper."""

    def __init__(self) -> None:
        self.written = b""
        self.closing = False

    def get_extra_info(self, name: str) -> Any:
        return self if name == "socket" else None

    def getsockname(self) -> tuple[str, int]:
        return "127.0.0.1", 1

    getpeername = getsockname

    def setsockopt(self, *option: int) -> None:
        pass

    def write(self, data: bytes) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    abort = close

    def get_write_buffer_size(self) -> int:
        return 0


class Ears:
    """Notes what is heard."""

    def __init__(self) -> None:
        self.heard: list[bytes | None] = []
        self.is_lost = False

    def text(self, data: bytes) -> None:
        self.heard.append(data)

    def binary(self) -> None:
        self.heard.append(None)

    def overflowed(self) -> None:
        raise AssertionError("nothing was written")

    def going_away(self) -> None:
        raise AssertionError("nothing stops here")

    def lost(self) -> None:
        self.is_lost = True


def frame(code: int, payload: bytes, *, final: bool = True, mask: bytes | None = b"\x01\x80\x7f\xff") -> bytes:
    """A frame as a client writes it (RFC 6455, 5.2)."""
    length = len(payload)
    size = length if length < 126 else 126 if length < 65536 else 127
    head = bytes((code | (0x80 if final else 0), size | (0x80 if mask else 0)))
    if size == 126:
        head += struct.pack("!H", length)
    elif size == 127:
        head += struct.pack("!Q", length)
    if mask is None:
        return head + payload
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


async def hear(chunks: list[bytes], request: bytes = REQUEST) -> tuple[Ears, PaperTransport]:
    """What is heard of these reads behind a handshake, and what is answered."""
    ears, taken = Ears(), asyncio.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        socket = WebSocket(scope, receive, send)
        await socket.accept()
        wire = Wire.of(socket)
        wire.take(ears, 65536)
        taken.set()
        await wire.gone

    config = Config(app, ws_max_size=MOST, ws_per_message_deflate=False, ws_ping_interval=None, log_config=None)
    config.load()
    wire = Wire(config=config, server_state=ServerState(), app_state={})
    transport = PaperTransport()
    wire.connection_made(cast("asyncio.Transport", transport))
    wire.data_received(request)
    await taken.wait()
    transport.written = b""
    for chunk in chunks:
        wire.data_received(chunk)
    wire.connection_lost(None)
    await asyncio.sleep(0)
    return ears, transport


def sliced(data: bytes, cuts: list[int]) -> list[bytes]:
    """The same bytes in several reads."""
    at = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[a:b] for a, b in itertools.pairwise(at)]


PAYLOADS = st.sampled_from([b"", b"a", b'{"t":"pong","id":1}', b"\r\n\r\n", b"x" * 125, b"y" * 126, b"z" * MOST])
MESSAGES = st.lists(
    st.one_of(
        st.tuples(st.just(TEXT), st.lists(PAYLOADS.filter(lambda p: len(p) < MOST), min_size=1, max_size=3)),
        st.tuples(st.just(BINARY), PAYLOADS.map(lambda payload: [payload])),
        st.tuples(st.just(PING), st.just([b"p"])),
    ),
    max_size=8,
)


@given(MESSAGES, st.lists(st.integers(0, 100_000), max_size=12))
def test_messages_come_out_as_they_were_sent_wherever_a_read_ends(
    messages: list[tuple[int, list[bytes]]], cuts: list[int]
) -> None:
    data, said = b"", []
    for code, parts in messages:
        for i, part in enumerate(parts):
            data += frame(CONTINUED if i else code, part, final=i == len(parts) - 1)
        if code != PING:
            said.append(b"".join(parts) if code == TEXT else None)
    ears, transport = asyncio.run(hear(sliced(data, cuts)))
    assert ears.heard == said
    assert transport.written == b"\x8a\x01p" * sum(code == PING for code, _ in messages)


async def test_frames_right_behind_the_request_are_heard_too() -> None:
    first = frame(TEXT, b"one")
    ears, _ = await hear([first[5:] + frame(TEXT, b"two"), frame(TEXT, b"three")], REQUEST + first[:5])
    assert ears.heard == [b"one", b"two", b"three"]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (frame(TEXT, b"x" * (MOST + 1)), 1009),
        (frame(TEXT, b"x" * 70_000), 1009),
        (frame(TEXT, b"not masked", mask=None), 1002),
        (bytes((0xC1, 0x80)) + b"mask", 1002),
        (frame(TEXT, b"first", final=False) + frame(TEXT, b"second"), 1002),
        (frame(CONTINUED, b"of nothing"), 1002),
    ],
    ids=["a byte too large", "far too large", "not masked", "compressed", "interrupted", "continued"],
)
@pytest.mark.parametrize("every", [1, 7, 100_000])
async def test_what_breaks_the_protocol_ends_the_connection(wrong: bytes, code: int, every: int) -> None:
    data = frame(TEXT, b"before") + wrong + frame(TEXT, b"after")
    ears, transport = await hear([data[i : i + every] for i in range(0, len(data), every)])
    assert ears.heard == [b"before"]
    assert ears.is_lost
    assert struct.pack("!H", code) in transport.written
