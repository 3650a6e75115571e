"""An engine without cards: it keeps hands by match and number, as the contract says, and deals whatever it is asked."""

# ruff: noqa: N802 (named by the protos)
from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NoReturn

import grpc
from pandemonium.engine.v1 import engine_pb2, engine_pb2_grpc

from services.runtime.errors import FailedPrecondition, Unavailable
from services.runtime.interceptors import FaultInterceptor


@dataclass
class FakeHand:
    match: str
    number: int
    commitment: str
    phase: str = "prepared"
    deal: engine_pb2.DealRequest = field(default_factory=engine_pb2.DealRequest)


class FakeEngine(engine_pb2_grpc.EngineServiceServicer):
    """``down`` names calls that do not answer; ``silent`` ones do their work and then do not answer.

    While ``uncounted``, the last hands of all tables are still to be counted.
    """

    def __init__(self) -> None:
        self.hands: dict[str, FakeHand] = {}
        self.calls: Counter[str] = Counter()
        self.dealt: list[tuple[str, str, int]] = []
        self.down: set[str] = set()
        self.silent: set[str] = set()
        self.uncounted = False
        self.frozen: set[str] = set()
        self._secrets = 0

    async def Prepare(self, request: engine_pb2.PrepareRequest, context: object) -> engine_pb2.PrepareResponse:
        self._called("Prepare")
        hand = self.hands.get(request.table)
        if hand is None or (hand.match, hand.number) != (request.match, request.hand):
            if hand and hand.phase == "dealt":
                raise FailedPrecondition("HAND_RUNNING")
            self._secrets += 1
            hash_ = sha256(str(self._secrets).encode()).hexdigest()
            hand = self.hands[request.table] = FakeHand(request.match, request.hand, hash_)
        self._answered("Prepare")
        return engine_pb2.PrepareResponse(commitment=hand.commitment)

    async def Deal(self, request: engine_pb2.DealRequest, context: object) -> engine_pb2.DealResponse:
        self._called("Deal")
        hand = self.hands.get(request.table)
        if hand is None or (hand.match, hand.number) != (request.match, request.hand):
            raise FailedPrecondition("NOT_PREPARED")
        if hand.phase == "prepared":
            hand.phase = "dealt"
            hand.deal = request
            self.dealt.append((request.table, request.match, request.hand))
        self._answered("Deal")
        return engine_pb2.DealResponse(seq=2)

    async def Abandon(self, request: engine_pb2.AbandonRequest, context: object) -> engine_pb2.AbandonResponse:
        self._called("Abandon")
        if request.table in self.hands:
            self.hands[request.table].phase = "over"
        self._answered("Abandon")
        return engine_pb2.AbandonResponse()

    async def Freeze(self, request: engine_pb2.FreezeRequest, context: object) -> engine_pb2.FreezeResponse:
        self._called("Freeze")
        if request.frozen:
            self.frozen.add(request.table)
        else:
            self.frozen.discard(request.table)
        self._answered("Freeze")
        return engine_pb2.FreezeResponse()

    async def Forget(self, request: engine_pb2.ForgetRequest, context: object) -> engine_pb2.ForgetResponse:
        self._called("Forget")
        hand = self.hands.get(request.table)
        if hand and hand.phase == "dealt":
            raise FailedPrecondition("HAND_RUNNING")
        if self.uncounted:
            raise FailedPrecondition("HAND_UNCOUNTED")
        self.hands.pop(request.table, None)
        self._answered("Forget")
        return engine_pb2.ForgetResponse()

    def Play(self, request: object, context: object) -> NoReturn:
        raise AssertionError("the lobby has no business with plays and sockets")

    Attach = Detach = Snapshot = Watch = Play
    PlayStream = Play  # type: ignore[assignment]

    def _called(self, call: str) -> None:
        self.calls[call] += 1
        if call in self.down:
            raise Unavailable("DOWN")

    def _answered(self, call: str) -> None:
        if call in self.silent:
            raise Unavailable("LOST_ANSWER")


@asynccontextmanager
async def serving_engine(engine: FakeEngine) -> AsyncIterator[str]:
    """The engine behind a real socket; its address."""
    server = grpc.aio.server(interceptors=[FaultInterceptor("engine.pandemonium")])
    engine_pb2_grpc.add_EngineServiceServicer_to_server(engine, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(0)
