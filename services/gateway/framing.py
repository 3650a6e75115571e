"""Frames of a WebSocket as the edge writes them, and where those that it reads end (RFC 6455, 5.2). No connection."""

from __future__ import annotations

import struct
from typing import Final

LONGEST_HEAD: Final = 14
"""Bytes before the payload of a frame, at most."""
_TEXT: Final = b"\x81"


def text_frame(payload: bytes) -> bytes:
    """One unmasked text frame."""
    length = len(payload)
    if length < 126:
        return _TEXT + bytes((length,)) + payload
    if length < 65536:
        return _TEXT + b"\x7e" + struct.pack("!H", length) + payload
    return _TEXT + b"\x7f" + struct.pack("!Q", length) + payload


def frame_size(data: bytes, at: int) -> int:
    """The bytes of the frame that begins there, its head included; 0: too little of it is there to tell."""
    if len(data) - at < 2:
        return 0
    second = data[at + 1]
    head = 6 if second & 0x80 else 2
    length = second & 0x7F
    if length < 126:
        return head + length
    extended = 2 if length == 126 else 8
    if len(data) - at < 2 + extended:
        return 0
    return head + extended + int.from_bytes(data[at + 2 : at + 2 + extended], "big")
