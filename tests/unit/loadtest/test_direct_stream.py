"""The stream of a direct run to one engine: batches as a gateway makes them, and nothing owed when it breaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from pandemonium.engine.v1 import engine_pb2

from services.loadtest.direct.backend import Request
from services.loadtest.direct.convert import Verdict
from services.loadtest.direct.stream import MOST_BATCHES, Stream
from services.runtime.errors import Unavailable

WAIT_S = 20.0
APPLIED, UNAVAILABLE = engine_pb2.OUTCOME_APPLIED, engine_pb2.OUTCOME_UNAVAILABLE


class FakeCall:
    """An engine that answers when it is told to."""

    def __init__(self) -> None:
        self.batches: asyncio.Queue[Sequence[Request]] = asyncio.Queue()
        self.verdicts: asyncio.Queue[Sequence[Verdict] | Unavailable] = asyncio.Queue()

    async def write(self, requests: Sequence[Request]) -> None:
        self.batches.put_nowait(requests)

    async def read(self) -> Sequence[Verdict]:
        told = await self.verdicts.get()
        if isinstance(told, Unavailable):
            raise told
        return told

    def judge(self, requests: Sequence[Request], frame: bytes = b"v", outcome: int = APPLIED) -> None:
        self.verdicts.put_nowait([Verdict(r.table, r.seat, 1, outcome, frame) for r in requests])


class Sender:
    """Notes what becomes of its commands."""

    def __init__(self) -> None:
        self.told: asyncio.Queue[tuple[int, bytes | None]] = asyncio.Queue()

    def answered(self, life: int, frame: bytes) -> None:
        self.told.put_nowait((life, frame))

    def failed(self, life: int) -> None:
        self.told.put_nowait((life, None))

    async def next(self) -> tuple[int, bytes | None]:
        async with asyncio.timeout(WAIT_S):
            return await self.told.get()


def request(seat: int, frame: bytes = b"{}") -> Request:
    return Request(frame, "t", seat, 1, 0)


@asynccontextmanager
async def running(call: FakeCall) -> AsyncIterator[Stream]:
    calls = iter([call])

    async def opened() -> FakeCall:
        try:
            return next(calls)
        except StopIteration:
            raise Unavailable("UNAVAILABLE", "gone") from None

    stream = Stream("here", opened)
    task = asyncio.create_task(stream.run())
    try:
        async with asyncio.timeout(WAIT_S):
            await stream.ready.wait()
        yield stream
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_what_is_sent_at_once_travels_together_and_two_messages_wait_at_most() -> None:
    call, sender = FakeCall(), Sender()
    async with running(call) as stream, asyncio.timeout(WAIT_S):
        for seat in range(3):
            stream.put(request(seat), sender, 1)
        first = await call.batches.get()
        assert len(first) == 3
        stream.put(request(3), sender, 1)
        second = await call.batches.get()
        assert len(second) == 1
        for seat in range(4, 8):
            stream.put(request(seat), sender, 1)
            await asyncio.sleep(0)
        assert call.batches.empty(), f"more than {MOST_BATCHES} messages are unanswered"
        call.judge(first)
        assert len(await call.batches.get()) == 4, "what waited travels together"


async def test_each_sender_gets_its_verdicts_in_order_with_the_life_that_sent_them() -> None:
    call, ours, theirs = FakeCall(), Sender(), Sender()
    async with running(call) as stream:
        stream.put(request(0, b"a"), ours, 1)
        stream.put(request(1, b"x"), theirs, 7)
        stream.put(request(0, b"b"), ours, 2)
        async with asyncio.timeout(WAIT_S):
            sent = await call.batches.get()
        for each in sent:
            call.judge([each], each.frame)
        assert [await ours.next(), await ours.next()] == [(1, b"a"), (2, b"b")]
        assert await theirs.next() == (7, b"x")


async def test_a_command_that_the_log_could_not_take_has_failed() -> None:
    call, sender = FakeCall(), Sender()
    async with running(call) as stream:
        stream.put(request(0), sender, 3)
        async with asyncio.timeout(WAIT_S):
            call.judge(await call.batches.get(), outcome=UNAVAILABLE)
        assert await sender.next() == (3, None)


async def test_a_stream_that_breaks_fails_what_was_on_it_and_what_comes_after() -> None:
    call, sender = FakeCall(), Sender()
    async with running(call) as stream:
        stream.put(request(0), sender, 1)
        async with asyncio.timeout(WAIT_S):
            await call.batches.get()
        call.verdicts.put_nowait(Unavailable("UNAVAILABLE", "broken"))
        assert await sender.next() == (1, None)
        assert not stream.ready.is_set()
        stream.put(request(0), sender, 2)
        assert await sender.next() == (2, None)
