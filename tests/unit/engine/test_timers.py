from __future__ import annotations

import asyncio

import pytest

from services.engine.hands import Hands
from services.engine.judge import Judge
from services.engine.memory_referee import MemoryReferee
from services.engine.port import Timer
from services.engine.timers import AT_ONCE, Timers
from services.rules.hand import Phase
from services.rules.moves import Choice, Vote
from services.rules.options import RACING_DEMON
from tests.unit.engine.tables import FRESH, SECRET, command, players, started


async def one_round(timers: Timers) -> None:
    await timers.begin_due()
    await timers.drain()


async def test_a_round_fires_what_is_due_and_leaves_the_rest() -> None:
    store = MemoryReferee()
    hands = Hands(store, lambda: SECRET)
    for table, countdown in (("soon", 10), ("later", 1000)):
        await hands.prepare(table, match="m", hand=1, seats=2)
        await hands.deal(table, match="m", hand=1, options=RACING_DEMON, players=players(2), countdown_ms=countdown)
    store.now += 10

    await one_round(Timers(store, hands))

    assert (await hands.state("soon")).hand.phase is Phase.PLAYING
    assert (await hands.state("later")).hand.phase is Phase.DEALT


async def test_two_engines_fire_a_timer_once() -> None:
    store = MemoryReferee()
    hands = Hands(store, lambda: SECRET)
    await hands.prepare("t", match="m", hand=1, seats=2)
    await hands.deal("t", match="m", hand=1, options=RACING_DEMON, players=players(2), countdown_ms=0)

    await asyncio.gather(*(one_round(Timers(store, hands)) for _ in range(2)))

    assert (await hands.state("t")).hand.seq == 3


async def test_a_vote_has_its_table_looked_at_without_a_round() -> None:
    store = MemoryReferee()
    hands = await started(store, FRESH, FRESH)
    timers = Timers(store, hands)
    judge = Judge(store, voted=timers.hurry)

    for seat in (0, 1):
        await judge.one(command(1, Vote(Choice.END, 0), seat=seat))
    await timers.drain()

    assert (await hands.state("t")).hand.phase is Phase.OVER


async def test_one_table_that_fails_keeps_no_other_from_its_timer() -> None:
    class Cursed(Hands):
        async def fire(self, table: str, timer: Timer) -> bool:
            if table == "cursed":
                raise ZeroDivisionError
            return await super().fire(table, timer)

    store = MemoryReferee()
    hands = Cursed(store, lambda: SECRET)
    for table in ("cursed", "well"):
        await hands.prepare(table, match="m", hand=1, seats=2)
        await hands.deal(table, match="m", hand=1, options=RACING_DEMON, players=players(2), countdown_ms=0)

    await one_round(Timers(store, hands))

    assert (await hands.state("well")).hand.phase is Phase.PLAYING


async def test_a_table_that_takes_long_keeps_no_other_from_starting() -> None:
    class Brooding(Hands):
        async def fire(self, table: str, timer: Timer) -> bool:
            if timer is Timer.STUCK:
                await asyncio.Event().wait()
            return await super().fire(table, timer)

    store = MemoryReferee()
    for i in range(AT_ONCE + 1):
        await started(store, FRESH, FRESH, table=f"stuck{i}")
    store.now += 1000
    hands = Brooding(store, lambda: SECRET)
    await hands.prepare("t", match="m", hand=1, seats=2)
    await hands.deal("t", match="m", hand=1, options=RACING_DEMON, players=players(2), countdown_ms=0)

    polling = asyncio.create_task(Timers(store, hands).poll())

    async with asyncio.timeout(30):
        while (await hands.state("t")).hand.phase is not Phase.PLAYING:
            await asyncio.sleep(0.01)
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await polling


async def test_the_poller_goes_on_after_the_log_was_out_of_reach() -> None:
    store = MemoryReferee()
    hands = Hands(store, lambda: SECRET)
    await hands.prepare("t", match="m", hand=1, seats=2)
    await hands.deal("t", match="m", hand=1, options=RACING_DEMON, players=players(2), countdown_ms=0)
    store.reached = False
    polling = asyncio.create_task(Timers(store, hands).poll())
    await asyncio.sleep(0)
    store.reached = True

    async with asyncio.timeout(30):
        while (await hands.state("t")).hand.phase is not Phase.PLAYING:
            await asyncio.sleep(0.01)

    polling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await polling
