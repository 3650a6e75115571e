"""A lobby as its clients see it, over gRPC, with the platform around it: an engine without cards, a scoring by hand."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from pandemonium.common.v1 import common_pb2
from pandemonium.lobby.v1 import lobby_pb2, lobby_pb2_grpc
from redis.asyncio import Redis

from services.lobby.build import build
from services.lobby.settings import LobbySettings
from services.runtime import keys
from services.runtime.channels import channel
from services.runtime.errors import Fault, fault_from
from services.runtime.serve import serving
from tests.integration.lobby.fake_engine import FakeEngine

import grpc  # isort: skip

OPEN = lobby_pb2.TABLE_STATE_OPEN
PLAYING = lobby_pb2.TABLE_STATE_PLAYING
BETWEEN = lobby_pb2.TABLE_STATE_BETWEEN
ENDED = lobby_pb2.TABLE_STATE_ENDED
CLOSED = lobby_pb2.TABLE_STATE_CLOSED

T = TypeVar("T")

PATIENCE_SECONDS = 30
"""How long calls may take where many tests share few processors."""


async def until(look: Callable[[], Awaitable[T | None]], seconds: float = PATIENCE_SECONDS) -> T:
    """What ``look`` gives as soon as it gives something true."""
    deadline = time.monotonic() + seconds
    while True:
        found = await look()
        if found:
            return found
        assert time.monotonic() < deadline, f"not within {seconds} s; last seen: {found!r}"
        await asyncio.sleep(0.01)


async def fault(call: Awaitable[object]) -> Fault:
    """The fault that the call ends with."""
    try:
        answer = await call
    except grpc.aio.AioRpcError as error:
        return fault_from(error)
    raise AssertionError(f"no fault, but {answer!r}")


class Hall:
    """Calls of one lobby with their fields as arguments."""

    def __init__(self, stub: lobby_pb2_grpc.LobbyServiceAsyncStub, engine: FakeEngine, redis: Redis) -> None:
        self.stub = stub
        self.engine = engine
        self.redis = redis

    async def create(self, player: str, seats: int = 4, **more: Any) -> lobby_pb2.Table:
        fields = {"public": True, "host_plays": True, **more}
        request = lobby_pb2.CreateTableRequest(player=player, name=player.title(), seats=seats, **fields)
        return (await self.stub.CreateTable(request)).table

    async def table(self, table: str, player: str = "", known: int = 0) -> lobby_pb2.Table:
        request = lobby_pb2.GetTableRequest(table=table, player=player, known_version=known)
        return (await self.stub.GetTable(request)).table

    async def join(self, table: str, player: str, invite: str = "") -> lobby_pb2.JoinResponse:
        request = lobby_pb2.JoinRequest(table=table, player=player, name=player.title(), invite=invite)
        return await self.stub.Join(request)

    async def leave(self, table: str, player: str) -> lobby_pb2.Table:
        return (await self.stub.Leave(lobby_pb2.LeaveRequest(table=table, player=player))).table

    async def quick(self, player: str, seats: int = 0) -> lobby_pb2.QuickPlayResponse:
        return await self.stub.QuickPlay(lobby_pb2.QuickPlayRequest(player=player, name=player.title(), seats=seats))

    async def aces_up(self, player: str, number: int = 7, **options: bool) -> lobby_pb2.Table:
        rules = json.dumps({"game": "aces_up", "number": number, **options})
        request = lobby_pb2.PlayAcesUpRequest(player=player, name=player.title(), options_json=rules)
        return (await self.stub.PlayAcesUp(request)).table

    async def ready(self, table: str, player: str, ready: bool = True, nonce: str = "") -> lobby_pb2.Table:
        request = lobby_pb2.SetReadyRequest(table=table, player=player, ready=ready, nonce=nonce or f"of {player}")
        return (await self.stub.SetReady(request)).table

    async def add_bot(self, table: str, player: str) -> lobby_pb2.AddBotResponse:
        easy, fast = common_pb2.STRENGTH_EASY, common_pb2.PACE_FAST
        return await self.stub.AddBot(lobby_pb2.AddBotRequest(table=table, player=player, strength=easy, pace=fast))

    async def remove_bot(self, table: str, player: str, seat: int) -> lobby_pb2.Table:
        request = lobby_pb2.RemoveBotRequest(table=table, player=player, seat=seat)
        return (await self.stub.RemoveBot(request)).table

    async def remove_player(self, table: str, player: str, seat: int) -> lobby_pb2.Table:
        request = lobby_pb2.RemovePlayerRequest(table=table, player=player, seat=seat)
        return (await self.stub.RemovePlayer(request)).table

    async def rematch(self, table: str, player: str) -> lobby_pb2.Table:
        return (await self.stub.Rematch(lobby_pb2.RematchRequest(table=table, player=player))).table

    async def dispute(self, table: str, player: str, withdraw: bool = False) -> lobby_pb2.Table:
        request = lobby_pb2.DisputeRequest(table=table, player=player, withdraw=withdraw)
        return (await self.stub.Dispute(request)).table

    async def close(self, table: str, player: str) -> None:
        await self.stub.CloseTable(lobby_pb2.CloseTableRequest(table=table, player=player))

    async def present(self, table: str, player: str, present: bool = True) -> None:
        await self.stub.SetPresence(lobby_pb2.SetPresenceRequest(table=table, player=player, present=present))

    async def claim(self, worker: str, bot: str, wait_ms: int = 5000) -> lobby_pb2.BotSeat | None:
        request = lobby_pb2.ClaimBotSeatRequest(worker=worker, player=bot, name=bot.title(), wait_ms=wait_ms)
        answer = await self.stub.ClaimBotSeat(request, timeout=12)
        return answer.seat if answer.HasField("seat") else None

    async def renew(self, worker: str, *seats: lobby_pb2.BotSeat) -> list[lobby_pb2.BotSeat]:
        answer = await self.stub.RenewBotSeats(lobby_pb2.RenewBotSeatsRequest(worker=worker, seats=seats))
        return list(answer.lost)

    async def listed(self, limit: int = 0) -> list[str]:
        answer = await self.stub.ListTables(lobby_pb2.ListTablesRequest(limit=limit))
        return [table.id for table in answer.tables]

    async def until_state(self, table: str, state: int, seconds: float = PATIENCE_SECONDS) -> lobby_pb2.Table:
        async def look() -> lobby_pb2.Table | None:
            found = await self.table(table)
            return found if found.state == state else None

        return await until(look, seconds)

    async def until_prepared(self, table: str) -> lobby_pb2.Table:
        async def look() -> lobby_pb2.Table | None:
            found = await self.table(table)
            return found if found.commitment and found.state != PLAYING else None

        return await until(look)

    async def until_dealt(self, table: str, hand: int = 1) -> lobby_pb2.Table:
        async def look() -> lobby_pb2.Table | None:
            found, dealt = await self.table(table), self.engine.hands.get(table)
            running = dealt is not None and (dealt.number, dealt.phase) == (hand, "dealt")
            return found if running and (found.state, found.hand) == (PLAYING, hand) else None

        return await until(look)

    async def begin(self, table: str, players: Sequence[str], hand: int = 1) -> lobby_pb2.Table:
        """Everybody becomes ready; the hand is dealt."""
        await self.until_prepared(table)
        for player in players:
            await self.ready(table, player)
        return await self.until_dealt(table, hand)

    async def score(
        self,
        table: str,
        totals: Sequence[int],
        winners: Sequence[int] = (),
        hand: int = 0,
        match: str = "",
        **more: bool,
    ) -> None:
        """Ends the running hand and tells its result as scoring does; ``more`` may say ``playoff`` and ``counts``."""
        played = self.engine.hands[table]
        played.phase = "over"
        result = {
            "points": list(totals),
            "totals": list(totals),
            "over": bool(winners),
            "winners": list(winners),
            **more,
        }
        await self.redis.xadd(
            keys.scored(keys.shard(table)),
            {
                "table": table,
                "match": match or played.match,
                "hand": hand or played.number,
                "result": json.dumps(result),
            },
        )

    async def keys(self) -> set[str]:
        """Every key but the streams and the groups on them, which are there for good."""
        found = {key.decode() async for key in self.redis.scan_iter(count=1000)}
        return {key for key in found if not key.endswith(":scored") and key != "ops:processes"}


@asynccontextmanager
async def serving_lobby(settings: LobbySettings, engine: FakeEngine, redis: Redis) -> AsyncIterator[Hall]:
    """One lobby, running; leaving is an orderly stop."""
    async with serving(settings, build) as served, channel(f"127.0.0.1:{served.port}", PATIENCE_SECONDS) as opened:
        yield Hall(lobby_pb2_grpc.LobbyServiceStub(opened), engine, redis)
