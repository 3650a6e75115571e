"""The frames of the table socket (docs/protocol.md): what each looks like, and nothing of what it means.

Events are told from other frames by their first key and are left to ``services.rules.events``, because their exact
bytes are what the digest is taken over.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from services.client.errors import NotTheProtocol
from services.client.models import Emote, Table
from services.rules.aces_up import moves as aces_up
from services.rules.moves import COLUMN, Call, MoveToColumn, PlayToFoundation, Recycle, Turn, Vote
from services.rules.rulebook import AnyAction

VERSION: Final = "pandemonium.v1"
"""The subprotocol; the token travels beside it as ``token.<token>``."""

_EVENT_START: Final = b'{"seq":'


class Welcome(Struct, frozen=True, tag_field="t", tag="welcome"):
    """The answer to an attach, before anything else."""

    player: str | None
    seat: int | None
    n: int
    resumed: bool
    set_back: bool
    table: Table
    now: int


class VerdictFrame(Struct, frozen=True, tag_field="t", tag="verdict"):
    """``v`` is an outcome or ``out_of_order``, which names the seat's ``last`` number."""

    n: int
    v: str
    seq: int | None = None
    f: int | None = None
    why: str | None = None
    last: int | None = None


class TableFrame(Struct, frozen=True, tag_field="t", tag="table"):
    """The table as the lobby knows it, whole."""

    table: Table


class Ping(Struct, frozen=True, tag_field="t", tag="ping"):
    """To be answered at once; ``rtt`` (ms) is the last one measured."""

    id: int
    rtt: float | None = None


class Pong(Struct, frozen=True, tag_field="t", tag="pong"):
    """The answer to a ping of ours."""

    id: int
    now: int = 0


class Paused(Struct, frozen=True, tag_field="t", tag="paused"):
    """The log cannot be reached; unanswered commands are kept."""


class GoingOn(Struct, frozen=True, tag_field="t", tag="going_on"):
    """It can be reached again."""


class SetBackFrame(Struct, frozen=True, tag_field="t", tag="set_back"):
    """History was lost; the seat's last number is ``n`` and a snapshot follows."""

    n: int


class SnapshotFrame(Struct, frozen=True, tag_field="t", tag="snapshot"):
    """Only what the protocol itself needs of a snapshot; the rest is the view's."""

    seq: int
    digest: str


class EmoteFrame(Struct, frozen=True, tag_field="t", tag="emote"):
    """What a seat says. ``emote`` is one of :class:`Emote`, unless the edge is newer."""

    seat: int
    emote: str


class WatchersFrame(Struct, frozen=True, tag_field="t", tag="watchers"):
    """So many watch the table."""

    count: int


class NoticeFrame(Struct, frozen=True, tag_field="t", tag="notice"):
    """What the operators tell all players, by language; no texts: nothing any more."""

    id: str
    texts: dict[str, str]
    until: int


class ErrorFrame(Struct, frozen=True, tag_field="t", tag="error"):
    """A frame of ours was not understood; nothing changed."""

    code: str
    detail: str = ""
    n: int | None = None


ServerFrame = (
    Welcome
    | VerdictFrame
    | TableFrame
    | Ping
    | Pong
    | Paused
    | GoingOn
    | SetBackFrame
    | SnapshotFrame
    | EmoteFrame
    | WatchersFrame
    | NoticeFrame
    | ErrorFrame
)

_decoder: Final = msgspec.json.Decoder(ServerFrame)
_encoder: Final = msgspec.json.Encoder()


def is_event(frame: bytes) -> bool:
    """Whether the frame is an event of a hand."""
    return frame.startswith(_EVENT_START)


def parse(frame: bytes) -> ServerFrame:
    """The frame, unless it is an event. Raises :class:`NotTheProtocol`."""
    try:
        return _decoder.decode(frame)
    except msgspec.DecodeError as error:
        raise NotTheProtocol(f"{error}: {frame[:200]!r}") from None


def parse_object(frame: bytes) -> dict[str, Any]:
    """The frame as plain JSON: what a view is made from."""
    parsed: dict[str, Any] = msgspec.json.decode(frame)
    return parsed


def attach(*, seat: bool, after: tuple[int, str] | None, n: int) -> bytes:
    """The client's first frame. ``after`` is (seq, digest) of the last event applied."""
    last = None if after is None else {"seq": after[0], "digest": after[1]}
    return _encoder.encode({"t": "attach", "seat": seat, "after": last, "n": n})


def command(n: int, hand: int, seen: int, digest: str, action: AnyAction) -> bytes:
    """A seat's command. ``digest``, that of event ``seen``, shows that it was received."""
    return _encoder.encode(_head(n, hand, seen, digest, action))


def ready(is_ready: bool, nonce: str) -> bytes:
    """Readiness for the next hand, with the player's own randomness for its deal."""
    return _encoder.encode({"t": "ready", "ready": is_ready, "nonce": nonce})


def emote(word: Emote) -> bytes:
    """A word for everyone at the table."""
    return _encoder.encode({"t": "emote", "emote": word.value})


def ping(number: int) -> bytes:
    """Asks for a pong."""
    return b'{"t":"ping","id":%d}' % number


def pong(number: int) -> bytes:
    """The answer to the edge's ping."""
    return b'{"t":"pong","id":%d}' % number


def _head(n: int, hand: int, seen: int, digest: str, action: AnyAction) -> dict[str, Any]:
    common = {"n": n, "hand": hand, "seen": seen, "digest": digest}
    match action:
        case PlayToFoundation(source, card, foundation):
            return {"t": "play", **common, "from": source.value, "card": card.text, "to": foundation}
        case MoveToColumn(source, card, column):
            return {"t": "move", **common, "from": source.value, "card": card.text, "to": COLUMN[column].value}
        case Turn(stock):
            return {"t": "turn", **common, "stock": stock}
        case Recycle():
            return {"t": "recycle", **common}
        case Call():
            return {"t": "call", **common}
        case Vote(choice, progress):
            return {"t": "vote", **common, "choice": choice.value, "progress": progress}
        case aces_up.Row(stock):
            return {"t": "row", **common, "stock": stock}
        case aces_up.Remove(pile, card):
            return {"t": "remove", **common, "pile": pile, "card": card.text}
        case aces_up.Fill(pile, card, gap):
            return {"t": "fill", **common, "from": pile, "card": card.text, "to": gap}
        case aces_up.Undo():
            return {"t": "undo", **common}
        case aces_up.Redo():
            return {"t": "redo", **common}
        case aces_up.GiveUp():
            return {"t": "give_up", **common}
