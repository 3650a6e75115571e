"""How the client program speaks with either side: the edge's JSON (docs/protocol.md), and messages of a Colyseus room.

What a play and its verdict say is the same on both; only the envelope differs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

import msgspec
from picows import WSMsgType

from services.rules.moves import COLUMN, MoveToColumn, PlayToFoundation, Recycle, Turn
from services.rules.referee import Command


class Told(msgspec.Struct):
    """A frame of the server, as far as the client program looks at it."""

    t: str = ""
    """Type of a frame that is no event."""
    e: str = ""
    """Type of an event."""
    n: int = 0
    v: str | int = ""
    seq: int = 0
    digest: str = ""
    id: int = 0


class Dialect(Protocol):
    """One side's envelope."""

    @property
    def kind(self) -> WSMsgType:
        """Of the frames of both directions."""

    def command(self, command: Command) -> bytes:
        """The frame of a play."""

    def shown(self, frame: bytes, digest: str) -> bytes:
        """The frame, with what shows that its player has received the last event."""

    def read(self, frame: bytes) -> Told | None:
        """A verdict or an event, or something else that is told; None: nothing of interest."""

    def answer(self, told: Told) -> bytes | None:
        """What has to be sent back at once."""


class Edge:
    """Text frames, each one JSON object."""

    kind = WSMsgType.TEXT

    def __init__(self) -> None:
        self.read: Callable[[bytes], Told] = msgspec.json.Decoder(Told).decode

    def command(self, command: Command) -> bytes:
        """See the protocol."""
        what, play = _play(command)
        return msgspec.json.encode({"t": what, "hand": command.hand, **play})

    def shown(self, frame: bytes, digest: str) -> bytes:
        """With that event's digest."""
        return b'%b,"digest":"%b"}' % (frame[:-1], digest.encode())

    def answer(self, told: Told) -> bytes | None:
        """The pong of a ping."""
        return b'{"t":"pong","id":%d}' % told.id if told.t == "ping" else None


class Room:
    """Binary frames: a byte that says what it is, the name of the message, its body in MessagePack (Colyseus 0.16)."""

    kind = WSMsgType.BINARY
    JOIN: Final = b"\x0a"
    _DATA: Final = 0x0D
    _SHORT_TEXT: Final = 0xA0

    def __init__(self) -> None:
        self._body: Callable[[bytes], Told] = msgspec.msgpack.Decoder(Told).decode

    def command(self, command: Command) -> bytes:
        """See the protocol."""
        what, play = _play(command)
        return bytes((self._DATA, self._SHORT_TEXT | len(what))) + what.encode() + msgspec.msgpack.encode(play)

    def shown(self, frame: bytes, digest: str) -> bytes:
        """A room doesn't ask for it."""
        return frame

    def read(self, frame: bytes) -> Told | None:
        """See the protocol."""
        if frame[0] == self._DATA:
            return self._body(frame[2 + (frame[1] & ~self._SHORT_TEXT) :])
        return Told(t="join") if frame[:1] == self.JOIN else None

    def answer(self, told: Told) -> bytes | None:
        """The client has to confirm that it joined."""
        return self.JOIN if told.t == "join" else None


def _play(command: Command) -> tuple[str, dict[str, Any]]:
    head = {"n": command.n, "seen": command.seen}
    match command.action:
        case PlayToFoundation(source, card, foundation):
            return "play", {**head, "from": source.value, "card": card.text, "to": foundation}
        case MoveToColumn(source, card, column):
            return "move", {**head, "from": source.value, "card": card.text, "to": COLUMN[column].value}
        case Turn(stock):
            return "turn", {**head, "stock": stock}
        case Recycle():
            return "recycle", head
        case other:
            raise ValueError(f"not played here: {other}")
