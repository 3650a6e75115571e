"""An event of a table's log as the edge sees it: bytes whose sequence number and digest can be told without parsing.

Events open with ``{"seq":<n>,`` and close with ``,"digest":"<16 hex digits>"}`` (docs/protocol.md).

>>> event = read(b'{"seq":7,"at":5,"e":"start","hand":1,"digest":"00112233445566ff"}')
>>> event.seq, event.digest
(7, '00112233445566ff')
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha1
from typing import Final

from msgspec import Struct

from services.gateway.framing import text_frame

_HEAD: Final = b'{"seq":'
_TAIL: Final = b',"digest":"'
_DIGEST: Final = 16
_BODY_END: Final = -(len(_TAIL) + _DIGEST + 2)


class Event(Struct, frozen=True, gc=False):
    """One event; ``payload`` is what every client gets, to the byte."""

    seq: int
    digest: str
    payload: bytes


class Run(Struct, frozen=True, gc=False):
    """Events that follow each other, at least one; ``framed`` is what every socket is written, made once for all."""

    events: tuple[Event, ...]
    framed: bytes

    @classmethod
    def of(cls, events: Sequence[Event]) -> Run:
        """These events."""
        return cls(tuple(events), b"".join([text_frame(event.payload) for event in events]))


class NotAnEvent(ValueError):
    """The bytes don't have the form of an event."""


def read(payload: bytes) -> Event:
    """The event in ``payload``. Raises :class:`NotAnEvent`."""
    comma = payload.find(b",", len(_HEAD))
    if (
        not payload.startswith(_HEAD)
        or payload[_BODY_END : _BODY_END + len(_TAIL)] != _TAIL
        or not payload[len(_HEAD) : comma].isdigit()
    ):
        raise NotAnEvent(repr(payload[:80]))
    return Event(int(payload[len(_HEAD) : comma]), payload[-_DIGEST - 2 : -2].decode("ascii", "replace"), payload)


def follows(event: Event, digest: str) -> bool:
    """Whether ``event`` continues the history whose head has this ``digest``."""
    chained = sha1(digest.encode() + event.payload[:_BODY_END], usedforsecurity=False)
    return chained.hexdigest()[:_DIGEST] == event.digest
