"""What every event has: its place in the log, and for what a seat did, who, when and having seen what.

The events of the games are in ``events`` and ``aces_up.events``; how they are written is in ``events``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Event:
    """Anything in the log. ``seq`` rises by one per table; ``at`` is the commit, ms since 1970."""

    e: ClassVar[str]
    seq: int
    at: int


@dataclass(frozen=True, slots=True)
class SeatEvent(Event):
    """What a seat's command did.

    ``n`` is the command's number, ``seen`` the last sequence number that its player had applied, ``arrived`` when it
    reached the edge, as the edge stamped it, ms.
    """

    seat: int
    n: int
    seen: int
    arrived: int


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits at a seat during a hand, and the nonce that went into the shuffle."""

    player: str
    name: str
    bot: bool
    nonce: str
