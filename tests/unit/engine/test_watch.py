from __future__ import annotations

import asyncio
import json
from contextlib import aclosing

import pytest

from services.engine.hands import Hands
from services.engine.judge import Judge
from services.engine.memory_referee import MemoryReferee
from services.engine.watch import watch
from services.rules.moves import Recycle, Turn
from services.runtime.errors import NotFound
from tests.unit.engine.tables import FRESH, command, started


class Trimmed(MemoryReferee):
    """A log that lost its first events."""

    lost = 2

    async def read(self, table: str, after_seq: int, limit: int) -> list[tuple[int, bytes]]:
        return await super().read(table, max(after_seq, self.lost), limit)


async def test_a_watch_gives_what_was_and_then_what_comes_each_once_and_in_order() -> None:
    store = MemoryReferee()
    hands = await started(store, FRESH, FRESH)
    judge = Judge(store)

    seqs = []
    async with aclosing(watch(store, hands, "t", 1, asyncio.Event())) as sights:
        async for sight in sights:
            assert not sight.compacted
            assert json.loads(sight.frame)["seq"] == sight.seq
            seqs.append(sight.seq)
            n = len(seqs) - 1
            if n in (1, 2, 3):
                await judge.one(command(n, (Turn(7), Turn(4), Turn(1))[n - 1]))
            elif n == 4:
                await judge.one(command(n, Recycle()))
            if len(seqs) == 6:
                break

    assert seqs == [2, 3, 4, 5, 6, 7]


async def test_a_log_that_does_not_reach_back_gives_a_snapshot_first() -> None:
    store = Trimmed()
    hands = await started(store, FRESH, FRESH)
    await Judge(store).one(command(1, Turn(7)))

    async with aclosing(watch(store, hands, "t", 0, asyncio.Event())) as sights:
        first = await anext(sights)
        await Judge(store).one(command(2, Turn(4)))
        second = await anext(sights)

    assert (first.seq, first.compacted, json.loads(first.frame)["t"]) == (4, True, "snapshot")
    assert (second.seq, second.compacted) == (5, False)


async def test_a_client_that_was_ahead_of_the_history_gets_a_snapshot() -> None:
    store = MemoryReferee()
    hands = await started(store, FRESH, FRESH)

    async with aclosing(watch(store, hands, "t", 99, asyncio.Event())) as sights:
        first = await anext(sights)

    assert (first.seq, first.compacted) == (3, True)


async def test_a_table_without_a_hand_can_not_be_watched() -> None:
    store = MemoryReferee()
    with pytest.raises(NotFound):
        await anext(watch(store, Hands(store), "t", 0, asyncio.Event()))
