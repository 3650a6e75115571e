"""A seat's direct line: begins at a snapshot, misses no event, and comes again when it was of no more use."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.client import frames
from services.client.models import Table, TableSeat, TableState
from services.loadtest.direct.backend import Snapshot, Taken
from services.loadtest.direct.line import DirectLine
from services.loadtest.direct.stream import Stream
from services.loadtest.place import Departures, Place
from services.loadtest.shared_history import Book
from services.rules.moves import Recycle
from services.runtime.errors import FailedPrecondition, NotFound, Unavailable

WAIT_S = 20.0
TABLE = Table("t", 1, TableState.OPEN, (TableSeat(0, "p"),))
ATTACH = frames.attach(seat=True, after=None, n=5)


def event(seq: int) -> bytes:
    return b'{"seq":%d,"at":1,"e":"start","d":"%016d"}' % (seq, seq)


class Backend:
    """Engines and a lobby, one that has no hand at first."""

    def __init__(self) -> None:
        self.unprepared = 1
        self.taken_after: list[int] = []
        self.said: list[str] = []
        self.refusal: FailedPrecondition | None = None
        self.line: DirectLine | None = None

    def stream(self, table: str) -> Stream:
        raise Unavailable("UNAVAILABLE", "no engine")

    async def attach(self, table: str, seat: int, after_n: int) -> Taken:
        if self.unprepared:
            self.unprepared -= 1
            raise NotFound("UNKNOWN_TABLE")
        self.taken_after.append(after_n)
        return Taken(7, 9, (b'{"t":"verdict","n":9,"v":"applied","seq":3}',))

    async def snapshot(self, table: str) -> Snapshot:
        assert self.line is not None
        # Published while the snapshot is on its way: one that it contains, and the one after it.
        self.line.published([event(4), event(5)])
        return Snapshot(4, b'{"t":"snapshot","seq":4}')

    async def ready(self, table: str, player: str, nonce: str) -> None:
        if self.refusal is not None:
            raise self.refusal
        self.said.append(f"ready {player} {nonce}")

    async def present(self, table: str, player: str) -> None:
        self.said.append(f"present {player}")


class Hearing:
    def __init__(self) -> None:
        self.lines: list[DirectLine] = []

    async def join(self, line: DirectLine) -> Table:
        self.lines.append(line)
        return TABLE

    def leave(self, line: DirectLine) -> None:
        if line in self.lines:
            self.lines.remove(line)


class Listener:
    """Attaches at each opening, and notes what comes."""

    def __init__(self) -> None:
        self.line: DirectLine | None = None
        self.openings = 0
        self.came: asyncio.Queue[bytes] = asyncio.Queue()

    def opened(self) -> None:
        assert self.line is not None
        self.openings += 1
        self.line.send(ATTACH)

    def received(self, frame: bytes) -> None:
        self.came.put_nowait(frame)

    def lost(self) -> bool:
        return True

    async def next(self) -> bytes:
        async with asyncio.timeout(WAIT_S):
            return await self.came.get()


@asynccontextmanager
async def kept_up() -> AsyncIterator[tuple[DirectLine, Listener, Backend, Hearing]]:
    backend, hearing, listener = Backend(), Hearing(), Listener()
    place = Place("t", (), Book(), Departures(), player="p", seat=0)
    line = backend.line = listener.line = DirectLine(place, listener, backend, hearing)
    task = asyncio.create_task(line.keep_up())
    try:
        yield line, listener, backend, hearing
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def begun(listener: Listener) -> list[bytes]:
    return [await listener.next() for _ in range(4)]


async def test_a_life_begins_with_welcome_snapshot_and_kept_verdicts_then_each_event_that_follows() -> None:
    async with kept_up() as (line, listener, backend, _):
        welcome, snapshot, verdict, first = await begun(listener)
        told = json.loads(welcome)
        assert (told["t"], told["n"], told["seat"], told["resumed"]) == ("welcome", 9, 0, False)
        assert frames.parse(welcome)
        assert json.loads(snapshot)["seq"] == 4
        assert json.loads(verdict)["n"] == 9
        assert first == event(5), "what the snapshot contains is not told again"
        line.published([event(6)])
        assert await listener.next() == event(6)
        assert backend.taken_after == [5]
        assert backend.said == ["present p"]


async def test_readiness_goes_to_the_lobby_and_its_refusal_comes_back_as_the_edge_would_say_it() -> None:
    async with kept_up() as (line, listener, backend, _):
        await begun(listener)
        line.send(frames.ready(True, "salt"))
        backend.refusal = None
        async with asyncio.timeout(WAIT_S):
            while "ready p salt" not in backend.said:
                await asyncio.sleep(0)
        backend.refusal = FailedPrecondition("TABLE_CLOSED")
        line.send(frames.ready(True, "salt"))
        assert json.loads(await listener.next())["code"] == "ready_refused"


async def test_without_an_engine_the_life_ends_and_the_next_one_attaches_anew() -> None:
    async with kept_up() as (line, listener, backend, hearing):
        await begun(listener)
        line.send(frames.command(10, 1, 5, "d5", Recycle()))
        await begun(listener)
        assert listener.openings == 2
        assert backend.taken_after == [5, 5]
        assert hearing.lines == [line]


async def test_a_verdict_of_an_earlier_life_is_not_told() -> None:
    async with kept_up() as (line, listener, _, _):
        await begun(listener)
        line.drop()
        await begun(listener)
        line.answered(1, b"old")
        line.failed(1)
        line.answered(2, b"new")
        assert await listener.next() == b"new"
        assert listener.openings == 2
