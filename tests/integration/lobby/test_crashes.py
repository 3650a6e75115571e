"""A lobby killed after any single thing that it does: another one finishes what was begun, and nobody sits twice.

Each scenario runs once for every command to Redis and every call to an engine that it consists of, and dies there.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from redis.asyncio import Redis

from services.lobby.agenda import Timing
from services.lobby.dispute import Standing
from services.lobby.lobby import Wish
from services.lobby.table import PlayerId, State, Table, TableId
from services.rules.aces_up.options import AcesUpOptions
from services.rules.options import Options
from services.runtime import keys
from services.runtime.errors import Fault
from tests.integration.lobby.parts import FakeEngines, FakeScoring, Killed, Parts, parts

TIMING = Timing(check_ms=0)
FOREVER = 10_000
NEVER_LATER = replace(TIMING, forget_ms=0)
"""Closed tables are forgotten at once."""


async def killed_everywhere(
    redis: Redis,
    scenario: Callable[[Parts], Awaitable[object]],
    finish: Callable[[Parts, FakeEngines], Awaitable[None]],
    timing: Timing = TIMING,
) -> int:
    """Runs ``scenario`` in a lobby that dies after 1, 2, 3 … things, and each time ``finish`` in another one.

    Returns how many deaths it takes until the scenario gets through.
    """
    for things in range(1, FOREVER):
        await redis.flushall()
        engines = FakeEngines()
        dying = parts(redis, engines, timing, things=things)
        try:
            await scenario(dying)
        except Killed:
            await finish(parts(redis, engines, timing, consumer="other"), engines)
        else:
            return things
    raise AssertionError("the scenario never ends")


async def tables(redis: Redis, other: Parts) -> list[Table]:
    names = [key.decode() async for key in redis.scan_iter(match="*}:table:*")]
    return await other.keeper.tables.load_all([TableId(name.rpartition(":")[2]) for name in names])


async def seats_of(redis: Redis, other: Parts) -> Counter[str]:
    return Counter(seat.player for table in await tables(redis, other) for seat in table.seats if seat.player)


async def test_two_people_in_quick_play_get_their_hand_wherever_the_lobby_dies(hasty_redis: Redis) -> None:
    ada, bob = PlayerId("ada"), PlayerId("bob")
    timing = replace(TIMING, fill_ms=0)

    async def play(lobby: Parts) -> None:
        for player in (ada, bob):
            await lobby.lobby.quick_play(player, player, 2)
        await get_ready(lobby)

    async def get_ready(lobby: Parts) -> None:
        for bot in range(3):
            await lobby.settle()
            await lobby.desk.claim("w", PlayerId(f"bot{bot}"), "Bot", 0)
        for player in (ada, bob):
            table = await lobby.lobby.quick_play(player, player, 2)
            for seat in table.seats:
                if seat.player:
                    await lobby.lobby.set_ready(table.id, seat.player, True, f"of {seat.player}")
        await lobby.settle()

    async def finish(other: Parts, engines: FakeEngines) -> None:
        await other.settle()
        for player in (ada, bob):
            await other.lobby.quick_play(player, player, 2)
        with suppress(Fault):  # a bot sits already
            await get_ready(other)
        await get_ready_again(other)
        seated = await seats_of(hasty_redis, other)
        assert seated["ada"] == seated["bob"] == 1
        assert max(seated.values()) == 1
        for player in (ada, bob):
            table = await other.lobby.quick_play(player, player, 2)
            assert table.state is State.PLAYING
            assert (table.id, table.match, 1) in engines.dealt
        assert len(engines.dealt) == len(set(engines.dealt))

    async def get_ready_again(other: Parts) -> None:
        for table in await tables(hasty_redis, other):
            for seat in table.seats:
                if seat.player:
                    await other.lobby.set_ready(table.id, seat.player, True, f"of {seat.player}")
        await other.settle()

    assert await killed_everywhere(hasty_redis, play, finish, timing) > 20


async def started(lobby: Parts, host: str = "ada", guest: str = "bob", rules: str = "") -> Table:
    """A table of two people whose first hand is dealt."""
    table = await lobby.lobby.create(PlayerId(host), host, Wish(seats=2, public=True, options_json=rules))
    await lobby.lobby.join(table.id, PlayerId(guest), guest, "")
    await lobby.settle()
    for player in (host, guest):
        await lobby.lobby.set_ready(table.id, PlayerId(player), True, f"of {player}")
    await lobby.settle()
    return await lobby.lobby.get(table.id)


async def tell_result(redis: Redis, table: Table, totals: list[int], winners: list[int]) -> None:
    result = {"points": totals, "totals": totals, "over": bool(winners), "winners": winners}
    await redis.xadd(
        keys.scored(keys.shard(table.id)),
        {"table": table.id, "match": table.match, "hand": table.hand, "result": json.dumps(result)},
    )


@pytest.mark.parametrize("over", [False, True])
async def test_a_result_reaches_its_table_wherever_the_lobby_dies(hasty_redis: Redis, over: bool) -> None:
    engines = FakeEngines()
    first = parts(hasty_redis, engines, TIMING)
    await first.results.streams.open()
    for things in range(1, FOREVER):
        table = await started(first, f"ada{things}", f"bob{things}")
        await tell_result(hasty_redis, table, [30, 12], [0] if over else [])
        dying = parts(hasty_redis, engines, TIMING, things=things)
        try:
            await dying.results.take(await dying.results.streams.read(10))
            await dying.settle()
        except* Killed:
            other = parts(hasty_redis, engines, TIMING, consumer="other")
            await other.results.take(await other.results.streams.take_over(0))
            await other.results.take(await other.results.streams.read(10))
            await other.settle()
            after = await other.lobby.get(table.id)
            assert [seat.total for seat in after.seats] == [30, 12]
            assert (after.state, after.hand) == (State.ENDED if over else State.BETWEEN, 1)
            assert bool(after.commitment) is not over
            assert engines.dealt.count((table.id, table.match, 1)) == 1
            assert not await hasty_redis.xlen(keys.scored(keys.shard(table.id)))
        else:
            assert things > 4
            return


@pytest.mark.parametrize("over", [False, True])
async def test_a_disputed_hand_is_taken_back_once_wherever_the_lobby_dies(hasty_redis: Redis, over: bool) -> None:
    engines, scoring = FakeEngines(), FakeScoring(Standing((0, 0), playoff=False))
    first = parts(hasty_redis, engines, TIMING, scoring=scoring)
    await first.results.streams.open()
    for things in range(1, FOREVER):
        players = [PlayerId(f"ada{things}"), PlayerId(f"bob{things}")]
        table = await started(first, players[0], players[1], Options(dispute="replay_hand").to_json())
        await tell_result(hasty_redis, table, [30, 12], [0] if over else [])
        await first.results.take(await first.results.streams.read(10))
        await first.settle()
        dying = parts(hasty_redis, engines, TIMING, things=things, scoring=scoring)
        other = parts(hasty_redis, engines, TIMING, consumer="other", scoring=scoring)
        died = False
        try:
            for player in players:
                await dying.lobby.dispute(table.id, player, withdraw=False)
            await dying.settle()
        except Killed:
            died = True
            # Whoever was not told that it was heard asks again; it may have been, and be done by now.
            await other.settle()
            for player in players:
                with suppress(Fault):
                    await other.lobby.dispute(table.id, player, withdraw=False)
            await other.settle()
        after = await other.lobby.get(table.id)
        assert [seat.total for seat in after.seats] == [0, 0]
        assert (after.state, after.hand, after.voiding, after.winners) == (State.BETWEEN, 1, False, ())
        assert scoring.voided.count((table.match, 1)) == 1
        for player in players:
            await other.lobby.set_ready(table.id, player, True, f"of {player}")
        await other.settle()
        assert engines.dealt.count((table.id, table.match, 2)) == 1
        if not died:
            assert things > 4
            return


async def test_a_game_for_one_begins_and_ends_the_one_before_wherever_the_lobby_dies(hasty_redis: Redis) -> None:
    ada = PlayerId("ada")

    async def play_again(lobby: Parts) -> None:
        for number in (1, 2):
            await lobby.solo.play(ada, "Ada", AcesUpOptions(number).to_json())
            await lobby.settle()

    async def finish(other: Parts, engines: FakeEngines) -> None:
        await other.settle()
        last = await other.solo.play(ada, "Ada", AcesUpOptions(3).to_json())
        await other.settle()
        for table in await tables(hasty_redis, other):
            assert table.state is (State.PLAYING if table.id == last.id else State.CLOSED)
            assert table.settled is (table.id != last.id)
        assert (last.id, last.match, 1) in engines.dealt
        assert len(engines.dealt) == len(set(engines.dealt))
        assert await hasty_redis.get(keys.player_seat("ada")) == last.id.encode()

    assert await killed_everywhere(hasty_redis, play_again, finish) > 20


async def test_a_table_that_closes_leaves_no_key_wherever_the_lobby_dies(hasty_redis: Redis) -> None:
    async def play_and_close(lobby: Parts) -> None:
        table = await lobby.lobby.create(PlayerId("ada"), "Ada", Wish(seats=3, public=True, bots=1))
        await lobby.settle()
        await lobby.desk.claim("w", PlayerId("robot"), "Robot", 0)
        await lobby.lobby.join(table.id, PlayerId("bob"), "Bob", "")
        await lobby.lobby.close(table.id, PlayerId("ada"))
        await lobby.settle()

    async def finish(other: Parts, engines: FakeEngines) -> None:
        for table in await tables(hasty_redis, other):
            await other.keeper.change(table.id, lambda t: replace(t, state=State.CLOSED, since_ms=0))
        await other.settle()
        found = {key.decode() async for key in hasty_redis.scan_iter()}
        # What a dead lobby had only begun to claim ends by itself, a code as late as one that nobody renews.
        ends = {key: await hasty_redis.pttl(key) for key in found}
        lasting = {key for key, ms in ends.items() if ms not in range(3_600_001 if key.startswith("code:") else 101)}
        assert not lasting
        assert not engines.prepared

    assert await killed_everywhere(hasty_redis, play_and_close, finish, NEVER_LATER) > 20


async def test_who_leaves_is_free_wherever_the_lobby_dies(hasty_redis: Redis) -> None:
    async def leave(lobby: Parts) -> None:
        table = await started(lobby)
        await lobby.lobby.leave(table.id, PlayerId("bob"))
        await lobby.settle()

    async def finish(other: Parts, engines: FakeEngines) -> None:
        for table in await tables(hasty_redis, other):
            with suppress(Fault):
                await other.lobby.leave(table.id, PlayerId("bob"))
        await other.settle()
        new = await other.lobby.create(PlayerId("bob"), "Bob", Wish(seats=2, public=True))
        assert (await seats_of(hasty_redis, other))["bob"] == 1
        assert await hasty_redis.get(keys.player_seat("bob")) == new.id.encode()

    assert await killed_everywhere(hasty_redis, leave, finish) > 15


async def test_an_engine_that_forgot_what_it_prepared_is_asked_anew(hasty_redis: Redis) -> None:
    engines = FakeEngines()
    lobby = parts(hasty_redis, engines, TIMING)
    table = await lobby.lobby.create(PlayerId("ada"), "Ada", Wish(seats=2, public=True))
    await lobby.lobby.join(table.id, PlayerId("bob"), "Bob", "")
    await lobby.settle()
    engines.prepared.clear()
    for _ in range(2):
        for player in ("ada", "bob"):
            await lobby.lobby.set_ready(table.id, PlayerId(player), True, f"of {player}")
        await lobby.settle()
    after = await lobby.lobby.get(table.id)
    assert (after.state, after.hand, after.deal) == (State.PLAYING, 1, ())
    assert engines.dealt == [(table.id, table.match, 1)]


async def test_two_lobbies_that_drive_one_table_at_once_deal_once(hasty_redis: Redis) -> None:
    engines = FakeEngines()
    one, other = parts(hasty_redis, engines, TIMING), parts(hasty_redis, engines, TIMING)
    table = await one.lobby.create(PlayerId("ada"), "Ada", Wish(seats=2, public=True))
    await one.lobby.join(table.id, PlayerId("bob"), "Bob", "")
    for player in ("ada", "bob"):
        await one.lobby.set_ready(table.id, PlayerId(player), True, f"of {player}")
    await asyncio.gather(*(lobby.driver.drive(table.id) for lobby in (one, other) * 3))
    after = await one.lobby.get(table.id)
    assert (after.state, after.hand, after.deal) == (State.PLAYING, 1, ())
    assert engines.dealt == [(table.id, table.match, 1)]
