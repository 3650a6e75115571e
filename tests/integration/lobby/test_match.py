"""The life of a match: filled, prepared, ready, dealt, scored, again, another match, closed, forgotten."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import REGISTRY
from redis.asyncio import Redis

from services.lobby.settings import LobbySettings
from services.rules.options import Options
from services.runtime import keys
from tests.integration.lobby.fake_engine import FakeEngine
from tests.integration.lobby.hall import BETWEEN, CLOSED, ENDED, OPEN, Hall, fault, serving_lobby, until


async def test_a_match_goes_from_the_first_seat_to_its_winners(hall: Hall, engine: FakeEngine) -> None:
    table = await hall.create("ada", seats=2, countdown_ms=700, options_json='{"target":50}')
    assert (table.state, table.hand, table.commitment) == (OPEN, 0, "")
    await hall.join(table.id, "bob")
    prepared = await hall.until_prepared(table.id)
    assert prepared.commitment == engine.hands[table.id].commitment

    await hall.ready(table.id, "ada", nonce="from ada")
    dealt = await hall.begin(table.id, ["bob"])
    deal = engine.hands[table.id].deal
    assert [(s.player, s.name, s.bot, s.nonce) for s in deal.seats] == [
        ("ada", "Ada", False, "from ada"),
        ("bob", "Bob", False, "of bob"),
    ]
    assert (deal.countdown_ms, deal.options_json) == (700, dealt.options_json)
    assert '"target":50' in deal.options_json

    await hall.score(table.id, [31, -4])
    between = await hall.until_state(table.id, BETWEEN)
    assert [(s.total, s.ready) for s in between.seats] == [(31, False), (-4, False)]
    second = await hall.begin(table.id, ["ada", "bob"], hand=2)
    assert (second.hand, second.match) == (2, table.match)

    await hall.score(table.id, [62, 3], winners=[0])
    ended = await hall.until_state(table.id, ENDED)
    assert (list(ended.winners), [s.total for s in ended.seats]) == ([0], [62, 3])


async def test_a_rematch_begins_when_all_people_have_asked(hall: Hall) -> None:
    table = await hall.create("ada", seats=2)
    await hall.join(table.id, "bob")
    assert (await fault(hall.rematch(table.id, "ada"))).reason == "MATCH_NOT_OVER"
    await hall.begin(table.id, ["ada", "bob"])
    await hall.score(table.id, [100, 20], winners=[0])
    await hall.until_state(table.id, ENDED)
    assert (await hall.rematch(table.id, "bob")).state == ENDED
    await hall.rematch(table.id, "ada")
    again = await hall.until_prepared(table.id)
    assert (again.state, again.hand, [s.total for s in again.seats], list(again.winners)) == (OPEN, 0, [0, 0], [])
    assert again.match != table.match
    dealt = await hall.begin(table.id, ["ada", "bob"])
    assert dealt.match == again.match


async def test_a_playoff_is_announced_and_decides(hall: Hall) -> None:
    rules = Options(match_end="playoff").to_json()
    table = await hall.create("ada", seats=2, options_json=rules)
    await hall.join(table.id, "bob")
    await hall.begin(table.id, ["ada", "bob"])
    await hall.score(table.id, [104, 104], playoff=True)
    between = await hall.until_state(table.id, BETWEEN)
    assert (between.playoff, list(between.winners)) == (True, [])
    assert (await hall.begin(table.id, ["ada", "bob"], hand=2)).playoff
    await hall.score(table.id, [110, 140], winners=[1])
    ended = await hall.until_state(table.id, ENDED)
    assert (ended.playoff, list(ended.winners)) == (False, [1])
    for player in ("ada", "bob"):
        await hall.rematch(table.id, player)
    again = await hall.until_prepared(table.id)
    assert (again.options_json, again.playoff) == (rules, False)


async def test_a_result_counts_once_and_only_for_the_hand_that_was_played(hall: Hall) -> None:
    table = await hall.create("ada", seats=2)
    await hall.join(table.id, "bob")
    await hall.begin(table.id, ["ada", "bob"])
    await hall.score(table.id, [1, 1], hand=7)
    await hall.score(table.id, [2, 2], match="another")
    await hall.score(table.id, [10, 20])
    await hall.score(table.id, [10, 20])
    await hall.until_state(table.id, BETWEEN)
    await hall.begin(table.id, ["ada", "bob"], hand=2)
    await hall.score(table.id, [10, 20], hand=1)
    await hall.score(table.id, [11, 22])
    between = await hall.until_state(table.id, BETWEEN)
    assert [s.total for s in between.seats] == [11, 22]


async def test_a_result_that_cannot_be_read_is_counted_and_holds_up_nobody(hall: Hall) -> None:
    table = await hall.create("ada", seats=2)
    await hall.join(table.id, "bob")
    await hall.begin(table.id, ["ada", "bob"])
    unreadable = "pandemonium_lobby_scored_unreadable_total"
    before = REGISTRY.get_sample_value(unreadable) or 0.0
    stream = keys.scored(keys.shard(table.id))
    await hall.redis.xadd(stream, {"table": table.id, "match": "m", "hand": "one", "result": "{"})

    async def counted() -> bool:
        return REGISTRY.get_sample_value(unreadable) == before + 1 and not await hall.redis.xlen(stream)

    await until(counted)
    await hall.score(table.id, [10, 20])
    await hall.until_state(table.id, BETWEEN)


async def test_a_nonce_given_before_the_secret_was_promised_does_not_count(hall: Hall, engine: FakeEngine) -> None:
    table = await hall.create("ada", seats=2)
    early = await hall.ready(table.id, "ada", nonce="too early")
    assert early.seats[0].ready
    await hall.join(table.id, "bob")
    await hall.begin(table.id, ["bob"])
    nonces = [seat.nonce for seat in engine.hands[table.id].deal.seats]
    assert nonces[1] == "of bob"
    assert nonces[0] != "too early"
    assert len(nonces[0]) == 32


async def test_people_who_dawdle_between_hands_count_as_ready(
    settings: Callable[..., LobbySettings], engine: FakeEngine, redis: Redis
) -> None:
    async with serving_lobby(settings(ready_seconds=0.3), engine, redis) as hall:
        table = await hall.create("ada", seats=2)
        await hall.join(table.id, "bob")
        await hall.begin(table.id, ["ada", "bob"])
        await hall.score(table.id, [10, 20])
        await hall.until_dealt(table.id, hand=2)
        nonces = [seat.nonce for seat in engine.hands[table.id].deal.seats]
        assert len(set(nonces)) == 2
        assert all(len(nonce) == 32 for nonce in nonces)


async def test_a_closed_table_ends_its_hand_and_is_forgotten_to_the_last_key(
    settings: Callable[..., LobbySettings], engine: FakeEngine, redis: Redis
) -> None:
    async with serving_lobby(settings(forget_seconds=0.2), engine, redis) as hall:
        table = await hall.create("ada", seats=2)
        await hall.join(table.id, "bob")
        await hall.begin(table.id, ["ada", "bob"])
        assert (await fault(hall.close(table.id, "bob"))).reason == "NOT_HOST"
        await hall.close(table.id, "ada")
        assert (await hall.table(table.id)).state == CLOSED

        async def forgotten() -> bool:
            return not await hall.keys()

        await until(forgotten)
        assert engine.hands == {}
        assert (await fault(hall.table(table.id))).reason == "UNKNOWN_TABLE"


async def test_a_closed_table_is_kept_until_its_last_hand_was_counted(
    settings: Callable[..., LobbySettings], engine: FakeEngine, redis: Redis
) -> None:
    engine.uncounted = True
    async with serving_lobby(settings(forget_seconds=0.1), engine, redis) as hall:
        table = await hall.create("ada", seats=2)
        await hall.join(table.id, "bob")
        await hall.begin(table.id, ["ada", "bob"])
        await hall.close(table.id, "ada")

        async def asked_in_vain() -> bool:
            return engine.calls["Forget"] >= 2

        await until(asked_in_vain)
        assert table.id in engine.hands
        assert (await hall.table(table.id)).state == CLOSED

        async def forgotten() -> bool:
            return not await hall.keys()

        engine.uncounted = False
        await until(forgotten)
        assert engine.hands == {}
