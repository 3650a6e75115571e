"""What a run can see of the platform besides its edge, when that was started for the run: processes, metrics, Redis.

A sample is taken every second. CPU is in cores (1.0: one core busy), memory is what is resident, MiB.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx2
from prometheus_client.parser import text_string_to_metric_families

from services.loadtest.process_use import used
from services.loadtest.redis_load import RedisLoad

_EVERY_S: Final = 1.0
_KEPT_METRICS: Final = (
    *("pandemonium_engine_contests_total", "pandemonium_engine_stale_total", "pandemonium_engine_events_total"),
    *("pandemonium_gateway_frames_in_total", "pandemonium_gateway_frames_out_total"),
    *("pandemonium_gateway_throttled_total", "pandemonium_gateway_closed_total", "pandemonium_gateway_resumes_total"),
    *("pandemonium_gateway_engine_failovers_total", "pandemonium_gateway_commands_sent_again_total"),
    *("pandemonium_scoring_hands_counted_total", "pandemonium_scoring_disagreements_total"),
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """How to look at the platform, and how to do it harm.

    ``pids`` gives the process ids by name as they are now, ``metrics`` are the addresses of ``/metrics`` by name.
    ``harm`` does to a process what a scenario's harm says (name, how, seconds) and returns when all is well again;
    ``services`` names those that a roll replaces, in order. ``kill_engine`` kills the next engine in turn, once all of
    them are ready.
    """

    pids: Callable[[], Mapping[str, int | None]]
    metrics: Mapping[str, str]
    redis_url: str
    kill_engine: Callable[[], Awaitable[None]]
    harm: Callable[[str, str, float], Awaitable[None]]
    services: Callable[[], Sequence[str]]


@dataclass(slots=True)
class Series:
    """One service's samples, one a second; None while the process was not there."""

    cpu: list[float | None] = field(default_factory=list)
    mib: list[float | None] = field(default_factory=list)
    descriptors: list[float | None] = field(default_factory=list)


class Sampler:
    """Looks at the surroundings until it is cancelled."""

    def __init__(self, surroundings: Surroundings, generators: Sequence[int]) -> None:
        self.services: dict[str, Series] = {}
        self.redis: list[dict[str, float]] = []
        self._surroundings = surroundings
        self._generators = generators
        self._last: dict[int, tuple[float, float]] = {}
        self._first_metrics: dict[str, float] = {}

    async def run(self) -> None:
        """Takes samples. Never returns."""
        self._first_metrics = await self._read_metrics()
        async with RedisLoad(self._surroundings.redis_url) as redis:
            due = time.monotonic()
            while True:
                self._sample()
                self.redis.append(await redis.look())
                due += _EVERY_S
                await asyncio.sleep(max(0.0, due - time.monotonic()))

    async def metrics(self) -> dict[str, float]:
        """What the services' counters have come to since :meth:`run` began; those of killed processes are partial."""
        now = await self._read_metrics()
        return {name: value - self._first_metrics.get(name, 0.0) for name, value in sorted(now.items())}

    def _sample(self) -> None:
        processes: dict[str, int | None] = dict(self._surroundings.pids())
        processes |= {f"generator-{i + 1}": pid for i, pid in enumerate(self._generators)}
        for name, pid in processes.items():
            series = self.services.setdefault(name, Series())
            use = None if pid is None else used(pid)
            if pid is None or use is None:
                series.cpu.append(None)
                series.mib.append(None)
                series.descriptors.append(None)
                continue
            now, before = time.monotonic(), self._last.get(pid)
            self._last[pid] = now, use.cpu_s
            series.cpu.append(round((use.cpu_s - before[1]) / (now - before[0]), 3) if before else None)
            series.mib.append(round(use.mib, 2))
            series.descriptors.append(use.descriptors)

    async def _read_metrics(self) -> dict[str, float]:
        found: dict[str, float] = {}
        async with httpx2.AsyncClient(timeout=2.0, trust_env=False) as http:
            for url in self._surroundings.metrics.values():
                try:
                    text = (await http.get(url)).text
                except httpx2.TransportError:
                    continue  # it was killed, and is not back yet
                for family in text_string_to_metric_families(text):
                    for sample in family.samples:
                        if sample.name in _KEPT_METRICS:
                            labels = ",".join(sample.labels.values())
                            name = f"{sample.name}{{{labels}}}" if labels else sample.name
                            found[name] = found.get(name, 0.0) + sample.value
        return found


def machine() -> dict[str, Any]:
    """What it ran on."""
    model = next(
        (line.split(":", 1)[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), ""
    )
    memory = next((int(line.split()[1]) for line in _lines("/proc/meminfo") if line.startswith("MemTotal")), 0)
    return {"cores": os.cpu_count(), "model": model, "memory_mib": memory // 1024, "load_average": os.getloadavg()}


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []  # another system than Linux
