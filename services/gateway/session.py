"""One table socket without the socket: frames in, frames out, and what it asks of the rest through :class:`Shell`.

Here is what the client gets, and in which order (docs/protocol.md); what it says is taken in by :class:`Hearing`. Both
know no network, no Redis, no gRPC and no clock: time comes as arguments, ``now`` in seconds of a monotonic clock,
``arrived_ms`` in Redis time.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Raw

from services.gateway import frames
from services.gateway.bucket import Bucket, Rate
from services.gateway.commands import Outcome, Snapshot
from services.gateway.events import Event, Run
from services.gateway.hearing import REFUSED_COSTS, Hearing, State
from services.gateway.opening import Opening
from services.gateway.shell import Shell
from services.gateway.table_view import TableView


class Session(Hearing):
    """The state of one table socket."""

    __slots__ = ("_newest_view", "_paused", "_version", "_watchers")

    def __init__(
        self, shell: Shell, table: str, player: str | None, rate: Rate, now: float, emotes: Bucket | None = None
    ) -> None:
        """``emotes``: the player's bucket, if it has one that outlives this socket."""
        super().__init__(shell, table, player, rate, now, emotes)
        self._version = 0
        self._newest_view: TableView | None = None
        self._paused = False
        self._watchers = 0

    def tick(self, now: float) -> float | None:
        """Pings. Gives the seconds until the next tick, None when there is none."""
        if self._state is State.CLOSED:
            return None
        if not self._intake.reading or self._intake.waiting:
            self._pulse.excuse(now)
        if self._pulse.silent(now):
            self.close(4008, "no pong")
            return None
        if self._state is not State.LIVE:
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

        ``after`` is the client's last event, and ``events`` those that follow it if ``resumed``; else ``snapshot`` says
        where the table stands (None: no hand was ever prepared).
        """
        if self._state is not State.ATTACHING:
            return
        self._state = State.LIVE
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
        if snapshot is not None:
            self._story.told = snapshot.seq
        elif resumed:
            self._story.told = after
        self._opening = Opening.of(snapshot, events)
        if not set_back:
            # What is sent again was played before the client came here. Its digest of ``after`` has been found in the
            # history, or that is too long ago to be replayed: either way it is not under way to this client.
            self._pulse.received = after
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
        if self._state is State.CLOSED:
            return
        self._tenure.taking = False
        self._tenure.epoch = epoch
        self._look_at_takers()
        self._shell.wake(0.0)

    def history_lost(self) -> None:
        """What was told is not in the log any more: events and commands are kept back until it is known what is."""
        self._story.lose()
        if self._state is State.LIVE:
            self._shell.recover()

    def set_back(self, n: int, epoch: int | None, snapshot: Snapshot) -> None:
        """History was lost; the client gets the one that exists. Ends :meth:`history_lost`."""
        if self._state is not State.LIVE:
            return
        self._story.lost = False
        self._tenure.epoch = epoch
        self._unanswered = 0
        self._pulse.forget()
        self._out(frames.encode(frames.SetBack(n)))
        self._out(snapshot.frame)
        self._opening = Opening.of(snapshot, ())
        self._story.told = snapshot.seq
        self._release(())
        self._shell.wake(0.0)

    def told(self, run: Run) -> None:
        """The table's next events."""
        story, events = self._story, run.events
        if story.held is not None or self._state is not State.LIVE or events[0].seq != story.told + 1:
            for event in events:
                self.event(event)
            return
        story.told = events[-1].seq
        self._shell.send_framed(run.framed, len(events))
        self._look_for_seat()

    def event(self, event: Event) -> None:
        """The table's next event, or one that was told before."""
        story = self._story
        if story.held is not None:
            if not story.hold(event):
                self.close(1001, "could not catch up")
            return
        if event.seq <= story.told or self._state is not State.LIVE:
            return
        if event.seq != story.told + 1:
            self.close(1001, "events are missing")
            return
        story.told = event.seq
        self._out(event.payload)
        self._look_for_seat()

    def verdict(self, outcome: Outcome, frame: bytes, now: float) -> None:
        """The verdict on one of this socket's commands."""
        if self._state is State.CLOSED:
            return
        if outcome is Outcome.TAKEN_OVER:
            self._superseded()
            return
        if outcome is Outcome.SET_BACK:
            self.history_lost()
            return
        self._unanswered -= 1
        if outcome is Outcome.REFUSED:
            self._intake.charge(REFUSED_COSTS)
        self._out(frame)
        if self._intake.waiting:
            self.drain(now)

    def given_up(self, n: int) -> None:
        """No engine would answer this command."""
        self._unanswered -= 1
        self._error("unavailable", "no engine answered; attach again to learn what counted", n)

    def table(self, view: TableView) -> None:
        """The table has changed."""
        if self._state is not State.LIVE:
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
        if self._state is State.LIVE:
            self._out(frames.PAUSED if paused else frames.GOING_ON)

    def emote(self, frame: bytes) -> None:
        """A seat has sent an emote. Who is not here yet has missed it."""
        if self._state is State.LIVE:
            self._out(frame)

    def watchers(self, count: int) -> None:
        """So many watch the table; a client that has heard of none takes it for 0."""
        if self._state is State.LIVE and count != self._watchers:
            self._watchers = count
            self._out(frames.encode(frames.Watchers(count)))

    def notice(self, frame: bytes) -> None:
        """The operators tell all players something, or nothing any more."""
        if self._state is State.LIVE:
            self._out(frame)

    # Within.

    def _release(self, events: Sequence[Event]) -> None:
        for event in (*events, *self._story.release()):
            self.event(event)
        self._look_at_takers()

    def _look_for_seat(self) -> None:
        """A table that has its first hand now has a seat to be taken."""
        if self._tenure.untaken:
            self._tenure.taking = True
            self._shell.take_seat()

    def _look_at_takers(self) -> None:
        if self._tenure.lost_early():
            self._superseded()

    def _superseded(self) -> None:
        self.close(4009, "taken over by another socket")
