"""Why a hand could not be counted as it should: such hands are kept as dead letters, never silently dropped."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """The kinds of dead letters; a fixed set, since each is a label of a metric."""

    ENTRY = "entry"
    """The entry of the finished stream names no hand. Nobody can be told a result."""
    MISSING = "missing"
    """The log has no events of the hand."""
    SHAPE = "shape"
    """The log is not a whole hand: a gap, a text that is no event, a deal or end that is missing or another hand's."""
    UNVERIFIED = "unverified"
    """Replaying the log with the rules doesn't confirm it."""
    AFTER_END = "after_end"
    """The match was over already."""
    REFUSED = "refused"
    """The database does not take what the log says."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A dead letter: its kind, and for people what exactly was wrong."""

    reason: Reason
    detail: str


class BadLog(ValueError):
    """A log that doesn't give a sheet; carries the :class:`Letter`."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.letter = Letter(reason, detail[:500])
