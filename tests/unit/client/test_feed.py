"""What happens in a session as an iterator."""

from __future__ import annotations

import asyncio

import pytest

from services.client.errors import FellBehind, Left, TableClosed, TakenOver
from services.client.feed import UNREAD, Feed
from services.rules.events import Started


def event(seq: int) -> Started:
    return Started(seq=seq, at=0, hand=1)


async def test_events_come_in_order_and_end_with_the_table() -> None:
    feed: Feed[Started] = Feed()
    for seq in (1, 2):
        feed.put(event(seq))
    feed.end(TableClosed())
    assert [e.seq async for e in feed] == [1, 2]


async def test_a_reader_waits_for_the_next_event() -> None:
    feed: Feed[Started] = Feed()
    reading = asyncio.create_task(anext(feed))
    await asyncio.sleep(0)
    feed.put(event(1))
    assert (await reading).seq == 1


async def test_a_session_that_was_left_ends_quietly_and_one_that_was_taken_over_does_not() -> None:
    left, taken = Feed[Started](), Feed[Started]()
    left.end(Left())
    taken.end(TakenOver())
    assert [e async for e in left] == []
    with pytest.raises(TakenOver):
        await anext(taken)


async def test_a_reader_that_falls_behind_is_told_after_what_it_has() -> None:
    feed: Feed[Started] = Feed()
    for seq in range(UNREAD + 5):
        feed.put(event(seq))
    read = [(await anext(feed)).seq for _ in range(UNREAD)]
    assert read == list(range(UNREAD))
    with pytest.raises(FellBehind):
        await anext(feed)
