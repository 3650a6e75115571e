"""A service that is to go hands over what it has: sockets, streams; and the door of the edge holds in a storm."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from services.runtime.redis import connect
from services.runtime.redis_server import RedisServer
from tests.integration.gateway.place import Place, place_on, started
from tests.integration.gateway.player import Turner, attached, crowd_of
from tests.integration.gateway.process import Service, service

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(300)]

STOP_SECONDS = 8.0
SLACK_SECONDS = 15.0
"""For a busy machine."""
DEAF = 20
CROWD = 1000 if os.environ.get("PROVE") else 300


async def edge(stack: AsyncExitStack, place: Place, **given: object) -> Service:
    """One more gateway, as a process."""
    parts = {"GATEWAY_ENGINES": place.engines, "GATEWAY_LOBBY": place.lobby, "GATEWAY_SCORING": place.scoring}
    return await stack.enter_async_context(service("gateway", {"REDIS_URL": place.redis_url, **parts, **given}))


async def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.02)


async def readiness(place: Place, port: int) -> tuple[int, dict[str, bool]]:
    async with place.http(port) as http:
        answer = await http.get("/readyz")
        return answer.status_code, json.loads(answer.content)


async def test_sigterm_sends_many_sockets_away_one_by_one_and_ends_in_time(place: Place) -> None:
    async with AsyncExitStack() as stack:
        table, (ada, _) = await place.running_hand()
        given = {
            "GATEWAY_STOP_SECONDS": STOP_SECONDS,
            "GATEWAY_DRAIN_PER_SECOND": CROWD / 2,
            "GATEWAY_SOCKETS_PER_SECOND": 0,
        }
        gateway = await edge(stack, place, **given)
        seat = await stack.enter_async_context(attached(gateway.port, table, ada.token))
        await started(seat)
        crowd = await crowd_of(stack, gateway.port, table, CROWD)
        for each in crowd[:DEAF]:  # they will not even answer the close
            each.connection.transport.pause_reading()
        loop = asyncio.get_running_loop()
        told: list[float] = []
        for each in crowd[DEAF:]:
            each.reading.add_done_callback(lambda _: told.append(loop.time()))

        began = loop.time()
        gateway.signal(signal.SIGTERM)

        while (await readiness(place, gateway.port))[0] != 503:
            assert not told or loop.time() - began < SLACK_SECONDS
        async with attached(gateway.port, table, seat=False) as late:
            assert await late.closed() == 1001, "nobody new"
        codes = Counter([await each.closed(STOP_SECONDS + SLACK_SECONDS) for each in (seat, *crowd[DEAF:])])
        assert await gateway.ended(STOP_SECONDS + SLACK_SECONDS) == 0, "an end in order, though some did not answer"
        assert loop.time() - began < STOP_SECONDS + SLACK_SECONDS
        assert codes == {1001: 1 + len(crowd) - DEAF}
        assert max(told) - min(told) > 1, "not all at once"

        async with attached(place.port, table, ada.token, after=seat.last, n=0) as back:
            await back.until(lambda: bool(back.frames))
            assert back.welcome["resumed"] is True
        for each in crowd[:DEAF]:
            each.connection.transport.abort()


async def test_in_a_storm_the_edge_lets_in_what_it_can_and_tells_the_others_to_come_later(place: Place) -> None:
    async with AsyncExitStack() as stack:
        table, (ada, _) = await place.running_hand()
        limits = {"sockets_per_second": 20.0, "sockets_at_once": 5.0, "longest_wait_seconds": 1.0}
        served = await stack.enter_async_context(place.gateway(**limits))
        seat = await stack.enter_async_context(attached(place.port, table, ada.token))
        await started(seat)

        opened = (stack.enter_async_context(attached(served.port, table, seat=False)) for _ in range(80))
        crowd = await asyncio.gather(*opened)
        await until(lambda: all(each.frames or each.reading.done() for each in crowd))

        turned_away = [each for each in crowd if each.reading.done()]
        assert {await each.closed() for each in turned_away} == {1013}
        let_in = len(crowd) - len(turned_away)
        assert let_in >= 25, "those at once, and those whose turn comes within a second"
        assert turned_away
        await Turner(seat).turn_and_wait(5)

        async with asyncio.timeout(30):  # and later there is room
            while True:
                async with attached(served.port, table, seat=False) as again:
                    await again.until(lambda: again.frames or again.reading.done())  # type: ignore[arg-type,return-value]
                    if again.frames:
                        break


async def test_an_engine_that_drains_hands_its_tables_over_and_stays_until_it_is_told_to_end(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(RedisServer(tmp_path / "redis"))
        one, two = [await stack.enter_async_context(service("engine", {"REDIS_URL": server.url})) for _ in range(2)]
        base = await place_on(stack, server.url, tmp_path)
        served = await stack.enter_async_context(base.gateway(engines=f"{one.address},{two.address}"))
        tables = [await base.running_hand() for _ in range(4)]
        turners = []
        for table, (ada, _) in tables:
            player = await stack.enter_async_context(attached(served.port, table, ada.token))
            await started(player)
            turners.append(Turner(player))

        async def play(turner: Turner) -> None:
            for _ in range(20):
                await turner.turn_and_wait(4)

        playing = asyncio.gather(*map(play, turners))
        await until(lambda: all(len(turner.player.verdicts) >= 8 for turner in turners))
        one.signal(signal.SIGUSR1)
        async with asyncio.timeout(60):
            await playing

        for turner in turners:
            assert [v["n"] for v in turner.player.verdicts] == list(range(1, turner.n + 1))
            assert {v["v"] for v in turner.player.verdicts} == {"applied"}
            assert not turner.player.of("paused"), "there was another one"
            assert not turner.player.of("error")
        assert one.process.returncode is None
        two.signal(signal.SIGSTOP)  # so that who is there is only the one that takes nothing
        try:
            status, _ = await readiness(base, served.port)
            assert status == 200
            await turners[0].turn()
            await turners[0].player.until(lambda: bool(turners[0].player.of("paused")), 30)
        finally:
            two.signal(signal.SIGCONT)
        await turners[0].player.until(lambda: len(turners[0].player.verdicts) == turners[0].n, 30)
        one.signal(signal.SIGTERM)
        assert await one.ended() == 0


async def test_while_redis_is_paused_gateways_stay_ready_and_what_was_asked_is_answered_afterwards(
    tmp_path: Path,
) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(RedisServer(tmp_path / "redis"))
        place = await place_on(stack, server.url, tmp_path)
        other = await stack.enter_async_context(place.gateway())
        table, (ada, _) = await place.running_hand()
        player = await stack.enter_async_context(attached(place.port, table, ada.token))
        watcher = await stack.enter_async_context(attached(other.port, table, seat=False))
        await asyncio.gather(started(player), started(watcher))
        turner = Turner(player)
        await turner.turn_and_wait(4)

        async with connect(server.url) as redis:
            await redis.execute_command("CLIENT", "PAUSE", "4000", "ALL")  # type: ignore[no-untyped-call]
        await turner.turn(4)
        for port in (place.port, other.port):
            status, checks = await readiness(place, port)
            assert (status, checks["redis"]) == (200, False), "degraded, and still there"
        await asyncio.gather(*(each.until(lambda: bool(each.of("paused")), 30) for each in (player, watcher)))  # noqa: B023

        await player.until(lambda: len(player.verdicts) == 8, 60)
        await asyncio.gather(*(each.until(lambda: bool(each.of("going_on")), 30) for each in (player, watcher)))  # noqa: B023
        assert [v["n"] for v in player.verdicts] == list(range(1, 9))
        assert {v["v"] for v in player.verdicts} == {"applied"}
        assert not player.reading.done()
        assert not watcher.reading.done()
        async with asyncio.timeout(30):
            while (await readiness(place, place.port)) != (
                200,
                dict.fromkeys(("redis", "clock", "engine", "feed"), True),
            ):
                await asyncio.sleep(0.05)
