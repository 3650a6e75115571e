"""Engines and Redis may be away: tables wait, and go on by themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from redis.asyncio import Redis

from services.lobby.settings import LobbySettings
from services.runtime import keys
from services.runtime.redis import connect
from services.runtime.redis_server import RedisServer
from tests.integration.lobby.fake_engine import FakeEngine, serving_engine
from tests.integration.lobby.hall import BETWEEN, OPEN, PLAYING, Hall, fault, serving_lobby, until


async def test_an_engine_that_does_not_answer_is_passed_over(
    settings: Callable[..., LobbySettings], engine: FakeEngine, redis: Redis, engine_address: str
) -> None:
    broken = FakeEngine()
    broken.down = {"Prepare", "Deal", "Abandon", "Forget"}
    async with serving_engine(broken) as other:
        # One that is not even there, and one that refuses; a table may ask any of them first.
        engines = f"127.0.0.1:1,{other},{engine_address}"
        async with serving_lobby(settings(engines=engines), engine, redis) as hall:
            for number in range(6):
                table = await hall.create(f"host{number}", seats=2)
                await hall.join(table.id, f"guest{number}")
                await hall.begin(table.id, [f"host{number}", f"guest{number}"])
    assert len(engine.dealt) == 6


async def test_the_hand_is_prepared_and_dealt_once_an_engine_is_back(hall: Hall, engine: FakeEngine) -> None:
    engine.down = {"Prepare", "Deal"}
    table = await hall.create("ada", seats=2)
    await hall.join(table.id, "bob")

    async def asked() -> bool:
        return engine.calls["Prepare"] > 2

    await until(asked)
    assert (await hall.table(table.id)).state == OPEN
    engine.down = {"Deal"}
    await hall.until_prepared(table.id)
    for player in ("ada", "bob"):
        await hall.ready(table.id, player)
    # Leaving or taking it back no longer changes who is dealt in.
    assert (await hall.until_state(table.id, PLAYING)).hand == 1
    assert (await hall.ready(table.id, "ada", ready=False)).state == PLAYING
    engine.down = set()
    await hall.until_dealt(table.id)
    assert engine.dealt == [(table.id, table.match, 1)]


async def test_an_engine_whose_answer_was_lost_has_dealt_once(hall: Hall, engine: FakeEngine) -> None:
    engine.silent = {"Prepare", "Deal", "Abandon", "Forget"}
    table = await hall.create("ada", seats=2)
    await hall.join(table.id, "bob")

    async def asked_again() -> bool:
        return engine.calls["Prepare"] > 1

    await until(asked_again)
    promised = engine.hands[table.id].commitment
    engine.silent = {"Deal"}
    assert (await hall.until_prepared(table.id)).commitment == promised
    for player in ("ada", "bob"):
        await hall.ready(table.id, player)

    async def dealt_again() -> bool:
        return engine.calls["Deal"] > 1

    await until(dealt_again)
    engine.silent = set()
    await hall.score(table.id, [1, 2])
    await hall.until_state(table.id, BETWEEN)
    assert engine.dealt == [(table.id, table.match, 1)]


async def test_a_lobby_goes_on_where_a_killed_one_stopped(
    settings: Callable[..., LobbySettings], engine: FakeEngine, redis: Redis
) -> None:
    async with serving_lobby(settings(), engine, redis) as first:
        engine.down = {"Prepare"}
        seated = await asyncio.gather(*(first.quick(f"p{number}", 2) for number in range(4)))
    engine.down = set()
    async with serving_lobby(settings(), engine, redis) as second:
        for answer in seated:
            await second.until_prepared(answer.table.id)
        for number, answer in enumerate(seated):
            again = await second.quick(f"p{number}", 2)
            assert (again.table.id, again.seat) == (answer.table.id, answer.seat)


async def test_while_redis_is_away_calls_say_so_and_afterwards_everything_goes_on(
    settings: Callable[..., LobbySettings], engine: FakeEngine, tmp_path: Path
) -> None:
    async with (
        RedisServer(tmp_path) as server,
        connect(server.url) as redis,
        serving_lobby(settings(redis_url=server.url), engine, redis) as hall,
    ):
        table = await hall.create("ada", seats=2)
        await hall.join(table.id, "bob")
        await hall.begin(table.id, ["ada", "bob"])
        await server.kill()
        assert (await fault(hall.table(table.id))).reason == "REDIS_UNAVAILABLE"
        assert (await fault(hall.quick("eve"))).reason == "REDIS_UNAVAILABLE"
        assert (await fault(hall.claim("w", "robot", 1000))).reason == "REDIS_UNAVAILABLE"
        await server.start()

        async def back() -> bool:
            try:
                return (await hall.table(table.id)).hand == 1
            except Exception:
                return False

        await until(back)
        await hall.score(table.id, [10, 20])
        await hall.until_state(table.id, BETWEEN)
        await hall.begin(table.id, ["ada", "bob"], hand=2)


async def test_a_change_on_what_a_failover_left_has_a_version_above_all_that_were_lost(hall: Hall) -> None:
    table = await hall.create("ada", seats=4)
    key = keys.lobby_table(table.id)
    left: Any = await hall.redis.dump(key)
    for _ in range(5):
        await hall.present(table.id, "ada", True)
        await hall.present(table.id, "ada", False)
    lost = await hall.table(table.id)
    await hall.redis.restore(key, 0, left, replace=True)
    assert (await hall.join(table.id, "bob")).table.version > lost.version


async def test_of_a_table_that_was_seen_in_a_newer_version_a_newer_one_is_made(hall: Hall) -> None:
    table = await hall.create("ada", seats=4)
    known = table.version + 3_600_000
    for asked in (0, table.version):
        assert (await hall.table(table.id, known=asked)).version == table.version
    renewed = await hall.table(table.id, known=known)
    assert renewed.version > known
    assert (await hall.table(table.id, known=known)).version == renewed.version
    assert renewed.seats == table.seats
    assert (await fault(hall.table(table.id, known=2**53))).reason == "BAD_VERSION"
