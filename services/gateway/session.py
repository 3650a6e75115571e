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
from services.gateway.bucket import Bucket, Rate
from services.gateway.commands import Command, Outcome, Snapshot
from services.gateway.events import Event
from services.gateway.intake import Intake
from services.gateway.pulse import Pulse
from services.gateway.shell import Shell
from services.gateway.story import Story
from services.gateway.table_view import TableView
from services.gateway.tenure import Tenure

MOST_UNANSWERED: Final = 32
EMOTE_RATE: Final = Rate(per_second=0.5, burst=3)
"""Emotes of one seat. A new socket begins with a single one, so that nobody gains by attaching anew."""
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
        *("_emotes", "_intake", "_newest_view", "_paused", "_pulse", "_shell", "_state", "_story", "_table"),
        *("_tenure", "_unanswered", "_version", "_watchers", "player"),
    )

    def __init__(self, shell: Shell, table: str, player: str | None, rate: Rate, now: float) -> None:
        self._shell = shell
        self._table = table
        self.player = player
        """The session's player; None for an anonymous spectator."""
        self._state = _State.NEW
        self._tenure = Tenure()
        self._story = Story()
        self._unanswered = 0
        self._version = 0
        self._newest_view: TableView | None = None
        self._paused = False
        self._watchers = 0
        self._intake = Intake(rate, now)
        self._emotes = Bucket(EMOTE_RATE, now, tokens=1.0)
        self._pulse = Pulse(now)

    @property
    def seat(self) -> int | None:
        """The seat that this socket plays; None: it watches."""
        return self._tenure.seat

    @property
    def epoch(self) -> int | None:
        """The seat's epoch, once the table has had a hand."""
        return self._tenure.epoch

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
        elif intake.turned():
            self._shell.read(intake.reading)

    def tick(self, now: float) -> float | None:
        """Pings. Gives the seconds until the next tick, None when there is none."""
        if self._state is _State.CLOSED:
            return None
        if not self._intake.reading or self._intake.waiting:
            self._pulse.excuse(now)
        if self._pulse.silent(now):
            self.close(4008, "no pong")
            return None
        if self._state is not _State.LIVE:
            return self._pulse.delay()
        self._out(frames.encode(frames.PingOut(self._pulse.ping(now, self._story.told), self._pulse.rtt_ms)))
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
        self._tenure.seat = seat
        self._tenure.epoch = epoch
        self._version = view.version
        table = view.for_player(self.player)
        hello = frames.Welcome(frames.VERSION, self.player, seat, n, resumed, set_back, Raw(table), now_ms)
        self._out(frames.encode(hello))
        if snapshot is not None:
            self._out(snapshot.frame)
        for verdict in verdicts:
            self._out(verdict)
        self._story.told = snapshot.seq if snapshot is not None else after
        if self._story.lost:
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
        self._tenure.taking = False
        self._tenure.epoch = epoch
        self._look_at_takers()
        self._shell.wake(0.0)

    def history_lost(self) -> None:
        """What was told is not in the log any more: events and commands are kept back until it is known what is."""
        self._story.lose()
        if self._state is _State.LIVE:
            self._shell.recover()

    def set_back(self, n: int, epoch: int | None, snapshot: Snapshot) -> None:
        """History was lost; the client gets the one that exists. Ends :meth:`history_lost`."""
        if self._state is not _State.LIVE:
            return
        self._story.lost = False
        self._tenure.epoch = epoch
        self._unanswered = 0
        self._pulse.forget()
        self._out(frames.encode(frames.SetBack(n)))
        self._out(snapshot.frame)
        self._story.told = snapshot.seq
        self._release(())
        self._shell.wake(0.0)

    def event(self, event: Event) -> None:
        """The table's next event."""
        story = self._story
        if story.held is not None:
            if not story.hold(event):
                self.close(1001, "could not catch up")
            return
        if event.seq <= story.told or self._state is not _State.LIVE:
            return
        if event.seq != story.told + 1:
            self.close(1001, "events are missing")
            return
        story.told = event.seq
        self._out(event.payload)
        if self._tenure.untaken:
            self._tenure.taking = True
            self._shell.take_seat()

    def verdict(self, outcome: Outcome, frame: bytes, now: float) -> None:
        """The verdict on one of this socket's commands."""
        if self._state is _State.CLOSED:
            return
        if outcome is Outcome.TAKEN_OVER:
            self._superseded()
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
        elif self.seat is not None and self.player is not None:
            if view.seat_of(self.player) != self.seat:
                self.close(4003, "not your seat any more")
            elif not view.is_present(self.seat):
                self._shell.present()

    def taken_over(self, seat: int, epoch: int) -> None:
        """A socket somewhere has taken a seat at this table."""
        if self._story.held is not None or self._tenure.taking:
            # Which epoch is this socket's own is being found out.
            self._tenure.note(seat, epoch)
        elif self._tenure.lost_to(seat, epoch):
            self._superseded()

    def paused(self, paused: bool) -> None:
        """The table's log can't be reached, or it can again."""
        if paused is self._paused:
            return
        self._paused = paused
        if self._state is _State.LIVE:
            self._out(frames.PAUSED if paused else frames.GOING_ON)

    def emote(self, frame: bytes) -> None:
        """A seat has sent an emote. Who is not here yet has missed it."""
        if self._state is _State.LIVE:
            self._out(frame)

    def watchers(self, count: int) -> None:
        """So many watch the table; a client that has heard of none takes it for 0."""
        if self._state is _State.LIVE and count != self._watchers:
            self._watchers = count
            self._out(frames.encode(frames.Watchers(count)))

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
            case frames.Emote():
                if self._may("only a seat has emotes", None):
                    self._emote(frame, now)
            case _:
                if self._may("only a seat has commands", frame.n):
                    self._command(frame, arrived_ms)

    def _may(self, what: str, n: int | None) -> bool:
        if self._state is not _State.LIVE:
            self._error("not_attached", "attach comes first", n)
            return False
        if self._tenure.seat is None:
            self._error("not_seated", what, n)
            return False
        return True

    def _command(self, frame: frames.SeatCommand, arrived_ms: int) -> None:
        seat, epoch = self._tenure.seat, self._tenure.epoch
        if seat is None or epoch is None:
            self._error("not_started", "the table has had no hand yet", frame.n)
            return
        seen = self._pulse.bounded(frame.seen, self._story.told)
        if self._shell.submit(Command(self._table, seat, epoch, seen, arrived_ms, frame)):
            self._unanswered += 1

    def _emote(self, frame: frames.Emote, now: float) -> None:
        if self._tenure.seat is None:
            return
        if not self._emotes.take(now):
            metrics.EMOTES.labels("too_many").inc()
            self._error("too_many_emotes", f"the next one in {self._emotes.wait(now):.1f} s", None)
            return
        self._intake.charge(-1.0)  # An emote has a bucket of its own: it costs nothing of what plays have.
        self._shell.emote(frames.EmoteOut(self._tenure.seat, frame.emote))

    def _gate_open(self) -> bool:
        """Whether the next frame may be looked at now: it may be a command, and commands wait for some things."""
        if self._state is _State.LIVE:
            return self._story.held is None and not self._tenure.taking and self._unanswered < MOST_UNANSWERED
        return self._state is _State.NEW

    def _release(self, events: Sequence[Event]) -> None:
        for event in (*events, *self._story.release()):
            self.event(event)
        self._look_at_takers()

    def _look_at_takers(self) -> None:
        if self._tenure.lost_early():
            self._superseded()

    def _superseded(self) -> None:
        self.close(4009, "taken over by another socket")

    def _error(self, code: str, detail: str, n: int | None) -> None:
        metrics.BAD_FRAMES.labels(code).inc()
        self._intake.charge(_ERROR_COSTS)
        self._out(frames.encode(frames.Error(code, detail, n)))

    def _out(self, payload: bytes) -> None:
        if self._state is not _State.CLOSED:
            self._shell.send(payload)
