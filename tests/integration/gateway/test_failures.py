"""Things die under running tables: no acknowledged play is lost, none counts twice, and clients are told."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from services.runtime import keys
from services.runtime.redis import connect
from services.runtime.redis_server import RedisServer
from tests.integration.gateway.place import Place, place_on, started, welcomed
from tests.integration.gateway.player import Player, Turner, attached, crowd_of
from tests.integration.gateway.process import service

pytestmark = pytest.mark.asyncio(loop_scope="session")

RESTARTS = 50 if os.environ.get("PROVE") else 2


async def logged(redis: Redis, table: str, seat: int = 0) -> list[int]:
    """The seat's command numbers in the log."""
    entries: Any = await redis.xrange(keys.log(table))
    events = [json.loads(fields[b"e"]) for _, fields in entries]
    return [event["n"] for event in events if event.get("seat") == seat]


async def until_unchanged(redis: Redis, key: str, seconds: float) -> None:
    """Until a key has not changed for so long."""
    before: bytes | None = None
    async with asyncio.timeout(60):
        while (now := await redis.dump(key)) != before:
            before = now
            await asyncio.sleep(seconds)


def each_once(player: Player, turner: Turner) -> bool:
    """Whether every command has exactly one verdict, and all were applied."""
    numbers = [verdict["n"] for verdict in player.verdicts]
    return sorted(numbers) == list(range(1, turner.n + 1)) and {v["v"] for v in player.verdicts} == {"applied"}


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
async def test_an_engine_that_dies_or_falls_silent_takes_nothing_with_it(tmp_path: Path, how: signal.Signals) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(RedisServer(tmp_path / "redis"))
        place = await place_on(stack, server.url, tmp_path, rate_limit=0)
        table, (ada, _) = await place.running_hand()
        victims = [await stack.enter_async_context(service("engine", {"REDIS_URL": server.url})) for _ in range(2)]
        addresses = ",".join(victim.address for victim in victims)
        gateway = await stack.enter_async_context(place.gateway(rate_limit=0, engines=addresses))
        async with attached(gateway.port, table, ada.token) as player, connect(server.url) as redis:
            await started(player)
            turner = Turner(player)
            slowest = 0.0
            for i in range(60):
                if i == 20:
                    # One of them serves the table: whichever it is, the next one is asked.
                    victims[0].signal(how)
                if i == 40:
                    if how is signal.SIGSTOP:
                        victims[0].signal(signal.SIGCONT)
                    else:
                        victims[0] = await stack.enter_async_context(
                            service("engine", {"REDIS_URL": server.url}, victims[0].port)
                        )
                    await asyncio.sleep(1.0)
                    victims[1].signal(how)
                before = time.monotonic()
                await turner.turn_and_wait(8)
                slowest = max(slowest, time.monotonic() - before)
            await player.until(lambda: len(player.events) >= 480)
            assert each_once(player, turner)
            assert await logged(redis, table) == list(range(1, turner.n + 1))
            assert player.seqs == list(range(player.seqs[0], player.seqs[0] + len(player.seqs)))
            assert slowest < 5
            if how is signal.SIGSTOP:
                victims[1].signal(signal.SIGCONT)


