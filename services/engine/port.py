"""What the engine needs of whoever keeps the hands: the referee's script, the log and the timers' index.

``redis_referee``, ``redis_log`` and ``redis_timers`` are the real ones, ``memory_referee`` the one for tests. Nothing
here knows how anything is stored. All calls raise :class:`services.runtime.errors.Unavailable` if the store cannot be
reached; whether a write happened is then unknown, and it is never sent twice from here.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from services.rules.aces_up import moves as aces_moves
from services.rules.aces_up import state as aces_state
from services.rules.aces_up.events import AcesEndWhy
from services.rules.aces_up.options import AcesUpOptions
from services.rules.events import EndWhy, Player, ShiftWhy
from services.rules.hand import Hand
from services.rules.layout import Layout
from services.rules.moves import Action, Applied, Illegal
from services.rules.options import Options


class Solo(NamedTuple):
    """A game of Aces Up: its options, and its state once it is dealt."""

    options: AcesUpOptions
    state: aces_state.State


class Command(NamedTuple):
    """What a seat asks for (engine.proto, ``Command``). ``action`` None: it names a card or place that isn't one."""

    table: str
    seat: int
    epoch: int
    n: int
    hand: int
    seen: int
    arrived_ms: int
    action: Action | aces_moves.Action | None


class Judged(NamedTuple):
    """A command with what the rules say of it on one layout: that of the text ``before`` ("" for none).

    If it is legal, ``after`` is the layout's text when it happens; ``last``: a game of Aces Up is over with it.
    """

    command: Command
    before: str
    after: str
    opinion: Applied | Illegal | aces_moves.Applied | aces_moves.Illegal
    last: bool = False


class Status(StrEnum):
    """What the referee says to one command.

    LATE and SEEN are returned cards. STALE: the layout is another, judge it again. UNKNOWN: the table has no hand.
    UNAVAILABLE: the log could not be written.
    """

    APPLIED = "applied"
    TIED = "tied"
    LATE = "late"
    SEEN = "seen"
    REFUSED = "refused"
    OUT_OF_ORDER = "out_of_order"
    TAKEN_OVER = "taken_over"
    SET_BACK = "set_back"
    STALE = "stale"
    UNKNOWN = "unknown"
    UNAVAILABLE = "unavailable"


class Ruling(NamedTuple):
    """A status with the verdict's frame. ``again``: it had been judged before.

    ``gap_ms`` of a contest that was not won: how much later than the card that has the place this one arrived.

    STALE has the stored layout and the hand's options (JSON) instead of a frame.
    """

    status: Status
    frame: bytes = b""
    again: bool = False
    layout: str = ""
    options: str = ""
    gap_ms: int | None = None


class Timer(StrEnum):
    """The kinds of a table's timers."""

    START = "start"
    CLOSES = "closes"
    STUCK = "stuck"


@dataclass(frozen=True, slots=True)
class State:
    """A table's whole state at one instant, ``now`` (ms).

    ``away`` is since when each missing seat is away (ms; 0: its player left), ``dealt_seq`` the number of the ``deal``
    event, if there is one, ``looks`` how often the table was looked at since its last progress or vote.
    A table of Aces Up has ``solo``, and no layouts in its
    hand.
    """

    table: str
    now: int
    digest: str
    hand: Hand
    away: dict[int, int]
    dealt_seq: int | None
    looks: int = 0
    solo: Solo | None = None


class Seated(NamedTuple):
    """A seat taken for a new socket."""

    epoch: int
    last_n: int
    verdicts: tuple[bytes, ...]


class Refusal(StrEnum):
    """Why a transition can't be; the values are the reasons of engine.proto."""

    UNKNOWN_TABLE = "UNKNOWN_TABLE"
    UNKNOWN_SEAT = "UNKNOWN_SEAT"
    NOT_PREPARED = "NOT_PREPARED"
    HAND_RUNNING = "HAND_RUNNING"
    HAND_UNCOUNTED = "HAND_UNCOUNTED"


class Referee(Protocol):
    """Decides the order of everything that happens to a hand, atomically, and writes it down."""

    async def judge(self, calls: Sequence[tuple[str, Sequence[Judged]]]) -> list[list[Ruling]]:
        """The rulings on the commands of each table, in order. A table that can't be reached rules UNAVAILABLE."""
        ...

    async def prepare(
        self, table: str, *, match: str, hand: int, seats: int, secret: str, commitment: str
    ) -> str | Refusal:
        """Makes the next hand, if it isn't the current one already; the commitment of the one that counts."""
        ...

    async def deal(
        self,
        table: str,
        *,
        match: str,
        hand: int,
        options: Options,
        commitment: str,
        players: Sequence[Player],
        layouts: Sequence[Layout],
        countdown_ms: int,
    ) -> int | Refusal:
        """Lays the prepared hand's cards down; the number of its ``deal`` event, also of an earlier one."""
        ...

    async def deal_solo(
        self, table: str, *, match: str, hand: int, solo: Solo, commitment: str, player: Player, countdown_ms: int
    ) -> int | Refusal:
        """Lays the cards of a game of Aces Up down; otherwise as :meth:`deal`."""
        ...

    async def start(self, table: str) -> bool:
        """Starts the dealt hand if its countdown is over."""
        ...

    async def shift(self, state: State, *, why: ShiftWhy, away: Sequence[int]) -> bool:
        """Shifts every seat's stock (RD-10 d), unless the table has moved on since ``state``."""
        ...

    async def ask(self, state: State) -> bool:
        """Asks the seats what to do, unless there was progress since ``state``, or they were asked before."""
        ...

    async def end(self, state: State, *, why: EndWhy | AcesEndWhy, away: Sequence[int]) -> bool:
        """Ends the running hand or game, unless the table has moved on since ``state``."""
        ...

    async def freeze(self, table: str, frozen: bool) -> bool:
        """Holds the table still, or lets it go on; done twice it is done once. False: it has no hand."""
        ...

    async def attach(self, table: str, seat: int, after_n: int, socket: str = "") -> Seated | Refusal:
        """Raises the seat's epoch and marks it present; ``socket`` is who has it now, by a name of its own."""
        ...

    async def detach(self, table: str, seat: int, epoch: int, *, left: bool, socket: str = "") -> bool | None:
        """Marks the seat away, if the epoch (0: not known) is still its own, or the socket has it.

        False: a newer socket has it, and is not gone. None: no socket ever had it, that is known of here.
        """
        ...

    async def look(self, table: str, timer: Timer | None = None) -> State | None:
        """The table's state; None if it has none, or if ``timer`` is given and not due."""
        ...

    async def forget(self, table: str) -> Refusal | None:
        """Deletes all that is kept of the table, unless a hand runs or the last one is still to be counted."""
        ...


class Log(Protocol):
    """The events of tables, as clients get them."""

    async def read(self, table: str, after_seq: int, limit: int) -> list[tuple[int, bytes]]:
        """The first ``limit`` events that are kept after ``after_seq``, which need not follow it at once."""
        ...

    def news(self, table: str) -> AbstractAsyncContextManager[AsyncIterator[None]]:
        """Something for each time that the log may have grown since entering; at least once a second."""
        ...


class TimerIndex(Protocol):
    """Which tables' timers are due. It may name one too early, or one that is no more; never one too late."""

    async def due(self, limit: int) -> list[tuple[str, Timer]]:
        """Due timers, at most ``limit`` per shard."""
        ...

    async def rebuild(self) -> int:
        """Puts every table's timers into the index where they are missing; how many tables there are."""
        ...
