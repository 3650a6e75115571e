"""One engine's stream of commands. Commands that come in one turn of the event loop travel in one message.

At most two messages are unanswered at a time: that is what makes batches form under load, with no timer, and none of
them waits when there is none. A stream that breaks is opened again for as long as the process lives; what was on it
moves to other engines (``plays``). Knows no gRPC: only the port below.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final, Protocol

from services.gateway import metrics
from services.gateway.commands import Command, Verdict
from services.gateway.lane import Lane, Pending
from services.gateway.tasks import until_first_ends
from services.runtime.errors import Fault
from services.runtime.log import logger

MOST_TOGETHER: Final = 256
MOST_BATCHES: Final = 2
AGAIN_SECONDS: Final = (0.05, 0.1, 0.2, 0.5)

_log = logger(__name__)


class Stream(Protocol):
    """An open two-way stream to an engine. A break raises a ``Fault`` in either direction."""

    async def write(self, commands: Sequence[Command]) -> None:
        """Sends one batch."""

    async def read(self) -> Sequence[Verdict]:
        """The next verdicts."""

    def cancel(self) -> None:
        """Ends it at once."""


Open = Callable[[], Awaitable[Stream]]
"""Connects and opens a stream; raises a ``Fault`` if that can't be done."""


Clock = Callable[[], float]
"""Seconds that never go back."""


class _Batch:
    __slots__ = ("left", "sent_at")

    def __init__(self, left: int, sent_at: float) -> None:
        self.left = left
        self.sent_at = sent_at


_Sent = tuple[Pending, int, _Batch]


class Watcher(Protocol):
    """Who is told what becomes of a link."""

    def opened(self, link: Link) -> None:
        """Commands may travel on it."""

    def broke(self, link: Link, lanes: Sequence[Lane]) -> None:
        """The commands of these lanes were on it."""


class Link:
    """The stream to one engine and what is on it."""

    def __init__(self, address: str, open_stream: Open, watcher: Watcher, now: Clock) -> None:
        self.address = address
        self.ready = False
        """Whether the stream is open."""
        self.silent = False
        """Whether it has stopped answering."""
        self._open = open_stream
        self._watcher = watcher
        self._now = now
        self._stream: Stream | None = None
        self._queue: deque[tuple[Pending, int]] = deque()
        self._sent: dict[tuple[str, int, int], deque[_Sent]] = {}
        self._batches: deque[_Batch] = deque()
        self._heard_at = 0.0
        self._work = asyncio.Event()

    def put(self, pending: Pending) -> None:
        """Has the command travel with the next batch."""
        self._queue.append((pending, pending.lane.attempt))
        self._work.set()

    @property
    def queued(self) -> int:
        """How many commands wait for a batch."""
        return len(self._queue)

    def silence(self, now: float) -> float:
        """Seconds for which it has owed an answer and given none."""
        return now - max(self._heard_at, self._batches[0].sent_at) if self._batches else 0.0

    def take_overdue(self, before: float) -> list[Lane]:
        """The lanes that have had a command on it since ``before``; it is no longer waited for here."""
        if not self._batches or self._batches[0].sent_at >= before:
            return []
        pendings = []
        for key, sent in list(self._sent.items()):
            while sent and sent[0][2].sent_at < before:
                pending, attempt, batch = sent.popleft()
                batch.left -= 1
                if attempt == pending.lane.attempt:
                    pendings.append(pending)
            if not sent:
                del self._sent[key]
        self._drop_done()
        return _lanes(pendings)

    def take_lanes(self) -> list[Lane]:
        """Every lane with a command on it or queued; what is queued leaves it. Late answers are still taken."""
        lanes = _lanes([*(p for sent in self._sent.values() for p, _, _ in sent), *(p for p, _ in self._queue)])
        self._queue.clear()
        return lanes

    def reset(self) -> None:
        """Ends the stream, to be opened anew."""
        if self._stream is not None:
            self._stream.cancel()

    async def run(self) -> None:
        """Keeps the stream open and moves what is on it. Never returns."""
        failures = 0
        while True:
            try:
                self._stream = stream = await self._open()
                failures = 0
                await self._serve(stream)
            except Fault as fault:
                _log.warning("engine stream broke", engine=self.address, fault=str(fault))
            finally:
                self._end()
            await asyncio.sleep(AGAIN_SECONDS[min(failures, len(AGAIN_SECONDS) - 1)])
            failures += 1

    async def _serve(self, stream: Stream) -> None:
        self.ready, self.silent = True, False
        self._heard_at = self._now()
        self._watcher.opened(self)
        await until_first_ends(self._write(stream), self._read(stream))

    async def _write(self, stream: Stream) -> None:
        while True:
            await self._work.wait()
            self._work.clear()
            while self._queue and len(self._batches) < MOST_BATCHES:
                commands = self._next_batch()
                if commands:
                    metrics.BATCH_SIZE.observe(len(commands))
                    await stream.write(commands)

    def _next_batch(self) -> list[Command]:
        """Moves what is due from the queue to what is on the stream."""
        batch = _Batch(0, self._now())
        commands: list[Command] = []
        while self._queue and len(commands) < MOST_TOGETHER:
            pending, attempt = self._queue.popleft()
            if pending.lane.closed or pending.lane.attempt != attempt:
                continue
            pending.sent = True
            command = pending.command
            key = (command.table, command.seat, command.n)
            self._sent.setdefault(key, deque()).append((pending, attempt, batch))
            commands.append(command)
        if commands:
            batch.left = len(commands)
            self._batches.append(batch)
        return commands

    async def _read(self, stream: Stream) -> None:
        while True:
            verdicts = await stream.read()
            now = self._heard_at = self._now()
            self.silent = False
            for verdict in verdicts:
                self._answer(verdict, now)
            self._drop_done()

    def _answer(self, verdict: Verdict, now: float) -> None:
        key = (verdict.table, verdict.seat, verdict.n)
        sent = self._sent.get(key)
        if sent is None:
            return
        pending, attempt, batch = sent.popleft()
        if not sent:
            del self._sent[key]
        batch.left -= 1
        pending.lane.answer(pending, attempt, verdict, now)

    def _drop_done(self) -> None:
        self._batches = deque(batch for batch in self._batches if batch.left > 0)
        if self._queue:
            self._work.set()

    def _end(self) -> None:
        """The stream is gone: hands over what was on it."""
        self.ready = False
        self._stream = None
        now = self._now()
        on_it = [pending for sent in self._sent.values() for pending, _, _ in sent]
        lanes = self.take_lanes()
        self._sent.clear()
        self._batches.clear()
        for pending in on_it:
            pending.lane.broken(pending, now)
        self._watcher.broke(self, lanes)


def _lanes(pendings: Iterable[Pending]) -> list[Lane]:
    return list(dict.fromkeys(pending.lane for pending in pendings if not pending.lane.closed))
