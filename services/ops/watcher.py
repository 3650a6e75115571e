"""Looks at every process's metrics once a second, while somebody looks at the console, and keeps what it saw."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import Final

import httpx2
from prometheus_client.parser import text_string_to_metric_families

from services.ops.figures import WANTED, Look, Sample, Samples, point, use
from services.ops.models import Point
from services.ops.redis_desk import RedisDesk
from services.runtime.errors import Fault
from services.runtime.log import logger
from services.runtime.orders import Told

EVERY_SECONDS: Final = 1.0
KEPT: Final = 300
"""Points: five minutes."""
IDLE_SECONDS: Final = 15.0
"""So long after somebody has asked it goes on looking."""
ANSWER_SECONDS: Final = 0.8

_log = logger(__name__)


class Watcher:
    """The points of the last minutes, and what each process uses. :meth:`run` does the looking."""

    def __init__(self, desk: RedisDesk, http: httpx2.AsyncClient) -> None:
        self._desk = desk
        self._http = http
        self._asked_at = float("-inf")
        self._wanted = asyncio.Event()
        self._last: Look | None = None
        self._points: deque[Point] = deque(maxlen=KEPT)
        self._uses: dict[str, tuple[float | None, int | None]] = {}

    def points(self, since: int) -> list[Point]:
        """Those after ``since`` (ms). Has it go on looking for a while."""
        self._asked_at = time.monotonic()
        self._wanted.set()
        return [each for each in self._points if each.at > since]

    def use_of(self, process: str) -> tuple[float | None, int | None]:
        """The share of a processor and the bytes that a process uses, if they are known."""
        return self._uses.get(process, (None, None))

    async def run(self) -> None:
        """Looks. Never returns."""
        while True:
            if time.monotonic() - self._asked_at > IDLE_SECONDS:
                self._wanted.clear()
                self._last = None
                self._points.clear()
                await self._wanted.wait()
            try:
                await self.look()
            except Fault as fault:
                _log.debug("not looked", fault=str(fault))
            await asyncio.sleep(EVERY_SECONDS)

    async def look(self) -> None:
        """Looks once."""
        processes = await self._desk.processes()
        read = await asyncio.gather(*map(self._read, processes))
        said = {process.name: samples for process, samples in zip(processes, read, strict=True) if samples is not None}
        now = Look(time.time_ns() // 1_000_000, said)
        before, self._last = self._last, now
        if before is None:
            return
        self._points.append(point(before, now))
        seconds = (now.at - before.at) / 1000
        self._uses = {
            name: use(before.by_process.get(name, {}), samples, seconds) for name, samples in now.by_process.items()
        }

    async def _read(self, process: Told) -> Samples | None:
        """A process's samples; None if it does not answer."""
        host = f"[{process.host}]" if ":" in process.host else process.host
        url = f"http://{host}:{process.metrics_port}/metrics"
        try:
            answer = await self._http.get(url, params=[("name[]", name) for name in _NAMES], timeout=ANSWER_SECONDS)
            answer.raise_for_status()
        except httpx2.HTTPError:
            return None
        return {
            Sample(sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in text_string_to_metric_families(answer.text)
            for sample in family.samples
        }


_NAMES: Final = (*WANTED, *(f"{name}{suffix}" for name in WANTED for suffix in ("_total", "_bucket", "_count", "_sum")))
