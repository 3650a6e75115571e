"""The table socket without a socket: frames in, effects out. Knows docs/protocol.md; no network, no clock, no asyncio.

The life of one: ``attach()`` at each new connection, ``received(frame)`` for each frame, ``lost()`` when the connection
is gone; ``submit(action)`` at any time. Each returns the effects that the shell is to carry out, in order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from services.client import frames
from services.client.errors import ClientError, NotTheProtocol, NotUnderstood, SetBack
from services.client.frames import (
    EmoteFrame,
    ErrorFrame,
    GoingOn,
    NoticeFrame,
    Paused,
    Ping,
    Pong,
    SetBackFrame,
    SnapshotFrame,
    TableFrame,
    VerdictFrame,
    WatchersFrame,
    Welcome,
)
from services.client.history import Broken, History
from services.client.models import Table
from services.client.outbox import Outbox
from services.rules.aces_up.moves import Reason as AcesUpReason
from services.rules.contest import Contest
from services.rules.events import Event
from services.rules.moves import Reason
from services.rules.rulebook import AnyAction
from services.rules.verdict import Outcome, Verdict
from services.rules.view import TableView

_UNAVAILABLE: Final = "unavailable"
_WHY: Final[dict[str | None, Contest | Reason | AcesUpReason | None]] = {
    None: None,
    **{word.value: word for word in (*AcesUpReason, *Contest, *Reason)},
}


@dataclass(frozen=True, slots=True)
class Send:
    """Put this frame on the wire."""

    frame: bytes


@dataclass(frozen=True, slots=True)
class Happened:
    """The view has moved on by this event."""

    event: Event


@dataclass(frozen=True, slots=True)
class Said:
    """A seat has sent an emote: one of :class:`services.client.models.Emote`, unless the edge is newer."""

    seat: int
    emote: str


@dataclass(frozen=True, slots=True)
class Settled:
    """The command of this ticket has its verdict, and the view contains what came of it."""

    ticket: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Failed:
    """The command of this ticket will never have a verdict."""

    ticket: int
    error: ClientError


@dataclass(frozen=True, slots=True)
class Complained:
    """The edge did not understand a frame of ours that was no command, or had too many; nothing changed."""

    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Reconnect:
    """This connection is of no more use: drop it and attach on a new one."""

    why: str


Effect = Send | Happened | Said | Settled | Failed | Complained | Reconnect


class TableProtocol:
    """One seat's (or watcher's) side of a table's socket, over all its connections."""

    def __init__(self, *, seat: bool, history: History | None = None) -> None:
        """``history``: a fresh one of another kind, for programs that hold many sockets of one table."""
        self._wants_seat = seat
        self._history = history or History()
        self._outbox = Outbox()
        self._early: dict[int, tuple[int, Verdict]] = {}  # verdicts whose event has not come yet, by its seq
        self._listening = False
        self.attached = False
        self.paused = False
        self.seat: int | None = None
        self.player: str | None = None
        self.table: Table | None = None
        self.rtt_ms: float | None = None
        self.watchers = 0
        self.notice: NoticeFrame | None = None

    @property
    def seq(self) -> int:
        """The last event applied."""
        return self._history.seq

    @property
    def after(self) -> tuple[int, str] | None:
        """The event after which an attach asks to go on: its ``seq`` and digest."""
        return self._history.after

    @property
    def view(self) -> TableView:
        """What this client knows of the table; empty before the first hand."""
        return self._history.view

    @property
    def unanswered(self) -> int:
        """How many commands have no verdict yet, waiting ones included."""
        return len(self._outbox)

    def attach(self) -> list[Effect]:
        """A connection is open: the first frame on it."""
        self._listening = True
        return [Send(frames.attach(seat=self._wants_seat, after=self._history.after, n=self._outbox.answered))]

    def lost(self) -> None:
        """The connection is gone. Commands are kept."""
        self._listening = self.attached = False

    def submit(self, action: AnyAction) -> tuple[int, list[Effect]]:
        """Takes a command of the seat; it is sent now, or when it may be. Returns its ticket."""
        history = self._history
        ticket = self._outbox.add(history.view.hand, history.seq, history.digest, action)
        return ticket, self._flush()

    def received(self, frame: bytes) -> list[Effect]:
        """One frame of the edge. Raises :class:`NotTheProtocol`."""
        if not self._listening:
            return []
        if frames.is_event(frame):
            return self._event(frame)
        match frames.parse(frame):
            case VerdictFrame() as verdict:
                return self._verdict(verdict)
            case Ping(number, rtt):
                self.rtt_ms = rtt
                return [Send(frames.pong(number)), *map(Send, self._outbox.overdue())]
            case TableFrame(table):
                self._table(table)
            case Welcome() as welcome:
                return self._welcome(welcome)
            case SnapshotFrame():
                self._history.load(frame)
                return self._caught_up()
            case SetBackFrame(last):
                self._history.restart()
                return self._void(last)
            case Paused():
                self.paused = True
            case GoingOn():
                self.paused = False
            case EmoteFrame(seat, emote):
                return [Said(seat, emote)]
            case WatchersFrame(count):
                self.watchers = count
            case NoticeFrame() as notice:
                self.notice = notice if notice.texts else None
            case ErrorFrame(code, detail, n):
                return self._error(code, detail, n)
            case Pong():
                pass
        return []

    def _welcome(self, welcome: Welcome) -> list[Effect]:
        self.attached, self.paused, self.watchers = True, False, 0
        self.player, self.seat = welcome.player, welcome.seat
        self._table(welcome.table)
        if not welcome.resumed:
            self._history.restart()
        again = None if welcome.set_back else self._outbox.resume(welcome.n)
        if again is None:
            return [*self._void(welcome.n), *self._flush()]
        return [*map(Send, again), *self._flush()]

    def _event(self, frame: bytes) -> list[Effect]:
        try:
            event = self._history.follow(frame)
        except Broken as broken:
            return self._reconnect(str(broken))
        if event is None:
            return []
        early = self._early.pop(event.seq, None)
        return [Happened(event)] if early is None else [Happened(event), Settled(*early)]

    def _verdict(self, frame: VerdictFrame) -> list[Effect]:
        try:
            verdict = Verdict(frame.n, Outcome(frame.v), frame.seq, frame.f, _WHY[frame.why], frame.last)
        except (ValueError, KeyError):
            raise NotTheProtocol(f"verdict {frame.v!r}, {frame.why!r}") from None
        if verdict.outcome is Outcome.OUT_OF_ORDER:
            again = self._outbox.out_of_order(frame.n, frame.last or 0)
            return self._reconnect(f"no command after {frame.last}") if again is None else [*map(Send, again)]
        if verdict.outcome is Outcome.TAKEN_OVER:
            return []  # the close that follows says so for all commands
        if verdict.outcome is Outcome.SET_BACK:
            return []  # the frame that follows says so for all commands
        ticket = self._outbox.judged(frame.n)
        if ticket is None:
            return []
        if verdict.seq is not None and verdict.seq > self._history.seq:
            self._early[verdict.seq] = ticket, verdict
            return self._flush()
        return [Settled(ticket, verdict), *self._flush()]

    def _caught_up(self) -> list[Effect]:
        """Settles what waited for events that a snapshot contains."""
        due = sorted(seq for seq in self._early if seq <= self._history.seq)
        return [Settled(*self._early.pop(seq)) for seq in due]

    def _void(self, last: int) -> list[Effect]:
        tickets = [ticket for ticket, _ in self._early.values()] + self._outbox.void(last)
        self._early.clear()
        return [Failed(ticket, SetBack("history was lost: the command is void")) for ticket in sorted(tickets)]

    def _error(self, code: str, detail: str, n: int | None) -> list[Effect]:
        if n is not None and code == _UNAVAILABLE:
            return self._reconnect("no engine answered")  # attaching tells what counted; the rest is sent again
        ticket = None if n is None else self._outbox.unused(n)
        if ticket is None:
            return [Complained(code, detail)]
        # Those after it were sent under numbers that don't follow now: they go out again on a new connection.
        return [Failed(ticket, NotUnderstood(code, detail)), *self._reconnect(code)]

    def _table(self, table: Table) -> None:
        if self.table is None or table.version >= self.table.version:
            self.table = table

    def _flush(self) -> list[Effect]:
        return [*map(Send, self._outbox.flush())] if self.attached else []

    def _reconnect(self, why: str) -> list[Effect]:
        self.lost()
        return [Reconnect(why)]
