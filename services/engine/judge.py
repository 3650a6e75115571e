"""Commands in, verdicts out: judged by the rules in Python, decided by the referee, in batches.

The commands of one turn of the event loop travel in one batch, one call of the referee per table, and at most two
batches are under way: while they are, the next one gathers, so that load makes batches large and nobody waits for a
timer. A seat's commands form a lane: those in a batch are judged one on top of the other, each on the layout that the
ones before it would leave; what comes after waits until they are decided. If one of them didn't do what was expected,
the referee calls the ones behind it stale; they are judged again on the true layout, in their order.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final, NamedTuple

from services.engine import metrics, traces
from services.engine.layouts import Belief, Beliefs, belief, judge
from services.engine.port import Command, Judged, Referee, Ruling, Status
from services.rules.moves import Vote
from services.runtime.errors import Fault
from services.runtime.log import logger

BATCHES: Final = 2
"""How many batches may be under way."""
BATCH_COMMANDS: Final = 1024
"""How many commands one batch holds; the rest waits for the next."""
TRIES: Final = 8
"""How often a command is judged before it is given back as unavailable: each try means that the layout had changed."""
SEATS: Final = 50_000
"""How many seats' layouts are remembered."""

_log = logger(__name__)


class Answer(NamedTuple):
    """What became of a command; ``frame`` is the verdict as the client gets it, empty if UNAVAILABLE."""

    command: Command
    status: Status
    frame: bytes


@dataclass(slots=True)
class _Waiting:
    command: Command
    answer: Callable[[Answer], None]
    since: float
    tries: int = 0
    trace: str = ""
    """W3C ``traceparent`` of a command that is traced."""


@dataclass(slots=True)
class _Lane:
    """One seat's commands that are not decided yet, in order. While it is ``under_way`` it is in a batch."""

    seat: tuple[str, int]
    queue: deque[_Waiting] = field(default_factory=deque)
    under_way: bool = False


class _Entry(NamedTuple):
    lane: _Lane
    waiting: _Waiting
    judged: Judged
    after: Belief


_Batch = dict[str, list[_Entry]]


