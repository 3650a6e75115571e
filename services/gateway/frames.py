"""The frames of the table socket (docs/protocol.md): what a client may send, what the edge itself sends.

Verdicts, events and snapshots are not here: they pass through as the bytes that the engine encoded. Unknown fields
are ignored, so that newer clients can talk to older edges; unknown types and values are not.

>>> decode(b'{"t":"turn","n":7,"hand":1,"seen":130,"stock":32}')
Turn(n=7, hand=1, seen=130, stock=32, digest='')
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Raw, Struct, field

VERSION: Final = 1
MOST_BYTES: Final = 4096
"""The largest frame that a client may send; a larger one closes the socket with 1009."""
LARGEST: Final = 2**53 - 1
"""The largest whole number that every JSON reader keeps exactly."""

Sequence = Annotated[int, Meta(ge=0, le=LARGEST)]
Number = Annotated[int, Meta(ge=1, le=LARGEST)]
HandNumber = Annotated[int, Meta(ge=0, le=2**31 - 1)]
FrameId = Annotated[int, Meta(ge=0, le=LARGEST)]
Digest = Annotated[str, Meta(max_length=64)]
Nonce = Annotated[str, Meta(min_length=1, max_length=64, pattern="^[ -~]*$")]
SourceName = Literal["demon", "waste", "c0", "c1", "c2", "c3"]
ColumnName = Literal["c0", "c1", "c2", "c3"]
EmoteName = Literal["hello", "good_luck", "well_played", "nice", "oops", "wow", "thinking", "thanks"]
PileNumber = Annotated[int, Meta(ge=0, le=3)]
# fmt: off
CardName = Literal[
    "AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC",
    "AD", "2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD",
    "AH", "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH",
    "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS",
]
# fmt: on


class _Frame(Struct, frozen=True, gc=False, tag_field="t"):
    """A frame; ``t`` names its type."""


class _Shown(_Frame, frozen=True, kw_only=True):
    """What shows that a claim of what was seen is true."""

    digest: Digest = ""
    """That of event ``seen``, which only who has received it can know; empty: not shown."""


class _Command(_Shown, frozen=True):
    """What all commands of a seat carry."""

    n: Number
    hand: HandNumber
    seen: Sequence


class Play(_Command, frozen=True, tag="play"):
    """To a foundation; ``to`` None: any."""

    card: CardName
    source: SourceName = field(name="from")
    to: Annotated[int, Meta(ge=0, le=255)] | None = None


class Move(_Command, frozen=True, tag="move"):
    """To a column."""

    card: CardName
    source: SourceName = field(name="from")
    to: ColumnName


class Turn(_Command, frozen=True, tag="turn"):
    """The next packet; ``stock`` is how many cards the client sees there."""

    stock: Annotated[int, Meta(ge=0, le=52)]


class Recycle(_Command, frozen=True, tag="recycle"):
    """The waste turned over."""


class Call(_Command, frozen=True, tag="call"):
    """The call of "Demon!"."""


class Vote(_Command, frozen=True, tag="vote"):
    """Consent, when stuck."""

    choice: Literal["shift", "end", "replay", "withdraw"]
    progress: Sequence


class Row(_Command, frozen=True, tag="row"):
    """Aces Up: deals four; ``stock`` is how many cards the client sees there."""

    stock: Annotated[int, Meta(ge=0, le=52)]


class Remove(_Command, frozen=True, tag="remove"):
    """Aces Up: a pile's top card out of the game."""

    pile: PileNumber
    card: CardName


class Fill(_Command, frozen=True, tag="fill"):
    """Aces Up: a pile's top card into a gap."""

    card: CardName
    source: PileNumber = field(name="from")
    to: PileNumber


class Undo(_Command, frozen=True, tag="undo"):
    """Aces Up, in practice: the last step back."""


class Redo(_Command, frozen=True, tag="redo"):
    """Aces Up, in practice: a step that was taken back, again."""


class GiveUp(_Command, frozen=True, tag="give_up"):
    """Aces Up: ends the game as it is."""


