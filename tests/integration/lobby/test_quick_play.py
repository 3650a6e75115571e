"""Quick play fills tables one after another, however many ask at once; what is left over gets bots."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable

from redis.asyncio import Redis

from services.lobby.settings import LobbySettings
from services.runtime import keys
from tests.integration.lobby.fake_engine import FakeEngine
from tests.integration.lobby.hall import OPEN, Hall, serving_lobby, until


def names(count: int) -> list[str]:
    return [f"p{number}" for number in range(count)]


async def test_a_hundred_requests_at_once_give_25_full_tables(hall: Hall) -> None:
    seated = await asyncio.gather(*(hall.quick(name) for name in names(100)))
    tables = Counter(answer.table.id for answer in seated)
    assert sorted(tables.values()) == [4] * 25
    assert len({(answer.table.id, answer.seat) for answer in seated}) == 100
    for table in tables:
        found = await hall.until_prepared(table)
        assert len({seat.player for seat in found.seats}) == 4
    assert not await hall.redis.exists(keys.quick_places(4))


async def test_requests_through_two_lobbies_meet_at_the_same_tables(
    settings: Callable[..., LobbySettings], engine: FakeEngine, redis: Redis
) -> None:
    async with (
        serving_lobby(settings(), engine, redis) as one,
        serving_lobby(settings(), engine, redis) as other,
    ):
        seated = await asyncio.gather(*((one, other)[i % 2].quick(name, 3) for i, name in enumerate(names(60))))
        assert sorted(Counter(answer.table.id for answer in seated).values()) == [3] * 20


async def test_the_same_player_at_once_from_many_tabs_has_one_seat(hall: Hall) -> None:
    asked = [name for name in names(8) for _ in range(5)]
    seated = await asyncio.gather(*(hall.quick(name) for name in asked))
    seats = defaultdict(set)
    for name, answer in zip(asked, seated, strict=True):
        seats[name].add((answer.table.id, answer.seat))
    assert all(len(found) == 1 for found in seats.values()), seats
    assert len(set.union(*seats.values())) == 8


async def test_who_already_sits_somewhere_gets_that_seat(hall: Hall) -> None:
    table = await hall.create("ada", public=False)
    assert (await hall.quick("ada")).table.id == table.id
    assert (await hall.quick("bob")).table.id != table.id


async def test_the_left_over_get_bots_for_the_free_seats(
    settings: Callable[..., LobbySettings], engine: FakeEngine, redis: Redis
) -> None:
    async with serving_lobby(settings(fill_seconds=2), engine, redis) as hall:
        seated = await asyncio.gather(*(hall.quick(name) for name in names(6)))
        assert sorted(Counter(answer.table.id for answer in seated).values()) == [2, 4]
        short = next(t for t, people in Counter(a.table.id for a in seated).items() if people == 2)
        bots = [await hall.claim("w", f"bot{number}") for number in range(2)]
        assert [bot and bot.table for bot in bots] == [short, short]
        people = [answer.table.seats[answer.seat].player for answer in seated if answer.table.id == short]
        await hall.begin(short, [*people, "bot0", "bot1"])


async def test_a_freed_place_is_given_to_the_next_player(hall: Hall) -> None:
    first = await hall.quick("ada")
    for name in names(2):
        await hall.quick(name)
    await hall.leave(first.table.id, "ada")
    assert {(await hall.quick(name)).table.id for name in ("bob", "eve")} == {first.table.id}


async def test_quick_play_is_not_sent_to_tables_that_others_filled(hall: Hall) -> None:
    first = await hall.quick("ada")
    for name in names(3):
        await hall.join(first.table.id, name)
    second, third = await hall.quick("bob"), await hall.quick("eve")
    assert first.table.id != second.table.id == third.table.id


async def test_people_who_are_there_do_not_wait_for_one_who_never_came(
    settings: Callable[..., LobbySettings], engine: FakeEngine, redis: Redis
) -> None:
    async with serving_lobby(settings(fill_seconds=0.1, ready_seconds=1.5), engine, redis) as hall:
        table = (await hall.quick("ada", 2)).table.id
        await hall.quick("ghost", 2)
        await hall.present(table, "ada")
        bot = await hall.claim("w", "bot")
        assert bot is not None
        assert bot.table == table
        dealt = await hall.until_dealt(table)
        assert {seat.player for seat in dealt.seats} == {"ada", "bot"}

        async def free() -> bool:
            return not await hall.redis.exists(keys.player_seat("ghost"))

        await until(free)


async def test_a_table_that_nobody_comes_to_is_given_up(
    settings: Callable[..., LobbySettings], engine: FakeEngine, redis: Redis
) -> None:
    async with serving_lobby(settings(absent_seconds=0.2, forget_seconds=0.1), engine, redis) as hall:
        table = (await hall.quick("ghost")).table
        assert table.state == OPEN

        async def gone() -> bool:
            return not await hall.keys()

        await until(gone)