def descriptors() -> int:
    """How many this process has open, in which the whole platform of a test is."""
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.timeout(60 + 20 * RESTARTS)
async def test_while_redis_restarts_tables_pause_and_sockets_stay_open(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(RedisServer(tmp_path / "redis"))
        place = await place_on(stack, server.url, tmp_path)
        table, (ada, _) = await place.running_hand()
        async with attached(place.port, table, ada.token) as player, attached(place.port, table, seat=False) as watcher:
            await asyncio.gather(started(player), started(watcher))
            turner = Turner(player)
            opened = 0
            for restart in range(RESTARTS):
                await turner.turn_and_wait(5)
                if restart == 1:
                    opened = descriptors()
                pauses = len(player.of("paused"))
                await server.kill()
                await turner.turn(5)
                await player.until(lambda: len(player.of("paused")) == pauses + 1)  # noqa: B023 - awaited at once
                await watcher.until(lambda: len(watcher.of("paused")) == pauses + 1)  # noqa: B023
                await server.start()
                await player.until(lambda: len(player.verdicts) == turner.n, 20)
                await player.until(lambda: len(player.of("going_on")) == pauses + 1)  # noqa: B023
                await watcher.until(lambda: len(watcher.of("going_on")) == pauses + 1)  # noqa: B023
            assert each_once(player, turner)
            await turner.turn_and_wait(1)
            # Pools of connections are not filled alike each time; what leaks would come with every restart.
            assert descriptors() <= opened + 12
            for each in (player, watcher):
                # Verdicts come from the engine, events by subscription, which has to stand again first.
                await each.until(lambda: each.seqs[-1:] >= [player.verdicts[-1]["seq"]])  # noqa: B023
                assert each.close_code is None
                assert each.seqs == list(range(each.seqs[0], each.seqs[0] + len(each.seqs)))
            async with connect(server.url) as redis:
                assert await logged(redis, table) == list(range(1, turner.n + 1))


async def test_when_history_is_lost_every_client_is_set_back_and_goes_on(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(RedisServer(tmp_path / "redis"))
        place = await place_on(stack, server.url, tmp_path)
        table, (ada, _) = await place.running_hand()
        redis = await stack.enter_async_context(connect(server.url))
        async with attached(place.port, table, ada.token) as player, attached(place.port, table, seat=False) as watcher:
            await asyncio.gather(started(player), started(watcher))
            turner = Turner(player)
            await turner.turn_and_wait(4)
            kept = {key: await redis.dump(key) for key in (keys.hand(table), keys.log(table))}
            await turner.turn_and_wait(4)
            for each in (player, watcher):
                await each.until(lambda: len(each.events) >= 8)  # noqa: B023 - awaited at once
            ahead = player.last
            # What a promoted replica looks like that had not got the last four.
            async with redis.pipeline(transaction=True) as pipe:
                for key, value in kept.items():
                    assert value is not None
                    pipe.restore(key, 0, value, replace=True)
                await pipe.execute()
            for each in (player, watcher):
                await each.until(lambda: bool(each.of("set_back")), 10)  # noqa: B023 - awaited at once
                await each.until(lambda: len(each.of("snapshot")) == 2)  # noqa: B023
            assert player.of("set_back")[0]["n"] == 4
            assert ahead is not None
            assert player.of("snapshot")[-1]["seq"] == ahead["seq"] - 4
            assert player.frames.index(player.of("set_back")[0]) < player.frames.index(player.of("snapshot")[-1])
            before = len(player.events)
            await Turner(player, n=4, stock=35 - 12).turn_and_wait(2)
            assert [verdict["v"] for verdict in player.verdicts[-2:]] == ["applied"] * 2
            await player.until(lambda: len(player.events) == before + 2)
            assert player.seqs[-2:] == [ahead["seq"] - 3, ahead["seq"] - 2]
            await watcher.until(lambda: watcher.seqs[-1] == ahead["seq"] - 2)
        async with attached(place.port, table, ada.token, after=ahead, n=8) as back:
            await back.until(lambda: bool(back.of("snapshot")))
            assert back.welcome["set_back"] is True


async def test_sigterm_closes_every_socket_so_that_it_comes_back_and_ends_in_time(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(RedisServer(tmp_path / "redis"))
        place = await place_on(stack, server.url, tmp_path)
        table, (ada, _) = await place.running_hand()
        parts = {"GATEWAY_ENGINES": place.engines, "GATEWAY_LOBBY": place.lobby, "GATEWAY_SCORING": place.scoring}
        gateway = await stack.enter_async_context(service("gateway", {"REDIS_URL": server.url, **parts}))
        seat = await stack.enter_async_context(attached(gateway.port, table, ada.token))
        watchers = await crowd_of(stack, gateway.port, table, 50)
        await asyncio.gather(*(started(each) for each in (seat, *watchers)))
        gateway.signal(signal.SIGTERM)
        assert {await each.closed() for each in (seat, *watchers)} == {1001}
        assert await gateway.ended() == 0
        async with attached(place.port, table, ada.token, after=seat.last, n=0) as back:
            await back.until(lambda: bool(back.frames))
            assert back.welcome["resumed"] is True


async def test_the_number_of_series_does_not_change_with_traffic(tmp_path: Path) -> None:
    from prometheus_client import REGISTRY

    def series() -> int:
        return sum(
            len(metric.samples) for metric in REGISTRY.collect() if metric.name.startswith("pandemonium_gateway")
        )

    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(RedisServer(tmp_path / "redis"))
        place: Place = await place_on(stack, server.url, tmp_path)
        before = series()
        table, (ada, _) = await place.running_hand()
        async with attached(place.port, table, ada.token) as player:
            await started(player)
            await Turner(player).turn_and_wait(5)
            await player.sends("nonsense")
            await player.until(lambda: bool(player.of("error")))
        assert series() == before


async def test_of_a_table_whose_newest_state_a_failover_has_lost_everyone_gets_the_one_that_is_left(
    place: Place, log: Redis
) -> None:
    ada, bob = await place.guest("Ada"), await place.guest("Bob")
    table = await place.table(ada, bob, seats=3)

    def ready(player: Player) -> list[tuple[int, bool]]:
        return [(table["version"], table["seats"][0]["ready"]) for table in player.tables]

    async with attached(place.port, table, ada.token) as player, attached(place.port, table, bob.token) as neighbour:
        for each in (player, neighbour):
            await welcomed(each)
        # From here on nobody but the test changes the table.
        await until_unchanged(log, keys.lobby_table(table), 2.5)
        left: Any = await log.dump(keys.lobby_table(table))
        await player.sends({"t": "ready", "ready": True})
        for each in (player, neighbour):
            await each.until(lambda: ready(each)[-1][1])  # noqa: B023 - awaited at once
        lost = ready(player)[-1][0]
        await log.restore(keys.lobby_table(table), 0, left, replace=True)
        await log.client_kill_filter(_type="pubsub")
        for each in (player, neighbour):
            await each.until(lambda: not ready(each)[-1][1])  # noqa: B023 - awaited at once
            versions = [version for version, _ in ready(each)]
            assert versions[-1] > lost
            assert versions == sorted(versions)
        await player.sends({"t": "ready", "ready": True})
        await neighbour.until(lambda: ready(neighbour)[-1][1])