class After(Struct, frozen=True, gc=False):
    """The last event that a client has applied."""

    seq: Sequence
    digest: Digest


class Attach(_Frame, frozen=True, tag="attach"):
    """The first frame: takes the player's own seat, or watches."""

    seat: bool
    after: After | None = None
    n: Sequence = 0


class Ready(_Frame, frozen=True, tag="ready"):
    """Ready for the next hand, or not. Without a nonce the edge makes one up."""

    ready: bool = True
    nonce: Nonce | None = None


class Emote(_Frame, frozen=True, tag="emote"):
    """A word for everyone at the table, from a seat. No part of the hand: not kept, not told again."""

    emote: EmoteName


class Ping(_Frame, frozen=True, tag="ping"):
    """Answered by a pong of the same id."""

    id: FrameId


class Pong(_Frame, frozen=True, tag="pong"):
    """The answer to the edge's ping of this id."""

    id: FrameId


SeatCommand = Play | Move | Turn | Recycle | Call | Vote | Row | Remove | Fill | Undo | Redo | GiveUp
ClientIn = SeatCommand | Attach | Ready | Emote | Ping | Pong


class BadFrame(Exception):
    """The bytes are no frame that a client may send. ``n`` is the command number, where one could be read."""

    def __init__(self, detail: str, n: int | None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.n = n


class _Numbered(Struct):
    n: int | None = None


_decoder: Final = msgspec.json.Decoder(ClientIn)
_number_decoder: Final = msgspec.json.Decoder(_Numbered)


def decode(raw: bytes | str) -> ClientIn:
    """The frame in ``raw``. Raises :class:`BadFrame`, whatever the bytes are."""
    try:
        return _decoder.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise BadFrame(str(error)[:200], _number_of(raw)) from None


def _number_of(raw: bytes | str) -> int | None:
    try:
        return _number_decoder.decode(raw).n
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None


# What the edge sends itself.


class Welcome(_Frame, frozen=True, tag="welcome"):
    """The first answer; says whether what follows continues the client's history."""

    v: int
    player: str | None
    seat: int | None
    n: int
    resumed: bool
    set_back: bool
    table: Raw
    now: int


class Table(_Frame, frozen=True, tag="table"):
    """The table, whole, whenever it has changed."""

    table: Raw


class PingOut(_Frame, frozen=True, tag="ping"):
    """To be answered at once; ``rtt`` is the last one measured, ms."""

    id: int
    rtt: int | None


class PongOut(_Frame, frozen=True, tag="pong"):
    """The answer to a client's ping; ``now`` in Redis time, ms."""

    id: int
    now: int


class Paused(_Frame, frozen=True, tag="paused"):
    """The log cannot be reached; unanswered commands are kept."""


class GoingOn(_Frame, frozen=True, tag="going_on"):
    """The log can be reached again."""


class SetBack(_Frame, frozen=True, tag="set_back"):
    """History was lost; a snapshot follows, and what was unanswered is void. ``n`` is the seat's last number."""

    n: int


class EmoteOut(_Frame, frozen=True, tag="emote"):
    """What the seat says."""

    seat: int
    emote: EmoteName


class Watchers(_Frame, frozen=True, tag="watchers"):
    """How many watch the table, over all edges."""

    count: int


class Notice(_Frame, frozen=True, tag="notice"):
    """What the operators tell all players, by language, until that time (Redis time, ms). No texts: no more."""

    id: str
    texts: dict[str, str]
    until: int


class Error(_Frame, frozen=True, tag="error"):
    """A frame was not understood or not allowed; nothing changed."""

    code: str
    detail: str
    n: int | None


ClientOut = Welcome | Table | PingOut | PongOut | Paused | GoingOn | SetBack | EmoteOut | Watchers | Notice | Error

encode: Final = msgspec.json.Encoder().encode
"""The bytes of a frame of the edge's own."""
PAUSED: Final = encode(Paused())
GOING_ON: Final = encode(GoingOn())
