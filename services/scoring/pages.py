"""Page tokens of the list of matches: opaque to clients, checked when they come back."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Annotated

import msgspec

from services.runtime.errors import InvalidArgument


@dataclass(frozen=True, slots=True)
class Place:
    """A match's place in the list, newest first: the next page begins after it."""

    started_ms: int
    match: str


class _Token(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    version: Annotated[int, msgspec.Meta(ge=1, le=1)]
    player: Annotated[str, msgspec.Meta(max_length=200)]
    started_ms: Annotated[int, msgspec.Meta(ge=0, le=2**53)]
    match: Annotated[str, msgspec.Meta(min_length=1, max_length=128)]


def write_token(player: str, place: Place) -> str:
    """The token of the page after ``place`` in the list of ``player``'s matches ("": all)."""
    packed = msgspec.msgpack.encode(_Token(1, player, place.started_ms, place.match))
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def read_token(token: str, player: str) -> Place | None:
    """The place that a token names, None for "".

    Raises :class:`InvalidArgument` (BAD_PAGE) if it is no token, or one of another player's list.
    """
    if not token:
        return None
    try:
        packed = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        found = msgspec.msgpack.decode(packed, type=_Token)
    except (binascii.Error, ValueError, msgspec.MsgspecError):
        raise InvalidArgument("BAD_PAGE", "no such page") from None
    if found.player != player:
        raise InvalidArgument("BAD_PAGE", "the page is of another list")
    return Place(found.started_ms, found.match)


def page_size(limit: int) -> int:
    """How many entries to give: 1 to 100, and 20 for 0. Raises :class:`InvalidArgument` (BAD_PAGE)."""
    if not 0 <= limit <= 100:
        raise InvalidArgument("BAD_PAGE", "limit must be from 1 to 100")
    return limit or 20
