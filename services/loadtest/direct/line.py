"""A seat's line to the engines: for the SDK's protocol it is a connection to the edge like any other.

It attaches with a call, begins at a snapshot, passes commands on and gives verdicts, events and tables back. It
measures nothing and bounds nothing; ``seen`` is what the seat says.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Coroutine
from typing import Any, Final, Protocol

import msgspec

from services.client.errors import ConnectionProblem
from services.client.frames import ErrorFrame, Welcome
from services.client.link import Listener
from services.client.models import Table
from services.loadtest.direct.backend import Request, Snapshot, Taken
from services.loadtest.direct.stream import Stream
from services.loadtest.line import PATIENCE_S
from services.loadtest.place import Place
from services.runtime.errors import FailedPrecondition, Fault, InvalidArgument, NotFound, PermissionDenied

_ATTACH: Final = b'{"t":"attach"'
_READY: Final = b'{"t":"ready"'
_AGAIN_S: Final = 0.1
_ATTACH_S: Final = 10.0


class Backend(Protocol):
    """What a line asks for. Any call raises a ``Fault``."""

    def stream(self, table: str) -> Stream:
        """The stream for the table's commands. Raises ``Unavailable`` if no engine can be reached."""

    def attach(self, table: str, seat: int, after_n: int) -> Awaitable[Taken]:
        """Takes the seat."""

    def snapshot(self, table: str) -> Awaitable[Snapshot]:
        """The table's public state."""

    def ready(self, table: str, player: str, nonce: str) -> Awaitable[None]:
        """The player is ready for the next hand."""

    def present(self, table: str, player: str) -> Awaitable[None]:
        """The player has come."""


class Hearing(Protocol):
    """The table, as its lines in this process hear it."""

    async def join(self, line: DirectLine) -> Table:
        """From now on the line is told; the table as it is now."""

    def leave(self, line: DirectLine) -> None:
        """Ends that."""


class _Attach(msgspec.Struct):
    n: int


class _Seq(msgspec.Struct):
    seq: int


class _Ready(msgspec.Struct):
    nonce: str


class DirectLine:
    """One seat's; its lives are what connections are to a socket."""

    def __init__(self, place: Place, listener: Listener, backend: Backend, hearing: Hearing) -> None:
        assert place.seat is not None
        assert place.player is not None
        self.close_code: int | None = None
        self._table = place.table
        self._seat = place.seat
        self._player = place.player
        self._listener = listener
        self._backend = backend
        self._hearing = hearing
        self._life = 0
        self._over: asyncio.Future[None] | None = None
        self._epoch = 0
        self._stream: Stream | None = None  # of this life: so its commands stay in order
        self._told: int | None = None  # the last event told; None: events are kept back
        self._early: list[bytes] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def keep_up(self) -> None:
        """Never returns. Raises :class:`ConnectionProblem` after a minute in which it could not attach."""
        loop = asyncio.get_running_loop()
        reached_at = loop.time()
        while True:
            self._life += 1
            self._told, self._early, self._stream = None, [], None
            self._over = loop.create_future()
            try:
                self._listener.opened()
                await self._over
            finally:
                self._over = None
                self._hearing.leave(self)
                for task in self._tasks:
                    task.cancel()
            if self._listener.lost():
                reached_at = loop.time()
            elif loop.time() - reached_at > PATIENCE_S:
                raise ConnectionProblem(f"table {self._table}: no engine or no lobby answers")
            await asyncio.sleep(_AGAIN_S)

    def send(self, frame: bytes) -> None:
        """Takes a frame of the seat, if there is a life."""
        if self._over is None:
            return
        if frame.startswith(_ATTACH):
            self._spawn(self._attach_soon(msgspec.json.decode(frame, type=_Attach).n))
        elif frame.startswith(_READY):
            self._spawn(self._ready(msgspec.json.decode(frame, type=_Ready).nonce))
        else:
            self._pass_on(Request(frame, self._table, self._seat, self._epoch, time.time_ns() // 1_000_000))

    def drop(self) -> None:
        """Ends this life; another one follows."""
        if self._over is not None and not self._over.done():
            self._over.set_result(None)

    async def close(self) -> None:
        """Nothing to say goodbye to."""

    # From the table and the stream.

    def published(self, frames: list[bytes]) -> None:
        """The table's next events."""
        if self._told is None:
            self._early += frames
            return
        for frame in frames:
            self._listener.received(frame)

    def table(self, frame: bytes) -> None:
        """The table has changed."""
        if self._told is not None:
            self._listener.received(frame)

    def answered(self, life: int, frame: bytes) -> None:
        """A verdict."""
        if life == self._life and self._over is not None:
            self._listener.received(frame)

    def failed(self, life: int) -> None:
        """A command has no verdict here: attaching anew tells what became of it."""
        if life == self._life:
            self.drop()

    # Within.

    def _pass_on(self, request: Request) -> None:
        try:
            stream = self._stream = self._stream or self._backend.stream(self._table)
        except Fault:
            self.drop()
            return
        stream.put(request, self, self._life)

    async def _attach_soon(self, after_n: int) -> None:
        async with asyncio.timeout(_ATTACH_S):
            await self._attach(after_n)

    async def _attach(self, after_n: int) -> None:
        table = await self._hearing.join(self)
        taken = await self._take(after_n)
        snapshot = await self._backend.snapshot(self._table)
        await self._backend.present(self._table, self._player)
        self._epoch = taken.epoch
        welcome = Welcome(self._player, self._seat, taken.last_n, False, False, table, time.time_ns() // 1_000_000)
        for frame in (msgspec.json.encode(welcome), snapshot.frame, *taken.verdicts):
            self._listener.received(frame)
        early = [frame for frame in self._early if msgspec.json.decode(frame, type=_Seq).seq > snapshot.seq]
        self._told, self._early = snapshot.seq, []
        self.published(early)

    async def _take(self, after_n: int) -> Taken:
        """Takes the seat, once the table's first hand is prepared."""
        while True:
            try:
                return await self._backend.attach(self._table, self._seat, after_n)
            except NotFound:
                await asyncio.sleep(_AGAIN_S)

    async def _ready(self, nonce: str) -> None:
        try:
            await self._backend.ready(self._table, self._player, nonce)
        except (InvalidArgument, FailedPrecondition, PermissionDenied) as fault:
            self._listener.received(msgspec.json.encode(ErrorFrame("ready_refused", str(fault))))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._or_drop(work), name="direct line")
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        """A mistake of ours ends the line, and with it the run."""
        self._tasks.discard(task)
        if (
            not task.cancelled()
            and (error := task.exception()) is not None
            and self._over is not None
            and not self._over.done()
        ):
            self._over.set_exception(error)

    async def _or_drop(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (Fault, TimeoutError):
            self.drop()
