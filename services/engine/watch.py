"""A table's events from a sequence number on, then live; a snapshot first if the log no longer reaches back.

The subscription is there before the log is first read, and it only says *that* there is news: what it is always comes
from the log, so nothing can be missed, doubled or out of order.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Final, NamedTuple

from services.engine import snapshot
from services.engine.hands import Hands
from services.engine.port import Log

PAGE: Final = 256
"""How many events are read at once."""


class Sight(NamedTuple):
    """An event, or a snapshot if ``compacted``."""

    seq: int
    compacted: bool
    frame: bytes


async def watch(
    log: Log, hands: Hands, table: str, after_seq: int, stopping: asyncio.Event
) -> AsyncGenerator[Sight, None]:
    """Until ``stopping`` is set. Raises ``NotFound`` if the table has no hand (any more)."""
    async with log.news(table) as news:
        state = await hands.state(table)
        if after_seq > state.hand.seq:
            # The client was ahead of the history that exists.
            yield Sight(state.hand.seq, True, snapshot.frame(state))
            after_seq = state.hand.seq
        while not stopping.is_set():
            events = await log.read(table, after_seq, PAGE)
            if events and events[0][0] != after_seq + 1:
                state = await hands.state(table)
                yield Sight(state.hand.seq, True, snapshot.frame(state))
                after_seq = state.hand.seq
                continue
            for seq, frame in events:
                yield Sight(seq, False, frame)
                after_seq = seq
            if len(events) < PAGE:
                await anext(news)
