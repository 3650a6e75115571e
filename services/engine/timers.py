"""Fires timers when they are due, and mends their index. Any number of engines may do so side by side.

A timer lives in its table's hash; what fires here is only a hint from the index. The referee decides whether it is due,
so a timer that two engines see fires once, and one whose engine died is seen by another one's next round.
"""

from __future__ import annotations

import asyncio
import random
from typing import Final

from services.engine import metrics
from services.engine.hands import Hands
from services.engine.port import Timer, TimerIndex
from services.runtime.errors import Fault
from services.runtime.log import logger

ROUND_SECONDS: Final = (0.05, 0.1)
"""Between two rounds, at random, so that several engines take turns."""
PER_SHARD: Final = 32
"""How many timers of one shard a round takes; if there were more, the next round follows at once."""
AT_ONCE: Final = 32
"""How many timers of one kind are worked on at the same time."""
SWEEP_SECONDS: Final = 30.0
"""Between two sweeps, on average."""
TROUBLE_SECONDS: Final = 0.5
"""How long to wait when the index can't be reached."""

_log = logger(__name__)


class Timers:
    """The poller and the sweeper of one engine."""

    def __init__(self, index: TimerIndex, hands: Hands) -> None:
        self._index = index
        self._hands = hands
        self._working: set[tuple[str, Timer]] = set()
        # By kind: a table that takes long to be looked at keeps no hand from starting.
        self._slots = {timer: asyncio.Semaphore(AT_ONCE) for timer in Timer}
        self._tasks: set[asyncio.Task[None]] = set()

    def hurry(self, table: str) -> None:
        """There may be something to do at this table now: it is looked at without waiting for a round."""
        self._begin(table, Timer.STUCK)

    async def poll(self) -> None:
        """Rounds without end; none waits for what the one before has begun."""
        while True:
            try:
                begun = await self.begin_due()
            except Fault:
                await asyncio.sleep(TROUBLE_SECONDS)
                continue
            await asyncio.sleep(0 if begun >= PER_SHARD else random.uniform(*ROUND_SECONDS))

    async def begin_due(self) -> int:
        """Begins with everything that is due and not begun yet; how many that is."""
        due = await self._index.due(PER_SHARD)
        return sum(self._begin(table, timer) for table, timer in due)

    async def sweep(self) -> None:
        """Mends the index now and then, without end."""
        while True:
            try:
                metrics.TABLES_INDEXED.set(await self._index.rebuild())
            except Fault:
                _log.debug("sweep failed")
            await asyncio.sleep(SWEEP_SECONDS * random.uniform(0.5, 1.5))

    async def drain(self) -> None:
        """Returns when nothing is worked on any more."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _begin(self, table: str, timer: Timer) -> bool:
        if (table, timer) in self._working:
            return False
        self._working.add((table, timer))
        task = asyncio.create_task(self._fire(table, timer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def _fire(self, table: str, timer: Timer) -> None:
        try:
            async with self._slots[timer]:
                with metrics.TIMER_SECONDS.time():
                    await self._hands.fire(table, timer)
        except Fault:
            pass  # The timer stands where it stood; the next round sees it again.
        except Exception as error:
            _log.error("timer failed", table=table, timer=timer.value, exc_info=error)
        finally:
            self._working.discard((table, timer))
