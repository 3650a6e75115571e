"""The stream of commands to one engine: what is sent in one turn of the event loop travels in one message.

At most two messages are unanswered at a time, as a gateway has it, so that batches form as they do there. A stream that
breaks is opened again; the lines with commands on it are dropped, attach anew, and send again what has no verdict.
Knows no gRPC: only the port below.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol

from services.loadtest.direct.backend import Request
from services.loadtest.direct.convert import Verdict
from services.runtime.errors import Fault

MOST_TOGETHER: Final = 256
MOST_BATCHES: Final = 2
_AGAIN_S: Final = 0.1


class Call(Protocol):
    """An open two-way stream to an engine. A break raises a ``Fault`` in either direction."""

    async def write(self, requests: Sequence[Request]) -> None:
        """Sends one batch."""

    async def read(self) -> Sequence[Verdict]:
        """The next verdicts."""


class Sender(Protocol):
    """Who sent a command."""

    def answered(self, life: int, frame: bytes) -> None:
        """The verdict on a command of this life of the line."""

    def failed(self, life: int) -> None:
        """A command of this life will have no verdict here."""


class _Batch:
    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


class Stream:
    """One engine's. Keep :meth:`run` running."""

    def __init__(self, address: str, open_call: Callable[[], Awaitable[Call]]) -> None:
        self.address = address
        self.ready = asyncio.Event()
        """Whether commands may travel on it."""
        self._open = open_call
        self._queue: deque[tuple[Request, Sender, int]] = deque()
        self._owed: dict[tuple[str, int], deque[tuple[Sender, int, _Batch]]] = {}
        self._batches: deque[_Batch] = deque()
        self._work = asyncio.Event()

    def put(self, request: Request, sender: Sender, life: int) -> None:
        """Has the command travel with the next batch; on a stream that is not open it fails at once."""
        if not self.ready.is_set():
            sender.failed(life)
            return
        self._queue.append((request, sender, life))
        self._work.set()

    async def run(self) -> None:
        """Keeps the stream open and moves what is on it. Never returns."""
        while True:
            try:
                await self._serve(await self._open())
            except Fault:
                self._break()
            await asyncio.sleep(_AGAIN_S)

    async def _serve(self, call: Call) -> None:
        self.ready.set()
        reading = asyncio.create_task(self._read(call))
        writing = asyncio.create_task(self._write(call))
        try:
            done, _ = await asyncio.wait([reading, writing], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reading, writing):
                task.cancel()
            await asyncio.gather(reading, writing, return_exceptions=True)
        for task in done:
            task.result()

    async def _write(self, call: Call) -> None:
        while True:
            await self._work.wait()
            self._work.clear()
            while self._queue and len(self._batches) < MOST_BATCHES:
                await call.write(self._next_batch())

    def _next_batch(self) -> list[Request]:
        """Moves what is due from the queue to what is owed."""
        sent = [self._queue.popleft() for _ in range(min(len(self._queue), MOST_TOGETHER))]
        batch = _Batch(len(sent))
        self._batches.append(batch)
        for request, sender, life in sent:
            self._owed.setdefault((request.table, request.seat), deque()).append((sender, life, batch))
        return [request for request, _, _ in sent]

    async def _read(self, call: Call) -> None:
        while True:
            for verdict in await call.read():
                self._answer(verdict)
            while self._batches and not self._batches[0].left:
                self._batches.popleft()
            if self._queue:
                self._work.set()

    def _answer(self, verdict: Verdict) -> None:
        """Verdicts of one seat come in the order of its commands."""
        key = verdict.table, verdict.seat
        owed = self._owed[key]
        sender, life, batch = owed.popleft()
        if not owed:
            del self._owed[key]
        batch.left -= 1
        if verdict.unavailable:
            sender.failed(life)
        else:
            sender.answered(life, verdict.frame)

    def _break(self) -> None:
        self.ready.clear()
        on_it = [(sender, life) for owed in self._owed.values() for sender, life, _ in owed]
        on_it += [(sender, life) for _, sender, life in self._queue]
        self._owed.clear()
        self._queue.clear()
        self._batches.clear()
        for sender, life in dict.fromkeys(on_it):
            sender.failed(life)
