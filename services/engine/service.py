"""The engine's gRPC service: messages to domain and back (engine.proto says what each call does)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress
from typing import Final

import grpc
from pandemonium.engine.v1 import engine_pb2, engine_pb2_grpc

from services.engine import convert, metrics, snapshot
from services.engine.hands import Hands
from services.engine.judge import Answer, Judge
from services.engine.port import Log, Referee, Refusal, Status
from services.engine.watch import watch
from services.rules.hand import MOST_SEATS
from services.rules.options import OptionError
from services.rules.rulebook import rules_of
from services.runtime.errors import Fault, InvalidArgument, NotFound, ResourceExhausted, Unavailable

UNANSWERED: Final = 4096
"""How many commands of one stream may be unanswered; while they are, no more is read from it."""
WATCHES: Final = 48
"""How many watches one engine serves."""
LONGEST_COUNTDOWN_MS: Final = 600_000

_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")

PlayContext = grpc.aio.ServicerContext[engine_pb2.PlayStreamRequest, engine_pb2.PlayStreamResponse]


class EngineService(engine_pb2_grpc.EngineServiceServicer):
    """One engine. ``draining`` ends streams and watches, of which none is begun any more, as no hand is."""

    def __init__(self, referee: Referee, log: Log, judge: Judge, hands: Hands, draining: asyncio.Event) -> None:
        self._referee = referee
        self._log = log
        self._judge = judge
        self._hands = hands
        self._draining = draining
        self._watches = 0

    async def PlayStream(  # type: ignore[override]  # it reads and writes by itself, see _Stream
        self, request_iterator: AsyncIterator[engine_pb2.PlayStreamRequest], context: PlayContext
    ) -> None:
        self._require_open()
        with metrics.STREAMS.track_inprogress():
            await _Stream(self._judge, self._draining).run(request_iterator, context)

    async def Play(self, request: engine_pb2.PlayRequest, context: object) -> engine_pb2.PlayResponse:
        _checked(request.command.table)
        answer = await self._judge.one(convert.command(request.command))
        return engine_pb2.PlayResponse(verdict=convert.verdict(answer))

    async def Attach(self, request: engine_pb2.AttachRequest, context: object) -> engine_pb2.AttachResponse:
        seated = await self._referee.attach(
            _checked(request.table), request.seat, request.after_n, _checked_if_any(request.socket)
        )
        if isinstance(seated, Refusal):
            raise NotFound(seated, f"table {request.table}, seat {request.seat}")
        return engine_pb2.AttachResponse(epoch=seated.epoch, last_n=seated.last_n, verdicts=seated.verdicts)

    async def Detach(self, request: engine_pb2.DetachRequest, context: object) -> engine_pb2.DetachResponse:
        away = await self._referee.detach(
            _checked(request.table),
            request.seat,
            request.epoch,
            left=request.left,
            socket=_checked_if_any(request.socket),
        )
        if away is None:
            raise NotFound("NO_SOCKET", f"no socket ever had table {request.table}, seat {request.seat}")
        return engine_pb2.DetachResponse(taken_over=not away)

    async def Prepare(self, request: engine_pb2.PrepareRequest, context: object) -> engine_pb2.PrepareResponse:
        self._require_open()
        if not 1 <= request.seats <= MOST_SEATS:
            raise InvalidArgument("BAD_SEATS", f"a table has 1 to {MOST_SEATS} seats")
        commitment = await self._hands.prepare(
            _checked(request.table), match=_checked(request.match), hand=request.hand, seats=request.seats
        )
        return engine_pb2.PrepareResponse(commitment=commitment)

    async def Deal(self, request: engine_pb2.DealRequest, context: object) -> engine_pb2.DealResponse:
        self._require_open()
        try:
            options = rules_of(request.options_json)
        except OptionError as wrong:
            raise InvalidArgument("BAD_OPTION", str(wrong), {"option": wrong.option}) from wrong
        seq = await self._hands.deal(
            _checked(request.table),
            match=_checked(request.match),
            hand=request.hand,
            options=options,
            players=convert.players(request.seats),
            countdown_ms=min(request.countdown_ms, LONGEST_COUNTDOWN_MS),
        )
        return engine_pb2.DealResponse(seq=seq)

    async def Snapshot(self, request: engine_pb2.SnapshotRequest, context: object) -> engine_pb2.SnapshotResponse:
        state = await self._hands.state(_checked(request.table))
        return engine_pb2.SnapshotResponse(seq=state.hand.seq, digest=state.digest, frame=snapshot.frame(state))

    async def Watch(self, request: engine_pb2.WatchRequest, context: object) -> AsyncIterator[engine_pb2.WatchResponse]:
        self._require_open()
        if self._watches >= WATCHES:
            raise ResourceExhausted("TOO_MANY_WATCHES", "this engine serves no more watches")
        self._watches += 1
        metrics.WATCHES.inc()
        try:
            sights = watch(self._log, self._hands, _checked(request.table), request.after_seq, self._draining)
            async with aclosing(sights):
                async for sight in sights:
                    yield engine_pb2.WatchResponse(seq=sight.seq, compacted=sight.compacted, frame=sight.frame)
        finally:
            self._watches -= 1
            metrics.WATCHES.dec()

    async def Abandon(self, request: engine_pb2.AbandonRequest, context: object) -> engine_pb2.AbandonResponse:
        with suppress(NotFound):
            await self._hands.abandon(_checked(request.table))
        return engine_pb2.AbandonResponse()

    async def Freeze(self, request: engine_pb2.FreezeRequest, context: object) -> engine_pb2.FreezeResponse:
        await self._hands.freeze(_checked(request.table), request.frozen)
        return engine_pb2.FreezeResponse()

    async def Forget(self, request: engine_pb2.ForgetRequest, context: object) -> engine_pb2.ForgetResponse:
        await self._hands.forget(_checked(request.table))
        return engine_pb2.ForgetResponse()

    def _require_open(self) -> None:
        """Raises ``Unavailable`` in a drain: another engine is to take it."""
        if self._draining.is_set():
            raise Unavailable("DRAINING", "this engine takes nothing new")


def register(service: EngineService, server: grpc.aio.Server) -> None:
    """Adds the service to the server."""
    engine_pb2_grpc.add_EngineServiceServicer_to_server(service, server)


class _Stream:
    """One stream of commands: what was answered in one turn of the event loop goes back in one message."""

    def __init__(self, judge: Judge, stopping: asyncio.Event) -> None:
        self._judge = judge
        self._stopping = stopping
        self._packs = False
        self._unanswered = 0
        self._answers: list[Answer] = []
        self._answered = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    async def run(self, requests: AsyncIterator[engine_pb2.PlayStreamRequest], context: PlayContext) -> None:
        """Until the client has said all and everything is answered, or the engine stops."""
        reading = asyncio.create_task(self._read(requests))
        stopping = asyncio.create_task(self._stopping.wait())
        writing = asyncio.create_task(self._write(context))
        try:
            await asyncio.wait((reading, stopping, writing), return_when=asyncio.FIRST_COMPLETED)
            reading.cancel()
            answered = asyncio.create_task(self._at_most(0))
            await asyncio.wait((answered, writing), return_when=asyncio.FIRST_COMPLETED)
            answered.cancel()
        finally:
            for task in (reading, stopping, writing):
                task.cancel()
            read, *_ = await asyncio.gather(reading, stopping, writing, return_exceptions=True)
        if isinstance(read, Fault):
            raise read

    async def _read(self, requests: AsyncIterator[engine_pb2.PlayStreamRequest]) -> None:
        async for request in requests:
            commands = convert.commands(request)
            self._packs = bool(request.packed)
            self._unanswered += len(commands)
            traces = {trace.index: trace.traceparent for trace in request.traces}
            for index, command in enumerate(commands):
                if _ID.fullmatch(command.table):
                    self._judge.submit(command, self._answer, traces.get(index, "") if traces else "")
                else:
                    self._answer(Answer(command, Status.UNKNOWN, b""))
            await self._at_most(UNANSWERED)

    async def _at_most(self, unanswered: int) -> None:
        """Returns when no more commands than that are unanswered."""
        while self._unanswered > unanswered:
            self._room.clear()
            await self._room.wait()

    def _answer(self, answer: Answer) -> None:
        self._answers.append(answer)
        self._answered.set()

    async def _write(self, context: PlayContext) -> None:
        while True:
            await self._answered.wait()
            self._answered.clear()
            answers, self._answers = self._answers, []
            if self._packs:
                await context.write(engine_pb2.PlayStreamResponse(packed=convert.packed(answers)))
            else:
                await context.write(engine_pb2.PlayStreamResponse(verdicts=map(convert.verdict, answers)))
            self._unanswered -= len(answers)
            self._room.set()


def _checked_if_any(name: str) -> str:
    return name and _checked(name)


def _checked(name: str) -> str:
    """Ids become keys. Raises ``InvalidArgument`` for one that can't be."""
    if not _ID.fullmatch(name):
        raise InvalidArgument("BAD_ID", "an id is 1 to 64 letters, digits, - and _")
    return name
