"""A table and its seats as frozen values. No Redis, no clock, no randomness: times and ids are arguments.

How a table changes: ``seating.py`` (who sits where), ``match.py`` (readiness, hands, rematch), ``dispute.py`` (a hand
that is to be dealt again), ``solo.py`` (games for one) and ``agenda.py`` (what is due when). Every change is a pure
function from a table to a table; one that changes nothing returns the very same object.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NewType

TableId = NewType("TableId", str)
PlayerId = NewType("PlayerId", str)

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 8


class State(StrEnum):
    """Where a table is in its life."""

    OPEN = "open"
    """Seats are free, or not everyone is ready for the first hand of a match."""
    PLAYING = "playing"
    """A hand is being dealt, or runs, or its score is not known yet."""
    BETWEEN = "between"
    """A hand was counted; the next one waits for readiness."""
    ENDED = "ended"
    """The match is over; a rematch is possible."""
    CLOSED = "closed"
    """For good. Forgotten a while later."""


class Strength(StrEnum):
    """How well a bot plays."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Pace(StrEnum):
    """How fast a bot plays."""

    HUMAN = "human"
    FAST = "fast"


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat: free, a person's, a bot's, or a bot's that no worker has claimed yet (a bot without a player)."""

    player: PlayerId = PlayerId("")
    name: str = ""
    bot: bool = False
    strength: Strength = Strength.MEDIUM
    pace: Pace = Pace.HUMAN
    worker: str = ""
    """Which bots worker holds the lease of this seat."""
    ready: bool = False
    nonce: str = ""
    """The player's part of the next deal; only texts given after the hash of its secret was published."""
    away_ms: int = 0
    """Since when its player has no socket; 0: has one."""
    socket: str = ""
    """Which socket came last, if no engine knew that; else empty."""
    total: int = 0
    """Points of the match so far; they stay with the seat."""
    rematch: bool = False
    dispute: bool = False
    """Its player asks to have the last hand void and dealt again."""

    @property
    def free(self) -> bool:
        """Whether anybody may sit down."""
        return not self.player and not self.bot

    @property
    def wanted(self) -> bool:
        """Whether it waits for a worker's bot."""
        return self.bot and not self.player

    @property
    def person(self) -> bool:
        """Whether a person sits here."""
        return bool(self.player) and not self.bot

    @property
    def present(self) -> bool:
        """Whether its player has a socket."""
        return bool(self.player) and self.away_ms == 0


@dataclass(frozen=True, slots=True)
class Lease:
    """A bot seat held by a worker for a while; equal exactly when seat, worker and player are."""

    table: TableId
    seat: int
    worker: str
    player: PlayerId


@dataclass(frozen=True, slots=True)
class Table:
    """A table. ``hand`` is the last one dealt in this match, from 1; 0 before the first."""

    id: TableId
    seats: tuple[Seat, ...]
    host: PlayerId
    created_ms: int
    since_ms: int
    """When the present state began."""
    match: str
    """The running match, or the one to come."""
    version: int = 0
    """Rises with each stored change, to the time (ms) of it at least; 0: never stored."""
    state: State = State.OPEN
    public: bool = False
    quick: bool = False
    """Made by quick play: filled with bots when nobody else comes."""
    hurried: bool = False
    """Whether the first hand waits only a declared time for readiness (quick play, rematch)."""
    watched: bool = False
    """The host asked for a table without a seat of its own: it lives without people."""
    invite: str = ""
    code: str = ""
    """Short, for those who are told it; empty for a game for one, which nobody joins."""
    barred: tuple[PlayerId, ...] = ()
    """Whom the host has sent away, the last ones: they don't sit down here again."""
    options: str = ""
    """The rules in canonical JSON."""
    countdown_ms: int = 0
    hand: int = 0
    commitment: str = ""
    """Hash of the secret of the next hand once prepared, of the running one while it runs."""
    waiting_ms: int = 0
    """Since when readiness is waited for: the last of a seat taken, a hand prepared, a hand counted."""
    deal: tuple[Seat, ...] = ()
    """The seats as ``hand`` is to be dealt to them, whoever comes or goes; empty once it is dealt."""
    winners: tuple[int, ...] = ()
    playoff: bool = False
    """The running hand, or else the next one, is the playoff."""
    disputable: bool = False
    """The last hand may be disputed: the rules have disputes, it counts, and the next one has not begun."""
    voiding: bool = False
    """All have agreed to have ``hand`` void; scoring is to take it back before anything else."""
    keep_at_ms: int = 0
    """When the claims of its players are next to be renewed."""
    unchecked_ms: int = 0
    """When a seat was taken of whose player it has not been checked yet that it sits nowhere else; 0: never."""
    frozen_ms: int = 0
    """Since when an operator holds the table still; 0: it goes on."""
    stalled: bool = False
    """Whether the engine was told to hold it still, and not yet to let it go on."""
    settled: bool = False
    """Closed, and nothing runs, nobody is claimed any more."""

    def seat_of(self, player: str) -> int | None:
        """The index of the player's seat."""
        return next((index for index, seat in enumerate(self.seats) if player and seat.player == player), None)

    def free_seat(self) -> int | None:
        """The index of the first free seat."""
        return next((index for index, seat in enumerate(self.seats) if seat.free), None)

    @property
    def solo(self) -> bool:
        """Whether it is a game of Aces Up: the only one that has one seat."""
        return len(self.seats) == 1

    @property
    def free_seats(self) -> int:
        """How many seats are free."""
        return sum(seat.free for seat in self.seats)

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of people."""
        return tuple(seat for seat in self.seats if seat.person)

    @property
    def all_ready(self) -> bool:
        """Whether every seat has a player and is ready."""
        return all(seat.player and seat.ready for seat in self.seats)

    @property
    def wanted(self) -> tuple[int, ...]:
        """The bot seats that no worker has claimed."""
        if self.state in (State.ENDED, State.CLOSED):
            return ()
        return tuple(index for index, seat in enumerate(self.seats) if seat.wanted)

    @property
    def leases(self) -> frozenset[Lease]:
        """The bot seats that workers hold."""
        if self.state is State.CLOSED:
            return frozenset()
        held = ((index, seat) for index, seat in enumerate(self.seats) if seat.bot and seat.player)
        return frozenset(Lease(self.id, index, seat.worker, seat.player) for index, seat in held)

    def with_seat(self, index: int, seat: Seat) -> Table:
        """The table with another seat at ``index``; the same object if it is equal."""
        if self.seats[index] == seat:
            return self
        return replace(self, seats=(*self.seats[:index], seat, *self.seats[index + 1 :]))
