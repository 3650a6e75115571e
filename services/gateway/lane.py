"""The commands of one seat's socket that have no verdict yet, in order, and what to do until they have.

Exactly one verdict leaves a lane for each command that goes in, however often it had to be sent: the referee makes each
number count once, and the lane passes on only the first real answer. All of a lane's commands travel on one link, so
that they stay in order. Knows no gRPC.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from services.gateway import metrics, traces
from services.gateway.commands import Command, Outcome, Verdict
from services.runtime import tracing

if TYPE_CHECKING:
    from opentelemetry.trace import Span

FIRST_BACKOFF_SECONDS: Final = 0.05
LONGEST_BACKOFF_SECONDS: Final = 1.0
MOST_BREAKS: Final = 8
"""A command on which so many streams broke is given up: it may be what breaks them."""


class Pending:
    """A command without a verdict."""

    __slots__ = ("arrived_at", "breaks", "command", "lane", "sent", "span")

    def __init__(self, lane: Lane, command: Command, now: float) -> None:
        self.lane = lane
        self.command = command
        self.arrived_at = now
        self.breaks = 0
        self.span: Span | None = None
        """Its trace, if it has one."""
        self.sent = False


class Carrier(Protocol):
    """What a lane's commands travel on: the link to an engine."""

    @property
    def address(self) -> str:
        """The engine's."""

    @property
    def ready(self) -> bool:
        """Whether it takes commands."""

    @property
    def silent(self) -> bool:
        """Whether it owes answers and gives none."""

    def put(self, pending: Pending) -> None:
        """Takes a command of a lane that chose it."""


class Pool(Protocol):
    """What a lane asks of the pool of links."""

    def choose(self, lane: Lane) -> Carrier | None:
        """The link that the lane's commands should travel on now; None: no engine answers."""

    def later(self, seconds: float, lane: Lane) -> None:
        """Has :meth:`Lane.send_again` called after so long."""

    def stranded(self, lane: Lane) -> None:
        """The lane found no engine: has :meth:`Lane.send_again` called when there is one."""

    def stuck(self, lane: Lane, on: bool) -> None:
        """The lane's table can't be judged at the moment, or it can again."""


class Listener(Protocol):
    """Who sent the commands."""

    def verdict(self, outcome: Outcome, frame: bytes, now: float) -> None:
        """The verdict on one command, at ``now`` seconds of the monotonic clock."""

    def given_up(self, n: int) -> None:
        """No engine would answer this one."""


class _OutOfOrder(msgspec.Struct):
    last: int


_last_of: Final[Callable[[bytes], _OutOfOrder]] = msgspec.json.Decoder(_OutOfOrder).decode


class Lane:
    """One socket's commands. ``attempt`` tells the answers to what was sent last from older ones."""

    __slots__ = (
        *("_backoff", "_listener", "_pending", "_pool", "_stuck", "_waiting", "attempt", "closed", "link", "table"),
        "preferences",
    )

    def __init__(self, pool: Pool, table: str, preferences: tuple[Carrier, ...], listener: Listener) -> None:
        self.table = table
        self.preferences = preferences
        """Links in the table's own order."""
        self.link: Carrier | None = None
        self.attempt = 0
        self.closed = False
        self._pool = pool
        self._listener = listener
        self._pending: dict[int, Pending] = {}
        self._waiting = False
        self._stuck = False
        self._backoff = FIRST_BACKOFF_SECONDS

    def submit(self, command: Command, now: float) -> bool:
        """Takes a command. False: it has come before and its verdict is on the way."""
        n = command.n
        if n in self._pending:
            return False
        pending = Pending(self, command, now)
        if tracing.share:
            pending.command, pending.span = traces.begin(command)
        self._pending[n] = pending
        if self._waiting:
            return True
        if len(self._pending) == 1 or self.link is None:
            self.link = self._pool.choose(self)
        if self.link is None:
            self._strand()
        else:
            self.link.put(pending)
        return True

    def answer(self, pending: Pending, attempt: int, verdict: Verdict, now: float) -> None:
        """An engine's answer to one of this lane's commands."""
        outcome, n = verdict.outcome, pending.command.n
        if self.closed or self._pending.get(n) is not pending:
            return
        if outcome is Outcome.UNAVAILABLE:
            if attempt == self.attempt:
                self._back_off()
            return
        if outcome is Outcome.OUT_OF_ORDER:
            if attempt != self.attempt:
                return
            if _last_of(verdict.frame).last + 1 in self._pending:
                self.send_again()
                return
        del self._pending[n]
        self._flow()
        if pending.span is not None:
            traces.answered(pending.span, outcome)
        metrics.VERDICTS_BY_OUTCOME[outcome].inc()
        metrics.PLAY_SECONDS_BY_OUTCOME[outcome].observe(now - pending.arrived_at)
        self._listener.verdict(outcome, verdict.frame, now)

    def send_again(self) -> None:
        """Sends everything that has no verdict once more, in order, on whatever link is best now."""
        if self.closed:
            return
        self.attempt += 1
        self._waiting = False
        self.link = self._pool.choose(self)
        if self.link is None:
            self._strand()
            return
        for n in sorted(self._pending):
            pending = self._pending[n]
            if pending.sent:
                metrics.COMMANDS_AGAIN.inc()
            self.link.put(pending)

    def broken(self, pending: Pending, now: float) -> None:
        """A stream broke with this command on it."""
        pending.breaks += 1
        n = pending.command.n
        if pending.breaks > MOST_BREAKS and self._pending.get(n) is pending and not self.closed:
            del self._pending[n]
            if pending.span is not None:
                traces.left(pending.span, "given up")
            metrics.VERDICTS_BY_OUTCOME[Outcome.UNAVAILABLE].inc()
            metrics.PLAY_SECONDS_BY_OUTCOME[Outcome.UNAVAILABLE].observe(now - pending.arrived_at)
            self._listener.given_up(n)

    def close(self) -> None:
        """The socket is gone. What was sent may still be judged; a later socket learns of it."""
        self.closed = True
        for pending in self._pending.values():
            if pending.span is not None:
                traces.left(pending.span, "the socket is gone")
        self._pending.clear()
        self._flow()

    def _back_off(self) -> None:
        self.attempt += 1
        self._waiting = True
        self._stop()
        self._pool.later(self._backoff, self)
        self._backoff = min(2 * self._backoff, LONGEST_BACKOFF_SECONDS)

    def _strand(self) -> None:
        self._waiting = True
        self._stop()
        self._pool.stranded(self)

    def _stop(self) -> None:
        if not self._stuck:
            self._stuck = True
            self._pool.stuck(self, True)

    def _flow(self) -> None:
        self._backoff = FIRST_BACKOFF_SECONDS
        if self._stuck:
            self._stuck = False
            self._pool.stuck(self, False)
