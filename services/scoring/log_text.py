"""The texts of a log, looked at without knowing the game: whose event each is, and whether they hang together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeVar

import msgspec

from services.scoring.finished import Finished
from services.scoring.letters import BadLog, Reason

Instant = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""ms since 1970."""
Id = Annotated[str, msgspec.Meta(max_length=128, pattern=r"^[^\x00]*$")]


class Head(msgspec.Struct):
    """What every event has."""

    seq: int
    at: Instant
    e: str
    digest: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]


class OfHand(msgspec.Struct):
    """An event that names its hand."""

    hand: int
    match: str


class Prepare(OfHand):
    """The first event of every hand and game."""

    seats: Annotated[int, msgspec.Meta(ge=1, le=8)]


class Seated(msgspec.Struct):
    """Who sits at a seat."""

    player: Id
    name: Annotated[str, msgspec.Meta(max_length=200)]
    bot: bool = False


Known = Sequence[tuple[bytes, Head]]
"""The texts that are events, with their heads."""

_Any = TypeVar("_Any", bound=msgspec.Struct)
_OfHand = TypeVar("_OfHand", bound=OfHand)


def known(log: Sequence[bytes]) -> Known:
    """What can be read of a log, whatever is in it."""
    return [(text, head) for text in log if (head := attempt(text, Head)) is not None]


def whole(log: Sequence[bytes], finished: Finished) -> Known:
    """All events of a hand, none missing. Raises :class:`BadLog` (missing or shape)."""
    if not log:
        raise BadLog(Reason.MISSING, f"no events from {finished.first} to {finished.last}")
    heads = []
    for seq, text in enumerate(log, start=finished.first):
        head = attempt(text, Head)
        if head is None:
            raise BadLog(Reason.SHAPE, f"the event {seq} cannot be read")
        if head.seq != seq:
            raise BadLog(Reason.SHAPE, f"the event {head.seq} stands where {seq} should")
        heads.append((text, head))
    if heads[-1][1].seq != finished.last:
        raise BadLog(Reason.SHAPE, f"the log stops at {heads[-1][1].seq}, the hand at {finished.last}")
    return heads


def decode(event: tuple[bytes, Head], name: str, kind: type[_OfHand], finished: Finished) -> _OfHand:
    """The event as ``kind``. Raises :class:`BadLog` (shape) if it is none, or another hand's."""
    text, head = event
    found = attempt(text, kind) if head.e == name else None
    if found is None:
        raise BadLog(Reason.SHAPE, f"the event {head.seq} is no {name}: {head.e[:20]}")
    if (found.hand, found.match) != (finished.hand, finished.match):
        raise BadLog(Reason.SHAPE, f"an event of hand {found.hand} of match {found.match!r}")
    return found


def find(events: Known, name: str, kind: type[_OfHand], finished: Finished) -> _OfHand | None:
    """The first event of that name that can be read and is of this hand."""
    for text, head in events:
        found = attempt(text, kind) if head.e == name else None
        if found is not None and (found.hand, found.match) == (finished.hand, finished.match):
            return found
    return None


def attempt(text: bytes, kind: type[_Any]) -> _Any | None:
    """The text as ``kind``, if it is one."""
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
