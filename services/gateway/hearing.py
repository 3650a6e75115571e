"""What the client of one table socket says: the inward half of a session.

Takes frames in as fast as they may come, answers at once what can be answered at once, and passes the rest on through
:class:`Shell`. Knows which frames a client may send when, and how much its word is worth.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from services.gateway import frames, metrics
from services.gateway.bucket import Bucket, Rate
from services.gateway.commands import Command
from services.gateway.intake import Intake
from services.gateway.opening import Opening
from services.gateway.pulse import Pulse
from services.gateway.shell import Shell
from services.gateway.story import Story
from services.gateway.tenure import Tenure

MOST_UNANSWERED: Final = 32
EMOTE_RATE: Final = Rate(per_second=0.5, burst=3)
"""Emotes of one player, over all sockets at an edge. A new bucket holds a single one: nobody gains by another edge."""
REFUSED_COSTS: Final = 2.0
_ERROR_COSTS: Final = 4.0


class State(Enum):
    """How far a socket has come."""

    NEW = 0
    ATTACHING = 1
    LIVE = 2
    CLOSED = 3


class Hearing:
    """What one socket needs to understand its client."""

    __slots__ = (
        *("_emotes", "_intake", "_opening", "_pulse", "_shell", "_state", "_story", "_table", "_tenure", "_unanswered"),
        "player",
    )

    def __init__(
        self, shell: Shell, table: str, player: str | None, rate: Rate, now: float, emotes: Bucket | None = None
    ) -> None:
        self._shell = shell
        self._table = table
        self.player = player
        """The session's player; None for an anonymous spectator."""
        self._state = State.NEW
        self._tenure = Tenure()
        self._story = Story()
        self._unanswered = 0
        self._intake = Intake(rate, now)
        self._emotes = emotes or Bucket(EMOTE_RATE, now, tokens=1.0)
        self._pulse = Pulse(now)
        self._opening: Opening | None = None

    @property
    def seat(self) -> int | None:
        """The seat that this socket plays; None: it watches."""
        return self._tenure.seat

    @property
    def epoch(self) -> int | None:
        """The seat's epoch, once the table has had a hand."""
        return self._tenure.epoch

    @property
    def rtt_ms(self) -> int | None:
        """The round trip of the last ping that was answered."""
        return self._pulse.rtt_ms

    @property
    def live(self) -> bool:
        """Whether it was welcomed and not closed."""
        return self._state is State.LIVE

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
        if self._state is State.CLOSED:
            return
        if not self._gate_open():
            intake.excuse()
        if intake.flooded(now):
            self.close(4029, "too many frames")
        elif intake.turned():
            self._shell.read(intake.reading)

    def refuse(self, code: str, detail: str) -> None:
        """Something that the client asked for, other than a command, was refused."""
        self._error(code, detail, None)

    def close(self, code: int, reason: str) -> None:
        """Ends the session from this side."""
        if self._state is State.CLOSED:
            return
        self._state = State.CLOSED
        metrics.CLOSED.labels(str(code)).inc()
        self._shell.close(code, reason)

    def lost(self) -> None:
        """The connection is gone, and nothing is asked of the shell any more.

        It is let go, since it holds this session: a circle would keep all that a socket had until the collector comes.
        """
        self._state = State.CLOSED
        del self._shell

    # Within.

    def _frame(self, raw: bytes, now: float, arrived_ms: int) -> None:
        try:
            frame = frames.decode(raw)
        except frames.BadFrame as bad:
            self._error("bad_frame", bad.detail, bad.n)
            return
        match frame:
            case frames.Pong(ping_id):
                self._pong(ping_id, now)
            case frames.Ping(ping_id):
                self._out(frames.encode(frames.PongOut(ping_id, arrived_ms)))
            case frames.Attach():
                if self._state is State.NEW:
                    self._state = State.ATTACHING
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

    def _pong(self, ping_id: int, now: float) -> None:
        rtt = self._pulse.pong(ping_id, now)
        if rtt is None:
            return
        metrics.RTT_SECONDS.observe(rtt)
        if self._opening is not None and self._pulse.proven >= self._opening.last:
            self._opening = None

    def _may(self, what: str, n: int | None) -> bool:
        if self._state is not State.LIVE:
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
        seen = self._pulse.bounded(frame.seen, self._story.told, self._shown(frame))
        if self._shell.submit(Command(self._table, seat, epoch, seen, arrived_ms, frame)):
            self._unanswered += 1

    def _shown(self, frame: frames.SeatCommand) -> bool:
        """Whether the client knows the digest of the last event that it says it has seen."""
        if frame.digest == self._shell.digest_of(frame.seen):
            return True
        return self._opening is not None and frame.digest == self._opening.digest_of(frame.seen)

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
        if self._state is State.LIVE:
            return self._story.held is None and not self._tenure.taking and self._unanswered < MOST_UNANSWERED
        return self._state is State.NEW

    def _error(self, code: str, detail: str, n: int | None) -> None:
        metrics.BAD_FRAMES.labels(code).inc()
        self._intake.charge(_ERROR_COSTS)
        self._out(frames.encode(frames.Error(code, detail, n)))

    def _out(self, payload: bytes) -> None:
        if self._state is not State.CLOSED:
            self._shell.send(payload)
