"""A client of the table socket that sends whatever bytes it likes, and reads what comes until the end."""

from __future__ import annotations

import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from websockets.client import ClientProtocol
from websockets.frames import Close, Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri
from websockets.utils import apply_mask

PATIENCE_S: Final = 20.0
_MASK: Final = b"mask"
ATTACH: Final = b'{"t":"attach","seat":false,"after":null,"n":0}'


@dataclass
class Heard:
    """What came back: the payloads of texts, and the close code if there was one."""

    texts: list[bytes]
    close_code: int | None


def frame(opcode: Opcode, payload: bytes, *, fin: bool = True, mask: bool = True, rsv1: bool = False) -> bytes:
    """The bytes of one frame, right or wrong."""
    size = len(payload)
    head = bytes([fin << 7 | rsv1 << 6 | opcode])
    if size < 126:
        head += bytes([mask << 7 | size])
    else:
        head += bytes([mask << 7 | 126]) + size.to_bytes(2)
    return head + (_MASK + apply_mask(payload, _MASK) if mask else payload)


def text(payload: bytes) -> bytes:
    """The bytes of a text frame."""
    return frame(Opcode.TEXT, payload)


def sent(port: int, table: str, data: bytes) -> Heard:
    """Opens a socket, sends the bytes, says that no more come, and hears the edge out.

    Raises TimeoutError if it does not end the connection, ConnectionError if it cuts it during the handshake.
    """
    request = (
        f"GET /api/v1/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        connection.sendall(request.encode())
        head = b""
        while b"\r\n\r\n" not in head:
            part = connection.recv(1)
            if not part:
                raise ConnectionError(f"no handshake: {head!r}")
            head += part
        assert head.startswith(b"HTTP/1.1 101 "), head
        # Whoever breaks the protocol may be cut off before it has said everything.
        with suppress(ConnectionError):
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
        answer = b""
        with suppress(ConnectionError):
            while part := connection.recv(65536):
                answer += part
    return _heard(answer)


def _heard(data: bytes) -> Heard:
    client = ClientProtocol(parse_uri("ws://edge/"), state=State.OPEN)
    client.receive_data(data)
    frames = [event for event in client.events_received() if isinstance(event, Frame)]
    closes = [Close.parse(bytes(each.data)).code for each in frames if each.opcode is Opcode.CLOSE]
    texts = [bytes(each.data) for each in frames if each.opcode is Opcode.TEXT]
    return Heard(texts, closes[0] if closes else None)
