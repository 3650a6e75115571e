"""All engines' streams: which table's commands travel where, and where they go when an engine does not answer.

Routing by table (rendezvous hashing) only keeps engines' caches warm; any engine may take any command. An engine that
broke, or owes answers and has been silent, loses its commands to another one; the command number makes each count once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Final

from services.gateway import metrics
from services.gateway.lane import Carrier, Lane, Listener
from services.gateway.link import Clock, Link, Open

LOOK_SECONDS: Final = 0.05
SILENT_SECONDS: Final = 0.3
"""An engine that owes answers and gives none for this long loses its commands to another one."""
HUNG_SECONDS: Final = 5.0
"""One that is silent for this long gets a new stream."""
OLD_SECONDS: Final = 2.0
"""A single command without an answer for this long is sent again, although its engine answers others."""
LATE_SECONDS: Final = 0.1
"""If this process itself was held up for this long, silence proves nothing yet."""

Pause = Callable[[str, bool], None]
"""A table's commands can't be judged at the moment, or they can again."""


class Plays:
    """The pool of engine streams."""

    def __init__(self, engines: Mapping[str, Open], pause: Pause, now: Clock = time.monotonic) -> None:
        self._links = [Link(address, open_stream, self, now) for address, open_stream in engines.items()]
        self._pause = pause
        self._now = now
        self._stranded: dict[Lane, None] = {}
        self._stuck: dict[str, set[Lane]] = {}

    @property
    def links(self) -> Sequence[Link]:
        """The engines' streams; each must be ``run``."""
        return self._links

    @property
    def ready(self) -> bool:
        """Whether any engine takes commands."""
        return any(link.ready for link in self._links)

    def lane(self, table: str, listener: Listener) -> Lane:
        """A lane for one socket's commands."""
        return Lane(self, table, self._in_order(table), listener)

    # For lanes.

    def choose(self, lane: Lane) -> Carrier | None:
        """The link that the lane's commands should travel on now; None: no engine answers."""
        ready = [link for link in lane.preferences if link.ready]
        return next((link for link in ready if not link.silent), ready[0] if ready else None)

    def later(self, seconds: float, lane: Lane) -> None:
        """Has the lane send again after so long."""
        asyncio.get_running_loop().call_later(seconds, lane.send_again)

    def stranded(self, lane: Lane) -> None:
        """Has the lane send again when there is an engine."""
        self._stranded[lane] = None

    def stuck(self, lane: Lane, on: bool) -> None:
        """Says so when the first lane of a table is stuck, and when none is any more."""
        lanes = self._stuck.setdefault(lane.table, set())
        if on:
            if not lanes:
                metrics.TABLES_PAUSED.inc()
                self._pause(lane.table, True)
            lanes.add(lane)
        else:
            lanes.discard(lane)
            self._stranded.pop(lane, None)
            if not lanes:
                del self._stuck[lane.table]
                metrics.TABLES_PAUSED.dec()
                self._pause(lane.table, False)

    # For links.

    def opened(self, link: Link) -> None:
        """Lanes that found no engine have one now."""
        metrics.ENGINES_READY.set(sum(each.ready for each in self._links))
        stranded, self._stranded = self._stranded, {}
        for lane in stranded:
            lane.send_again()

    def broke(self, link: Link, lanes: Sequence[Lane]) -> None:
        """What was on the link goes elsewhere."""
        metrics.ENGINES_READY.set(sum(each.ready for each in self._links))
        if lanes:
            self._move(lanes, "broken")

    async def watch(self) -> None:
        """Looks for engines that don't answer. Never returns."""
        due = self._now() + LOOK_SECONDS
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            now = self._now()
            if now - due < LATE_SECONDS:
                self.look(now)
            due = now + LOOK_SECONDS

    def look(self, now: float) -> None:
        """Moves what silent engines owe, and gives hung ones a new stream."""
        for link in self._links:
            silence = link.silence(now)
            if silence > HUNG_SECONDS:
                link.reset()
            elif silence > SILENT_SECONDS:
                others = (each for each in self._links if each is not link and each.ready and not each.silent)
                if not link.silent and any(others):
                    link.silent = True
                    self._move(link.take_lanes(), "silent")
            else:
                self._move(link.take_overdue(now - OLD_SECONDS), "old")
        metrics.QUEUED.set(sum(link.queued for link in self._links))

    def _move(self, lanes: Sequence[Lane], why: str) -> None:
        if lanes:
            metrics.FAILOVERS.labels(why).inc()
        for lane in lanes:
            lane.send_again()

    def _in_order(self, table: str) -> tuple[Link, ...]:
        def weight(link: Link) -> bytes:
            return blake2b(f"{link.address}|{table}".encode(), digest_size=8).digest()

        return tuple(sorted(self._links, key=weight))