class Judge:
    """The way of every command. ``voted`` is told the table of each vote that was kept."""

    def __init__(
        self, referee: Referee, *, seats: int = SEATS, voted: Callable[[str], None] = lambda table: None
    ) -> None:
        self._referee = referee
        self._beliefs = Beliefs(seats)
        self._voted = voted
        self._lanes: dict[tuple[str, int], _Lane] = {}
        self._ready: dict[tuple[str, int], _Lane] = {}
        self._under_way: set[asyncio.Task[None]] = set()
        self._scheduled = False

    async def one(self, command: Command) -> Answer:
        """The answer to one command."""
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.submit(command, lambda answer: None if answered.done() else answered.set_result(answer))
        return await answered

    def submit(self, command: Command, answer: Callable[[Answer], None], trace: str = "") -> None:
        """Takes a command; ``answer`` is called exactly once, later. In order for the commands of one seat."""
        seat = (command.table, command.seat)
        lane = self._lanes.get(seat)
        if lane is None:
            lane = self._lanes[seat] = _Lane(seat)
        lane.queue.append(_Waiting(command, answer, perf_counter(), trace=trace))
        if not lane.under_way:
            self._ready[seat] = lane
            self._schedule()

    async def drain(self) -> None:
        """Returns when every command that was taken is answered."""
        while self._lanes:
            if self._under_way:
                await asyncio.wait(self._under_way)
            else:
                await asyncio.sleep(0)  # the next batch is about to be sent

    def _schedule(self) -> None:
        if not self._scheduled and len(self._under_way) < BATCHES:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._send)

    def _send(self) -> None:
        self._scheduled = False
        if not self._ready or len(self._under_way) >= BATCHES:
            return
        task = asyncio.create_task(self._decide(self._gather()))
        self._under_way.add(task)
        task.add_done_callback(self._arrived)
        if self._ready:
            self._schedule()

    def _arrived(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("batch failed", exc_info=task.exception())
        if self._ready:
            self._schedule()

    def _gather(self) -> _Batch:
        """The next batch: whole lanes, oldest first, each command judged on what those before it would leave."""
        batch: _Batch = {}
        size, now = 0, perf_counter()
        while self._ready and size < BATCH_COMMANDS:
            seat = next(iter(self._ready))
            lane = self._ready.pop(seat)
            lane.under_way = True
            believed = self._beliefs.get(seat)
            metrics.QUEUE_SECONDS.observe(now - lane.queue[0].since)
            entries = batch.setdefault(seat[0], [])
            size += len(lane.queue)
            for waiting in lane.queue:
                judged, believed = judge(waiting.command, believed)
                entries.append(_Entry(lane, waiting, judged, believed))
            lane.queue.clear()
        metrics.BATCH_COMMANDS.observe(size)
        metrics.UNDECIDED.set(len(self._lanes))
        return batch

    async def _decide(self, batch: _Batch) -> None:
        calls = [(table, [entry.judged for entry in entries]) for table, entries in batch.items()]
        sent = perf_counter()
        rulings: list[list[Ruling]]
        try:
            rulings = await self._referee.judge(calls)
            metrics.SCRIPT_SECONDS.observe(perf_counter() - sent)
        except Fault:
            metrics.BATCHES_FAILED.inc()
            rulings = [[Ruling(Status.UNAVAILABLE)] * len(judged) for _, judged in calls]
        except BaseException:
            self._settle(batch, [[Ruling(Status.UNAVAILABLE)] * len(judged) for _, judged in calls], sent)
            raise
        self._settle(batch, rulings, sent)

    def _settle(self, batch: _Batch, rulings: list[list[Ruling]], sent: float) -> None:
        for entries, of_table in zip(batch.values(), rulings, strict=True):
            again: dict[tuple[str, int], list[_Waiting]] = {}
            for entry, ruling in zip(entries, of_table, strict=True):
                if self._is_stale(entry, ruling):
                    again.setdefault(entry.lane.seat, []).append(entry.waiting)
                else:
                    self._answer(entry, ruling, sent)
            for entry in entries:
                self._release(entry.lane, again.pop(entry.lane.seat, ()))
        metrics.UNDECIDED.set(len(self._lanes))

    def _is_stale(self, entry: _Entry, ruling: Ruling) -> bool:
        """Whether the command has to be judged again; it then is, on what the referee says that the seat has."""
        if ruling.status is not Status.STALE:
            return False
        metrics.STALE.inc()
        entry.waiting.tries += 1
        try:
            self._beliefs.put(entry.lane.seat, belief(ruling.layout, ruling.options))
        except ValueError as error:
            # What is stored is none of ours; other tables must not suffer for it.
            _log.error("no layout", table=entry.lane.seat[0], seat=entry.lane.seat[1], exc_info=error)
            return False
        return entry.waiting.tries < TRIES

    def _answer(self, entry: _Entry, ruling: Ruling, sent: float) -> None:
        status = ruling.status
        if status is Status.STALE:
            status = Status.UNAVAILABLE
        if status in (Status.APPLIED, Status.TIED) and not ruling.again:
            self._beliefs.put(entry.lane.seat, entry.after)
            if isinstance(entry.judged.command.action, Vote):
                self._voted(entry.lane.seat[0])
        elif status in (Status.UNAVAILABLE, Status.UNKNOWN):
            self._beliefs.forget(entry.lane.seat)
        metrics.judged(entry.judged.command, status, ruling.again, ruling.gap_ms)
        waiting, now = entry.waiting, perf_counter()
        metrics.TOTAL_SECONDS.observe(now - waiting.since)
        if waiting.trace:
            traces.told(
                waiting.trace, waiting.command, status, since=waiting.since, sent=sent, now=now, tries=waiting.tries
            )
        entry.waiting.answer(Answer(entry.judged.command, status, ruling.frame))

    def _release(self, lane: _Lane, again: list[_Waiting] | tuple[()]) -> None:
        lane.under_way = False
        lane.queue.extendleft(reversed(again))
        if lane.queue:
            self._ready[lane.seat] = lane
            self._schedule()
        else:
            self._lanes.pop(lane.seat, None)
