"""Versions of what is stored. A release reads what the one before it wrote, and leaves alone what a newer one wrote."""

from __future__ import annotations

from services.runtime.errors import Unavailable


class UnknownVersion(Unavailable):
    """Something stored is of a version that this release does not know. Nothing was changed.

    Unavailable, since a copy of the release that wrote it can do what this one can't: during an upgrade there is one.
    """

    def __init__(self, what: str, found: str) -> None:
        super().__init__("UNKNOWN_VERSION", f"{what} is of version {found}, which this release does not know")


def require(what: str, found: str, known: frozenset[str]) -> None:
    """Raises :class:`UnknownVersion` unless the version ``found`` of ``what`` is known."""
    if found not in known:
        raise UnknownVersion(what, found)


def encoded_event(table: str, fields: dict[bytes, bytes]) -> bytes:
    """The event in an entry of a table's log. The field's name is the encoding's version: ``e`` is the first.

    Raises :class:`UnknownVersion`.
    """
    event = fields.get(b"e")
    if event is None:
        raise UnknownVersion(f"an event of table {table}", b",".join(sorted(fields)).decode("ascii", "replace"))
    return event
