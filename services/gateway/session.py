"""One table socket without the socket: frames in, frames out, and what it asks of the rest through :class:`Shell`.

Knows the order in which a client must get things (docs/protocol.md), which frames it may send when, and how much its
word is worth. Knows no network, no Redis, no gRPC and no clock: time comes as arguments, ``now`` in seconds of a
monotonic clock, ``arrived_ms`` in Redis time.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

from msgspec import Raw

from services.gateway import frames, metrics
from services.gateway.commands import Command, Outcome, Snapshot
from services.gateway.events import Event
from services.gateway.intake import READ_ABOVE, READ_BELOW, Intake, Rate
from services.gateway.pulse import Pulse
from services.gateway.shell import Shell
from services.gateway.table_view import TableView

MOST_UNANSWERED: Final = 32
MOST_HELD: Final = 4096
"""Events that may arrive while a socket attaches."""
_REFUSED_COSTS: Final = 2.0
_ERROR_COSTS: Final = 4.0


class _State(Enum):
    NEW = 0
    ATTACHING = 1
    LIVE = 2
    CLOSED = 3


class Session:
    """The state of one table socket."""

    __slots__ = (
        *(
            "_epoch",
            "_held",
            "_intake",
            "_lost",
            "_newest_view",
            "_paused",
            "_pulse",
            "_reading",
            "_seat",
            "_sent",
            "_shell",
            "_state",
        ),
        *("_table", "_takers", "_taking_seat", "_unanswered", "_version", "player"),
    )

    def __init__(self, shell: Shell, table: str, player: str | None, rate: Rate, now: float) -> None:
        self._shell = shell
        self._table = table
        self.player = player
        """The session's player; None for an anonymous spectator."""
        self._state = _State.NEW
        self._seat: int | None = None
        self._epoch: int | None = None
        self._taking_seat = False
        self._takers: list[tuple[int, int]] = []
        self._sent = 0
        self._held: list[Event] | None = []
        self._lost = False
        self._unanswered = 0
        self._version = 0
        self._newest_view: TableView | None = None
        self._paused = False
        self._reading = True
        self._intake = Intake(rate, now)
        self._pulse = Pulse(now)

    @property
    def seat(self) -> int | None:
        """The seat that this socket plays; None: it watches."""
        return self._seat

    @property
    def epoch(self) -> int | None:
        """The seat's epoch, once the table has had a hand."""
        return self._epoch

    @property
    def live(self) -> bool:
        """Whether it was welcomed and not closed."""
        return self._state is _State.LIVE

    # From the client.

    def receive(self, raw: bytes, now: float, arrived_ms: int) -> None:
        """A text frame has come."""
        metrics.FRAMES_IN.inc()
        if not self._intake.waiting and self._gate_open() and self._intake.take(now):
            self._frame(raw, now, arrived_ms)
            return
        self._intake.waiting.append((raw, arrived_ms))
        self.drain(now)

    def receive_binary(self, now: float) -> None:
        """A binary frame has come: nothing that a client may send."""
        metrics.FRAMES_IN.inc()
        self._error("bad_frame", "frames are text", None)

    def drain(self, now: float) -> None:
        """Takes in waiting frames as far as tokens and unanswered commands allow."""
        intake = self._intake
        while intake.waiting and self._gate_open():
            if not intake.take(now):
                metrics.THROTTLED.inc()
                self._shell.wake(intake.wait(now))
                break
            raw, arrived_ms = intake.waiting.popleft()
            self._frame(raw, now, arrived_ms)
        if self._state is _State.CLOSED:
            return
        if not self._gate_open():
            intake.excuse()
        if intake.flooded(now):
            self.close(4029, "too many frames")
        elif self._reading and len(intake.waiting) > READ_ABOVE:
            self._reading = False
            self._shell.read(False)
        elif not self._reading and len(intake.waiting) <= READ_BELOW:
            self._reading = True
            self._shell.read(True)

    def tick(self, now: float) -> float | None:
        """Pings. Gives the seconds until the next tick, None when there is none."""
        if self._state is _State.CLOSED:
            return None
        if not self._reading or self._intake.waiting:
            self._pulse.excuse(now)
        if self._pulse.silent(now):
            self.close(4008, "no pong")
            return None
        if self._state is not _State.LIVE:
            return self._pulse.delay()
        self._out(frames.encode(frames.PingOut(self._pulse.ping(now, self._sent), self._pulse.rtt_ms)))
        return min(self._pulse.delay(), self._pulse.patience(now))

    # From the rest of the edge.

    def welcome(
        self,
        *,
        view: TableView,
        seat: int | None,
        epoch: int | None,
        n: int,
        now_ms: int,
        set_back: bool = False,
        snapshot: Snapshot | None = None,
        verdicts: Sequence[bytes] = (),
        after: int = 0,
        events: Sequence[Event] = (),
        resumed: bool = False,
    ) -> None:
        """The attach has succeeded: everything that the client missed, in the order of the protocol.

        ``after`` is the client's last event if ``resumed``, and ``events`` those that follow it; else ``snapshot`` says
        where it stands (None: no hand was ever prepared).
        """
        if self._state is not _State.ATTACHING:
            return
        self._state = _State.LIVE
        self._seat = seat
        self._epoch = epoch
        self._version = view.version
        table = view.for_player(self.player)
        hello = frames.Welcome(frames.VERSION, self.player, seat, n, resumed, set_back, Raw(table), now_ms)
        self._out(frames.encode(hello))
        if snapshot is not None:
            self._out(snapshot.frame)
        for verdict in verdicts:
            self._out(verdict)
        self._sent = snapshot.seq if snapshot is not None else after
        if self._lost:
            # What was just told is of a history that went while this socket attached.
            self._shell.recover()
            return
        self._release(events)
        if self._paused:
            self._out(frames.PAUSED)
        if self._newest_view is not None:
            self.table(self._newest_view)
            self._newest_view = None
        self._shell.wake(0.0)

    def seated(self, epoch: int) -> None:
        """The seat was taken in the table's first hand."""
        if self._state is _State.CLOSED:
            return
        self._taking_seat = False
        self._epoch = epoch
        self._look_at_takers()
        self._shell.wake(0.0)

    def history_lost(self) -> None:
        """What was told is not in the log any more: events and commands are kept back until it is known what is."""
        self._held = []
        self._lost = True
        if self._state is _State.LIVE:
            self._shell.recover()

    def set_back(self, n: int, epoch: int | None, snapshot: Snapshot) -> None:
        """History was lost; the client gets the one that exists. Ends :meth:`history_lost`."""
        if self._state is not _State.LIVE:
            return
        self._lost = False
        self._epoch = epoch
        self._unanswered = 0
        self._pulse.forget()
        self._out(frames.encode(frames.SetBack(n)))
        self._out(snapshot.frame)
        self._sent = snapshot.seq
        self._release(())
        self._shell.wake(0.0)

    def event(self, event: Event) -> None:
        """The table's next event."""
        if self._held is not None:
            self._held.append(event)
            if len(self._held) > MOST_HELD:
                self.close(1001, "could not catch up")
            return
        if event.seq <= self._sent or self._state is not _State.LIVE:
            return
        if event.seq != self._sent + 1:
            self.close(1001, "events are missing")
            return
        self._sent = event.seq
        self._out(event.payload)
        if self._seat is not None and self._epoch is None and not self._taking_seat:
            self._taking_seat = True
            self._shell.take_seat()

    def verdict(self, outcome: Outcome, frame: bytes, now: float) -> None:
        """The verdict on one of this socket's commands."""
        if self._state is _State.CLOSED:
            return
        if outcome is Outcome.TAKEN_OVER:
            self.close(4009, "taken over by another socket")
            return
        if outcome is Outcome.SET_BACK:
            self.history_lost()
            return
        self._unanswered -= 1
        if outcome is Outcome.REFUSED:
            self._intake.charge(_REFUSED_COSTS)
        self._out(frame)
        if self._intake.waiting:
            self.drain(now)

    def given_up(self, n: int) -> None:
        """No engine would answer this command."""
        self._unanswered -= 1
        self._error("unavailable", "no engine answered; attach again to learn what counted", n)

    def table(self, view: TableView) -> None:
        """The table has changed."""
        if self._state is not _State.LIVE:
            self._newest_view = view
            return
        if view.version <= self._version:
            return
        self._version = view.version
        self._out(frames.encode(frames.Table(Raw(view.for_player(self.player)))))
        if view.closed:
            self.close(4010, "the table is closed")
        elif self._seat is not None and self.player is not None:
            if view.seat_of(self.player) != self._seat:
                self.close(4003, "not your seat any more")
            elif not view.is_present(self._seat):
                self._shell.present()

    def taken_over(self, seat: int, epoch: int) -> None:
        """A socket somewhere has taken a seat at this table."""
        if self._held is not None or self._taking_seat:
            # Which epoch is this socket's own is being found out.
            self._takers.append((seat, epoch))
        elif seat == self._seat and self._epoch is not None and epoch > self._epoch:
            self.close(4009, "taken over by another socket")

    def paused(self, paused: bool) -> None:
        """The table's log can't be reached, or it can again."""
        if paused is self._paused:
            return
        self._paused = paused
        if self._state is _State.LIVE:
            self._out(frames.PAUSED if paused else frames.GOING_ON)

    def refuse(self, code: str, detail: str) -> None:
        """Something that the client asked for, other than a command, was refused."""
        self._error(code, detail, None)

    def close(self, code: int, reason: str) -> None:
        """Ends the session from this side."""
        if self._state is _State.CLOSED:
            return
        self._state = _State.CLOSED
        metrics.CLOSED.labels(str(code)).inc()
        self._shell.close(code, reason)

    def lost(self) -> None:
        """The connection is gone."""
        self._state = _State.CLOSED

    # Within.

    def _frame(self, raw: bytes, now: float, arrived_ms: int) -> None:
        try:
            frame = frames.decode(raw)
        except frames.BadFrame as bad:
            self._error("bad_frame", bad.detail, bad.n)
            return
        match frame:
            case frames.Pong(ping_id):
                rtt = self._pulse.pong(ping_id, now)
                if rtt is not None:
                    metrics.RTT_SECONDS.observe(rtt)
            case frames.Ping(ping_id):
                self._out(frames.encode(frames.PongOut(ping_id, arrived_ms)))
            case frames.Attach():
                if self._state is _State.NEW:
                    self._state = _State.ATTACHING
                    self._shell.attach(frame)
                else:
                    self._error("already_attached", "attach is the first frame only", None)
            case frames.Ready():
                if self._may("a player is ready", None):
                    self._shell.ready(frame)
            case _:
                if self._may("only a seat has commands", frame.n):
                    self._command(frame, arrived_ms)

    def _may(self, what: str, n: int | None) -> bool:
        if self._state is not _State.LIVE:
            self._error("not_attached", "attach comes first", n)
            return False
        if self._seat is None:
            self._error("not_seated", what, n)
            return False
        return True

    def _command(self, frame: frames.SeatCommand, arrived_ms: int) -> None:
        if self._seat is None or self._epoch is None:
            self._error("not_started", "the table has had no hand yet", frame.n)
            return
        seen = self._pulse.bounded(frame.seen, self._sent)
        if self._shell.submit(Command(self._table, self._seat, self._epoch, seen, arrived_ms, frame)):
            self._unanswered += 1

    def _gate_open(self) -> bool:
        """Whether the next frame may be looked at now: it may be a command, and commands wait for some things."""
        if self._state is _State.LIVE:
            return self._held is None and not self._taking_seat and self._unanswered < MOST_UNANSWERED
        return self._state is _State.NEW

    def _release(self, events: Sequence[Event]) -> None:
        held, self._held = self._held or (), None
        for event in (*events, *held):
            self.event(event)
        self._look_at_takers()

    def _look_at_takers(self) -> None:
        takers, self._takers = self._takers, []
        for seat, epoch in takers:
            self.taken_over(seat, epoch)

    def _error(self, code: str, detail: str, n: int | None) -> None:
        metrics.BAD_FRAMES.labels(code).inc()
        self._intake.charge(_ERROR_COSTS)
        self._out(frames.encode(frames.Error(code, detail, n)))

    def _out(self, payload: bytes) -> None:
        if self._state is not _State.CLOSED:
            self._shell.send(payload)
