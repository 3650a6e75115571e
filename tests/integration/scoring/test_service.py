from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
import pytest_asyncio
from grpc_health.v1 import health_pb2
from pandemonium.scoring.v1 import scoring_pb2 as pb
from pandemonium.scoring.v1 import scoring_pb2_grpc
from redis.asyncio import Redis
from typer.testing import CliRunner

from services.cli.__main__ import app
from services.runtime.errors import Fault, InvalidArgument, NotFound, fault_from
from services.runtime.redis import connect
from services.runtime.redis_server import RedisServer
from services.runtime.serve import serving
from services.scoring.build import build
from services.scoring.settings import ScoringSettings
from tests.integration.scoring.streams import finish, until_scored
from tests.unit.scoring.logs import ANN, BOT, entry_of, played


@dataclass
class Platform:
    """A running scorer with a Redis of its own."""

    server: RedisServer
    redis: Redis
    scoring: scoring_pb2_grpc.ScoringServiceAsyncStub
    channel: grpc.aio.Channel
    address: str

    async def count(self, log: list[bytes], *, hand: int = 1, match: str = "m1", first: int = 1) -> None:
        await finish(self.redis, log, entry_of(log, hand=hand, match=match, first=first, table=match))
        await until_scored(self.redis, match, hand)

    async def health(self, check: str = "") -> int:
        ask = self.channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        status: int = (await ask(health_pb2.HealthCheckRequest(service=check), timeout=30)).status
        return status

    async def until_health_is(self, status: int, check: str = "") -> None:
        async with asyncio.timeout(60):
            while await self.health(check) != status:
                await asyncio.sleep(0.05)


@pytest_asyncio.fixture
async def platform(tmp_path: Path, database_url: str) -> AsyncIterator[Platform]:
    async with RedisServer(tmp_path / "redis") as server, connect(server.url) as redis:
        settings = ScoringSettings(REDIS_URL=server.url, port=0, metrics_port=0, database_url=database_url)
        async with serving(settings, build) as served, grpc.aio.insecure_channel(f"127.0.0.1:{served.port}") as channel:
            stub: scoring_pb2_grpc.ScoringServiceAsyncStub = scoring_pb2_grpc.ScoringServiceStub(channel)
            yield Platform(server, redis, stub, channel, f"127.0.0.1:{served.port}")


async def fault_of(call: Awaitable[object]) -> Fault:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    return fault_from(error.value)


async def test_a_match_is_told_with_the_sheet_of_every_hand(platform: Platform) -> None:
    first = played(1, players=(ANN, BOT))
    await platform.count(first)
    second = played(2, players=(ANN, BOT), hand=2, seq=len(first))
    await platform.count(second, hand=2, first=len(first) + 1)
    match = (await platform.scoring.GetMatch(pb.GetMatchRequest(match="m1"), timeout=30)).match
    assert [(hand.hand, hand.why) for hand in match.hands] == [(1, "agreed"), (2, "agreed")]
    for seat in (0, 1):
        sheets = [hand.seats[seat] for hand in match.hands]
        assert [sheet.points for sheet in sheets] == [sheet.foundation - 2 * sheet.demon for sheet in sheets]
        assert sheets[1].total == sheets[0].points + sheets[1].points
    assert [(s.player, s.name, s.bot) for s in match.hands[0].seats] == [
        ("p-ann", "Ann", False),
        ("p-bot", "Bot", True),
    ]
    assert (match.over, list(match.winners), match.table) == (False, [], "m1")
    hand = await platform.scoring.GetHand(pb.GetHandRequest(match="m1", hand=2), timeout=30)
    assert list(hand.events) == second
    leaders = (await platform.scoring.Leaderboard(pb.LeaderboardRequest(), timeout=30)).entries
    assert [(entry.player, entry.hands, entry.matches) for entry in leaders] == [("p-ann", 2, 0)]


async def test_matches_come_page_by_page(platform: Platform) -> None:
    for number in range(5):
        await platform.count(played(number, match=f"m{number}", commands=20), match=f"m{number}")
    ids, token = [], ""
    for _ in range(5):
        request = pb.ListMatchesRequest(limit=2, page_token=token, player="p-ann")
        page = await platform.scoring.ListMatches(request, timeout=30)
        ids += [match.id for match in page.matches]
        token = page.next_page_token
        if not token:
            break
    assert ids == ["m4", "m3", "m2", "m1", "m0"]


async def test_a_disputed_hand_is_taken_back_and_told_as_such(platform: Platform) -> None:
    log = played(1)
    await platform.count(log)
    for _ in range(2):
        void = await platform.scoring.VoidHand(pb.VoidHandRequest(match="m1", hand=1), timeout=30)
        assert (list(void.totals), void.playoff) == ([0, 0], False)
    match = (await platform.scoring.GetMatch(pb.GetMatchRequest(match="m1"), timeout=30)).match
    assert [(hand.why, [seat.total for seat in hand.seats]) for hand in match.hands] == [("disputed", [0, 0])]
    hand = await platform.scoring.GetHand(pb.GetHandRequest(match="m1", hand=1), timeout=30)
    assert list(hand.events) == log


async def test_an_operator_deletes_a_player_by_the_command(platform: Platform) -> None:
    await platform.count(played(1))
    command = ["forget", "p-ann", "--scoring", platform.address]
    done = await asyncio.to_thread(CliRunner().invoke, app, command)
    assert done.exit_code == 0, done.output
    assert done.stdout.endswith("deleted\n")
    match = (await platform.scoring.GetMatch(pb.GetMatchRequest(match="m1"), timeout=30)).match
    assert [seat.player for seat in match.hands[0].seats] == ["", "p-ben"]
    command[1] = ""
    refused = await asyncio.to_thread(CliRunner().invoke, app, command)
    assert refused.exit_code == 1
    assert "not the id of a player" in refused.output


async def test_what_cannot_be_answered_is_refused_with_its_reason(platform: Platform) -> None:
    stub = platform.scoring
    expected: list[tuple[Awaitable[object], type[Fault], str]] = [
        (stub.GetMatch(pb.GetMatchRequest(match="none"), timeout=30), NotFound, "UNKNOWN_MATCH"),
        (stub.GetHand(pb.GetHandRequest(match="none", hand=1), timeout=30), NotFound, "UNKNOWN_HAND"),
        (stub.VoidHand(pb.VoidHandRequest(match="none", hand=1), timeout=30), NotFound, "UNKNOWN_HAND"),
        (stub.ListMatches(pb.ListMatchesRequest(page_token="?"), timeout=30), InvalidArgument, "BAD_PAGE"),
        (stub.ListMatches(pb.ListMatchesRequest(limit=101), timeout=30), InvalidArgument, "BAD_PAGE"),
        (stub.Leaderboard(pb.LeaderboardRequest(limit=101), timeout=30), InvalidArgument, "BAD_PAGE"),
    ]
    for call, kind, reason in expected:
        fault = await fault_of(call)
        assert (type(fault), fault.reason) == (kind, reason)


async def test_without_redis_it_says_so_and_stays_ready(platform: Platform) -> None:
    await platform.until_health_is(health_pb2.HealthCheckResponse.SERVING)
    await platform.server.kill()
    await platform.until_health_is(health_pb2.HealthCheckResponse.NOT_SERVING, "redis")
    assert await platform.health() == health_pb2.HealthCheckResponse.SERVING
    await platform.server.start()
    await platform.until_health_is(health_pb2.HealthCheckResponse.SERVING, "redis")
