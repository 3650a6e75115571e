"""A hand that is held still: no command counts, no timer fires, and then it goes on where it stood."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from services.engine.port import Status, Timer
from services.rules.cards import card
from services.rules.events import EndWhy, ShiftWhy
from services.rules.layout import Layout
from services.rules.moves import Call, PlayToFoundation, Source, Turn
from services.runtime import keys
from tests.integration.engine.mirror import Mirror, mirrored

LAYOUT = Layout.decode("KH|AS|3S|KD|KC|7D8D9D|")
CALLER = Layout.decode("AS|KH|3S|KD|KC|7D8D9D|")
LONG_MS = 50_000


@pytest.fixture
async def mirror(redis_url: str) -> AsyncIterator[Mirror]:
    async with mirrored(redis_url) as one:
        yield one


async def due_ms(mirror: Mirror, timer: Timer) -> float | None:
    score = await mirror.redis.zscore(keys.timers(keys.shard(mirror.table)), f"{mirror.table}|{timer}")
    return None if score is None else float(score)


async def test_commands_are_refused_and_use_their_numbers_up_as_any_refusal(mirror: Mirror) -> None:
    await mirror.begin([LAYOUT] * 3)
    await mirror.start()
    await mirror.hold(True)
    refused = await mirror.one(mirror.command(0, PlayToFoundation(Source.C0, card("AS"), None)))
    illegal = await mirror.one(mirror.command(1, PlayToFoundation(Source.C0, card("2S"), None)))
    assert b'"frozen"' in refused.frame
    assert b'"frozen"' in illegal.frame
    await mirror.hold(False)
    played = await mirror.one(mirror.command(0, PlayToFoundation(Source.C0, card("AS"), None)))
    assert played.status is Status.APPLIED


async def test_a_countdown_stands_and_then_has_as_long_to_go_as_before(mirror: Mirror) -> None:
    await mirror.begin([LAYOUT] * 3, countdown_ms=3000)
    mirror.now += 1000
    await mirror.hold(True)
    mirror.now += LONG_MS
    assert not await mirror.referee.start(mirror.table)
    assert await mirror.referee.freeze(mirror.table, False)
    mirror.now += 1999
    assert not await mirror.referee.start(mirror.table)
    mirror.now += 1
    assert await mirror.referee.start(mirror.table)


async def test_a_called_hand_ends_as_much_later_as_it_stood_still(mirror: Mirror) -> None:
    await mirror.begin([CALLER, LAYOUT, LAYOUT])
    await mirror.start()
    await mirror.one(mirror.command(0, PlayToFoundation(Source.DEMON, card("AS"), None)))
    assert (await mirror.one(mirror.command(0, Call()))).status is Status.APPLIED
    closes_at = await due_ms(mirror, Timer.CLOSES)
    await mirror.hold(True)
    mirror.now += LONG_MS
    assert await mirror.referee.look(mirror.table, Timer.CLOSES) is None
    state = await mirror.look()
    assert not await mirror.referee.end(state, why=EndWhy.CALLED, away=[])
    assert await mirror.referee.freeze(mirror.table, False)
    assert closes_at is not None
    assert await due_ms(mirror, Timer.CLOSES) == closes_at + LONG_MS
    late = await mirror.referee.look(mirror.table)
    assert late is not None
    assert late.hand.closes_at == closes_at + LONG_MS


async def test_a_look_that_had_begun_changes_nothing_any_more(mirror: Mirror) -> None:
    await mirror.begin([LAYOUT] * 3)
    await mirror.start()
    state = await mirror.look()
    await mirror.hold(True)
    assert not await mirror.referee.shift(state, why=ShiftWhy.BLOCKED, away=[])
    assert not await mirror.referee.ask(state)
    assert not await mirror.referee.end(state, why=EndWhy.DEAD, away=[])
    await mirror.look()
    assert await mirror.end(EndWhy.VOID)


async def test_holding_twice_is_holding_once_and_a_table_without_a_hand_needs_nothing(mirror: Mirror) -> None:
    assert not await mirror.referee.freeze("no-such-table", True)
    await mirror.begin([LAYOUT] * 3)
    await mirror.start()
    before = await due_ms(mirror, Timer.STUCK)
    for still in (True, True, False, False):
        await mirror.hold(still)
    assert await due_ms(mirror, Timer.STUCK) == before
    assert (await mirror.one(mirror.command(0, Turn(3)))).status is Status.APPLIED
