"""A scoring without a database: it takes hands back as it is told, and answers the same again."""

# ruff: noqa: N802 (named by the protos)
from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NoReturn

import grpc
from pandemonium.scoring.v1 import scoring_pb2, scoring_pb2_grpc

from services.runtime.errors import FailedPrecondition, Unavailable
from services.runtime.interceptors import FaultInterceptor


class FakeScoring(scoring_pb2_grpc.ScoringServiceServicer):
    """``standings`` are what matches are without their last hands: totals, and whether a playoff is next.

    While it is ``down`` it does not answer; while it is ``silent`` it does its work and then does not answer.
    """

    def __init__(self) -> None:
        self.standings: dict[str, tuple[list[int], bool]] = {}
        self.voided: Counter[tuple[str, int]] = Counter()
        self.calls = 0
        self.down = False
        self.silent = False

    async def ForgetPlayer(
        self, request: scoring_pb2.ForgetPlayerRequest, context: object
    ) -> scoring_pb2.ForgetPlayerResponse:
        raise NotImplementedError

    async def VoidHand(self, request: scoring_pb2.VoidHandRequest, context: object) -> scoring_pb2.VoidHandResponse:
        self.calls += 1
        if self.down:
            raise Unavailable("DOWN")
        if request.match not in self.standings:
            raise FailedPrecondition("NOT_LAST_HAND")
        self.voided[request.match, request.hand] += 1
        if self.silent:
            raise Unavailable("LOST_ANSWER")
        totals, playoff = self.standings[request.match]
        return scoring_pb2.VoidHandResponse(totals=totals, playoff=playoff)

    def GetMatch(self, request: object, context: object) -> NoReturn:
        raise AssertionError("the lobby has no business with histories")

    GetHand = ListMatches = Leaderboard = GetMatch
    ListAcesUpGames = GetAcesUpAttempt = GetAcesUpStatistics = GetMatch


@asynccontextmanager
async def serving_scoring(scoring: FakeScoring) -> AsyncIterator[str]:
    """The scoring behind a real socket; its address."""
    server = grpc.aio.server(interceptors=[FaultInterceptor("scoring.pandemonium")])
    scoring_pb2_grpc.add_ScoringServiceServicer_to_server(scoring, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(0)
