"""One hand at a table: everything the referee decides on, hidden cards included. Knows nothing of who may do what.

The pure counterpart of the hand's hash (docs/architecture.md, "The hand's hash"); times are ms since 1970.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from services.rules.events import Player
from services.rules.foundation import Foundation
from services.rules.layout import Layout
from services.rules.moves import Choice
from services.rules.options import RACING_DEMON, Options
from services.rules.verdict import Verdict

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 8
"""How many seats a table may have (RD-1)."""

KEPT_VERDICTS: Final = 64
"""How many of a seat's last verdicts are kept, so that a repeated command is never judged twice."""


class Phase(StrEnum):
    """How far a hand is.

    Its secret is chosen; its cards lie and the countdown runs; it is played; it was called and cards in motion arrive;
    it has ended.
    """

    PREPARED = "prepared"
    DEALT = "dealt"
    PLAYING = "playing"
    CLOSING = "closing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Seat:
    """What a seat keeps through all hands of its table.

    The epoch of the socket that holds it, its last command number and its last verdicts, oldest first.
    """

    epoch: int = 0
    last_n: int = 0
    verdicts: tuple[Verdict, ...] = ()

    def kept(self, n: int) -> Verdict | None:
        """The verdict that command ``n`` got, if it is still kept."""
        return next((v for v in self.verdicts if v.n == n), None)

    def judged(self, verdict: Verdict) -> Seat:
        """With its next command's verdict."""
        return Seat(self.epoch, verdict.n, (*self.verdicts, verdict)[-KEPT_VERDICTS:])


@dataclass(frozen=True, slots=True)
class Hand:
    """A table's current hand. ``seq`` is the head of the table's log.

    Layouts, votes and seats are by seat number; there are no layouts before the deal. ``call_seq`` and ``call_at`` are
    those of the first call, ``callers`` all who are credited; ``in_motion`` are the seats whose one movement after the
    call was used (RD-11). ``progress`` counts progress as in RD-10 (a); ``asked``
    is whether the seats were asked what to do since the last of it. ``frozen``: an operator holds the table still.
    """

    match: str
    number: int
    commitment: str
    secret: str
    seats: tuple[Seat, ...]
    seq: int
    phase: Phase = Phase.PREPARED
    options: Options = RACING_DEMON
    players: tuple[Player, ...] = ()
    layouts: tuple[Layout, ...] = ()
    foundations: tuple[Foundation, ...] = ()
    progress: int = 0
    votes: tuple[Choice | None, ...] = ()
    asked: bool = False
    start_at: int | None = None
    call_seq: int | None = None
    call_at: int | None = None
    callers: tuple[int, ...] = ()
    closes_at: int | None = None
    in_motion: frozenset[int] = frozenset()
    frozen: bool = False
