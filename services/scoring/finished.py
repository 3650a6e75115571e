"""An entry of a finished stream: which hand ended, and where its events lie in the table's log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_ID_LENGTH: Final = 128
_LARGEST: Final = 2**31 - 1


class BadEntry(ValueError):
    """The entry doesn't name a hand; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Finished:
    """One ended hand, whose events are ``first`` (its ``prepare``) to ``last`` (its ``end``) of the table's log.

    Both are 0 if the entry gave no usable range: the hand then has no log, but isn't lost.
    """

    table: str
    match: str
    hand: int
    first: int
    last: int

    @classmethod
    def parse(cls, fields: Mapping[bytes, bytes]) -> Finished:
        """The entry with these fields. Raises :class:`BadEntry` if table, match or hand is missing or can't be."""
        table, match = _identifier(fields, b"table"), _identifier(fields, b"match")
        hand = _number(fields, b"hand")
        if hand is None or hand < 1:
            raise BadEntry("hand is not a number from 1")
        first, last = _number(fields, b"first"), _number(fields, b"last")
        if first is None or last is None or not 1 <= first <= last:
            first = last = 0
        return cls(table, match, hand, first, last)


def _identifier(fields: Mapping[bytes, bytes], name: bytes) -> str:
    value = fields.get(name, b"").decode("utf-8", "replace")
    if not 1 <= len(value) <= _ID_LENGTH or not value.isprintable():
        raise BadEntry(f"{name.decode()} is not an identifier")
    return value


def _number(fields: Mapping[bytes, bytes], name: bytes) -> int | None:
    value = fields.get(name, b"")
    if not value.isdigit() or len(value) > 10:
        return None
    number = int(value)
    return number if number <= _LARGEST else None
