"""Frames of a WebSocket as the edge writes them (RFC 6455, 5.2). Knows no connection."""

from __future__ import annotations

import struct
from typing import Final

_TEXT: Final = b"\x81"


def text_frame(payload: bytes) -> bytes:
    """One unmasked text frame."""
    length = len(payload)
    if length < 126:
        return _TEXT + bytes((length,)) + payload
    if length < 65536:
        return _TEXT + b"\x7e" + struct.pack("!H", length) + payload
    return _TEXT + b"\x7f" + struct.pack("!Q", length) + payload
