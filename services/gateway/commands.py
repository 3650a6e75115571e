"""A seat's command on its way to the engine and the verdict on its way back. Knows no transport."""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from services.gateway.frames import SeatCommand


class Command(Struct, frozen=True, gc=False):
    """A command as the edge vouches for it.

    Table, seat and epoch are the session's, ``seen`` is bounded, ``arrived_ms`` is the edge's own (Redis time, ms since
    1970).
    """

    table: str
    seat: int
    epoch: int
    seen: int
    arrived_ms: int
    frame: SeatCommand
    trace: str = ""
    """W3C ``traceparent`` of a command that is traced."""

    @property
    def n(self) -> int:
        """The seat's command number."""
        return self.frame.n


class Outcome(IntEnum):
    """What became of a command; the numbers are the contract's."""

    UNSPECIFIED = 0
    APPLIED = 1
    TIED = 2
    RETURNED = 3
    REFUSED = 4
    OUT_OF_ORDER = 5
    TAKEN_OVER = 6
    UNAVAILABLE = 7
    SET_BACK = 8


class Verdict(Struct, frozen=True, gc=False, array_like=True):
    """The engine's answer to one command; ``frame`` is what the client gets, encoded. Its fields are in wire order."""

    table: str
    seat: int
    n: int
    outcome: Outcome
    frame: bytes


class Attached(Struct, frozen=True, gc=False):
    """A seat taken for a socket: its epoch, its last command number, and the kept verdicts that were missed."""

    epoch: int
    last_n: int
    verdicts: tuple[bytes, ...]


class Snapshot(Struct, frozen=True, gc=False):
    """A table's public state at ``seq``; ``frame`` is what the client gets, encoded."""

    seq: int
    digest: str
    frame: bytes
