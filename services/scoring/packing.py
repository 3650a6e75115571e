"""How a log lies in the database: the exact bytes of its events, compressed."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import msgspec


def pack(log: Sequence[bytes]) -> bytes:
    """Events, whatever they are, as one value."""
    return zlib.compress(msgspec.msgpack.encode(log), level=6)


def unpack(packed: bytes) -> list[bytes]:
    """The inverse of :func:`pack`."""
    return msgspec.msgpack.decode(zlib.decompress(packed), type=list[bytes])
