"""The log of a hand as a file: what REST answers, saved as it is, since the digests cover the events' bytes."""

from __future__ import annotations

from pathlib import Path

import msgspec


class NotALog(ValueError):
    """The file holds no hand's log."""


class _Answer(msgspec.Struct):
    events: list[msgspec.Raw]


def read(path: Path) -> list[bytes]:
    """The events of a file ``{"events": […]}`` or ``[…]``. Raises :class:`NotALog`, or OSError."""
    return parse(path.read_bytes())


def parse(text: bytes) -> list[bytes]:
    """The bytes of each event, as they were published: blanks that a file has between them don't count.

    Raises :class:`NotALog`.
    """
    try:
        if text.lstrip().startswith(b"["):
            raws = msgspec.json.decode(text, type=list[msgspec.Raw])
        else:
            raws = msgspec.json.decode(text, type=_Answer).events
        return [msgspec.json.format(bytes(raw), indent=-1) for raw in raws]
    except (msgspec.DecodeError, RecursionError) as error:
        raise NotALog(f"not the log of a hand: {error}") from None
