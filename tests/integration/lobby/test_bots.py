"""Bot seats: wanted, claimed by workers, kept by leases."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from pandemonium.common.v1 import common_pb2
from redis.asyncio import Redis

from services.lobby.settings import LobbySettings
from services.runtime import keys
from tests.integration.lobby.fake_engine import FakeEngine
from tests.integration.lobby.hall import CLOSED, ENDED, OPEN, PLAYING, Hall, fault, serving_lobby, until


async def test_a_bot_seat_goes_to_the_worker_that_waits_for_one(hall: Hall) -> None:
    waiting = asyncio.create_task(hall.claim("w", "robot"))
    table = await hall.create("ada", seats=2)
    asked = await hall.add_bot(table.id, "ada")
    bot = await waiting
    assert bot is not None
    assert (bot.table, bot.seat, bot.player) == (table.id, asked.seat, "robot")
    assert (bot.strength, bot.pace) == (common_pb2.STRENGTH_EASY, common_pb2.PACE_FAST)
    seat = (await hall.table(table.id)).seats[1]
    assert (seat.player, seat.name, seat.bot, seat.ready) == ("robot", "Robot", True, False)
    await hall.begin(table.id, ["ada", "robot"])


async def test_a_worker_that_finds_none_in_time_is_told_so(hall: Hall) -> None:
    started = time.monotonic()
    assert await hall.claim("w", "robot", wait_ms=0) is None
    assert await hall.claim("w", "robot", wait_ms=200) is None
    assert time.monotonic() - started < 3


async def test_many_workers_claim_many_seats_each_once(hall: Hall) -> None:
    offers = [asyncio.create_task(hall.claim(f"w{i % 3}", f"bot{i}", 8000)) for i in range(24)]
    tables = [await hall.create("host", host_plays=False, bots=4) for _ in range(6)]
    seats = await asyncio.gather(*offers)
    assert {(s.table, s.seat) for s in seats if s} == {(t.id, i) for t in tables for i in range(4)}


async def test_bots_only_tables_go_on_without_people_and_close_after_the_match(
    settings: Callable[..., LobbySettings], engine: FakeEngine, redis: Redis
) -> None:
    async with serving_lobby(settings(idle_seconds=0.3, absent_seconds=0.1), engine, redis) as hall:
        table = await hall.create("host", seats=2, host_plays=False, bots=2, countdown_ms=50)
        assert not table.waits_for_people
        bots = ["bot0", "bot1"]
        for bot in bots:
            await hall.claim("w", bot)
        await hall.begin(table.id, bots)
        await hall.score(table.id, [30, 20])
        await hall.begin(table.id, bots, hand=2)
        await hall.score(table.id, [101, 20], winners=[0])
        await hall.until_state(table.id, ENDED)
        await hall.until_state(table.id, CLOSED)


async def test_a_lease_that_is_not_renewed_goes_to_another_worker_and_the_old_one_is_told(
    settings: Callable[..., LobbySettings], engine: FakeEngine, redis: Redis
) -> None:
    async with serving_lobby(settings(lease_seconds=3), engine, redis) as hall:
        table = await hall.create("ada", seats=3, bots=2)
        lost, kept = await hall.claim("old", "bot0"), await hall.claim("old", "bot1")
        assert lost is not None
        assert kept is not None

        async def moved() -> bool:
            assert await hall.renew("old", kept) == []
            return (await hall.table(table.id)).seats[lost.seat].player != "bot0"

        await until(moved)
        new = await hall.claim("new", "bot2")
        assert new is not None
        assert new.seat == lost.seat
        assert await hall.renew("old", lost, kept) == [lost]
        assert await hall.renew("new", new) == []
        assert await hall.renew("other", new) == [new]
        assert not await hall.redis.exists(keys.player_seat("bot0"))


async def test_a_bot_whose_lease_is_lost_in_a_match_is_replaced_there(hall: Hall) -> None:
    table = await hall.create("ada", seats=2, bots=1)
    await hall.claim("old", "bot0")
    await hall.begin(table.id, ["ada", "bot0"])
    # As if nobody had renewed it for as long as it lasts.
    assert await hall.redis.zadd(keys.steps(keys.shard(table.id)), {f"{table.id}|1|old|bot0": 0}, xx=True, ch=True) == 1
    new = await hall.claim("new", "bot1", 8000)
    assert new is not None
    assert (new.table, new.seat) == (table.id, 1)
    after = await hall.table(table.id)
    assert (after.state, after.seats[1].player) == (PLAYING, "bot1")


async def test_only_the_host_has_bots_come_and_go_and_only_before_the_match(hall: Hall) -> None:
    table = await hall.create("ada", seats=3)
    await hall.join(table.id, "bob")
    assert (await fault(hall.add_bot(table.id, "bob"))).reason == "NOT_HOST"
    await hall.add_bot(table.id, "ada")
    assert (await fault(hall.add_bot(table.id, "ada"))).reason == "TABLE_FULL"
    bot = await hall.claim("w", "robot")
    assert bot is not None
    assert (await fault(hall.remove_bot(table.id, "bob", 2))).reason == "NOT_HOST"
    assert (await fault(hall.remove_bot(table.id, "ada", 1))).reason == "NO_BOT_THERE"
    freed = await hall.remove_bot(table.id, "ada", 2)
    assert (freed.state, freed.seats[2].bot, freed.seats[2].player) == (OPEN, False, "")
    assert await hall.renew("w", bot) == [bot]
    await hall.add_bot(table.id, "ada")
    assert await hall.claim("w", "robot") is not None
    await hall.begin(table.id, ["ada", "bob", "robot"])
    assert (await fault(hall.add_bot(table.id, "ada"))).reason == "MATCH_RUNNING"
    assert (await fault(hall.remove_bot(table.id, "ada", 2))).reason == "MATCH_RUNNING"


async def test_a_bot_never_outlives_its_table(hall: Hall) -> None:
    table = await hall.create("ada", seats=2, bots=1)
    bot = await hall.claim("w", "robot")
    assert bot is not None
    await hall.close(table.id, "ada")
    assert await hall.renew("w", bot) == [bot]

    async def free() -> bool:
        return not await hall.redis.exists(keys.player_seat("robot"))

    await until(free)
    other = await hall.create("bob", seats=2, bots=1)
    again = await hall.claim("w", "robot")
    assert again is not None
    assert again.table == other.id


async def test_seats_of_a_closed_table_are_offered_to_nobody(hall: Hall) -> None:
    table = await hall.create("ada", seats=4, bots=3)
    await hall.close(table.id, "ada")
    assert await hall.claim("w", "robot", wait_ms=100) is None
    assert not await hall.redis.exists(keys.player_seat("robot"))


async def test_a_bot_that_sits_is_not_given_a_second_seat(hall: Hall) -> None:
    await hall.create("ada", seats=3, bots=2)
    assert await hall.claim("w", "robot") is not None
    assert (await fault(hall.claim("w", "robot", 100))).reason == "ALREADY_SEATED"
    assert await hall.claim("w", "other") is not None
