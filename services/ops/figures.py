"""What all processes' metrics say together: rates and latencies between two looks. Pure.

A look is every process's samples, by process; only what the same process said at both looks counts, so that one that
was started anew makes no rate below zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from services.ops.models import Point

WANTED: Final = (
    "pandemonium_gateway_sockets",
    "pandemonium_gateway_play_seconds",
    "pandemonium_engine_events",
    "pandemonium_engine_contests",
    "process_cpu_seconds",
    "process_resident_memory_bytes",
)
"""Families of metrics that are read."""


class Sample(NamedTuple):
    """One series' value; ``labels`` are sorted pairs."""

    name: str
    labels: tuple[tuple[str, str], ...]


Samples = Mapping[Sample, float]


class Look(NamedTuple):
    """What all processes said at one time (ms)."""

    at: int
    by_process: Mapping[str, Samples]


def point(before: Look, now: Look) -> Point:
    """What happened in between, and how things stand."""
    seconds = max(0.001, (now.at - before.at) / 1000)
    grown = _grown(before, now)
    contests = {dict(s.labels)["outcome"]: n for s, n in grown if s.name == "pandemonium_engine_contests_total"}
    buckets: dict[float, float] = {}
    for sample, n in grown:
        if sample.name == "pandemonium_gateway_play_seconds_bucket":
            edge = float(dict(sample.labels)["le"])
            buckets[edge] = buckets.get(edge, 0.0) + n
    sockets = {"seat": 0.0, "spectator": 0.0}
    for samples in now.by_process.values():
        for sample, value in samples.items():
            if sample.name == "pandemonium_gateway_sockets":
                sockets[dict(sample.labels)["kind"]] += value
    return Point(
        at=now.at,
        plays=_sum(grown, "pandemonium_gateway_play_seconds_count") / seconds,
        events=_sum(grown, "pandemonium_engine_events_total") / seconds,
        contests=sum(contests.get(outcome, 0.0) for outcome in ("tied", "late", "seen")) / seconds,
        ties=contests.get("tied", 0.0) / seconds,
        seats=round(sockets["seat"]),
        spectators=round(sockets["spectator"]),
        p50=quantile(buckets, 0.5),
        p95=quantile(buckets, 0.95),
        p99=quantile(buckets, 0.99),
    )


def quantile(buckets: Mapping[float, float], share: float) -> float | None:
    """That share of all took at most so many ms, evenly within a bucket; None if there were none.

    ``buckets`` are cumulative counts by upper edge in seconds, the last one infinite.
    """
    total = buckets.get(float("inf"), 0.0)
    if total <= 0:
        return None
    wanted, lower, below = share * total, 0.0, 0.0
    for edge, count in sorted(buckets.items()):
        if count >= wanted:
            if edge == float("inf"):
                return lower * 1000
            within = (wanted - below) / (count - below) if count > below else 1.0
            return (lower + (edge - lower) * within) * 1000
        lower, below = edge, count
    return lower * 1000


def use(before: Samples, now: Samples, seconds: float) -> tuple[float | None, int | None]:
    """What share of a processor a process used in between, and the bytes that it holds."""
    cpu, memory = Sample("process_cpu_seconds_total", ()), Sample("process_resident_memory_bytes", ())
    share = (now[cpu] - before[cpu]) / max(0.001, seconds) if cpu in before and cpu in now else None
    return share, round(now[memory]) if memory in now else None


def _grown(before: Look, now: Look) -> list[tuple[Sample, float]]:
    """By how much each counter has grown, summed over processes."""
    summed: dict[Sample, float] = {}
    for process, samples in now.by_process.items():
        earlier = before.by_process.get(process)
        if earlier is None:
            continue
        for sample, value in samples.items():
            summed[sample] = summed.get(sample, 0.0) + max(0.0, value - earlier.get(sample, 0.0))
    return list(summed.items())


def _sum(grown: Iterable[tuple[Sample, float]], name: str) -> float:
    return sum(value for sample, value in grown if sample.name == name)
