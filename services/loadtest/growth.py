"""Whether anything of the platform grows while it runs: a straight line through the samples of each figure. Pure.

A process is looked at in its longest life, since one that was killed begins anew. Its warm-up is left out.
Resident memory is taken: the services share next to nothing, so its growth is that of their own (PSS).
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from services.loadtest.surroundings import Series

WARM_UP_S: Final = 60
"""At least; a third of a longer life."""
SHORTEST_S: Final = 120
"""Over less time than this a line says nothing."""
_SHARE: Final = 0.03
_LEAST: Final = {"memory MiB": 1.0, "descriptors": 3.0, "Redis memory MiB": 0.5, "Redis keys": 20.0}
"""A rise over the whole time that is no growth, if it is more than that share of the figure itself."""


@dataclass(frozen=True, slots=True)
class Trend:
    """What became of one figure: its mean, its slope, and how long it was looked at."""

    what: str
    seconds: int
    level: float
    per_hour: float

    @property
    def flat(self) -> bool:
        """Whether it has stayed where it was: the line rises by less than 3 % of the mean, or by a trifle."""
        kind = next(kind for kind in _LEAST if self.what.endswith(kind))
        return self.per_hour * self.seconds / 3600 <= max(_LEAST[kind], _SHARE * self.level)


def trends(services: Mapping[str, Series], redis: Sequence[Mapping[str, float]], seconds: int) -> list[Trend]:
    """Of every figure that was looked at for long enough. Samples are one a second; those after play don't count."""
    figures = _figures(services, redis)
    return [trend for what, samples in figures if (trend := fitted(what, samples[:seconds])) is not None]


def fitted(what: str, samples: Sequence[float | None]) -> Trend | None:
    """The line through the longest part without a gap, after its warm-up; None if that is too short."""
    life = max(_lives(samples), key=len, default=[])
    warm = life[max(WARM_UP_S, len(life) // 3) :]
    if len(warm) < SHORTEST_S:
        return None
    slope, _ = statistics.linear_regression(range(len(warm)), warm)
    return Trend(what, len(warm), round(statistics.fmean(warm), 2), round(slope * 3600, 2))


def _figures(
    services: Mapping[str, Series], redis: Sequence[Mapping[str, float]]
) -> Iterator[tuple[str, Sequence[float | None]]]:
    for name, series in services.items():
        if name.startswith("generator"):
            continue  # it keeps what it measured
        # The first sample of a life has no CPU yet, and makes the gap between two lives.
        yield f"{name} memory MiB", _alive(series.mib, series.cpu)
        yield f"{name} descriptors", _alive(series.descriptors, series.cpu)
    for ours, what, unit in (("memory_bytes", "Redis memory MiB", 1 << 20), ("keys", "Redis keys", 1)):
        yield what, [told[ours] / unit if ours in told else None for told in redis]


def _alive(values: Sequence[float | None], cpu: Sequence[float | None]) -> list[float | None]:
    return [None if used is None else value for value, used in zip(values, cpu, strict=True)]


def _lives(samples: Sequence[float | None]) -> Iterator[list[float]]:
    life: list[float] = []
    for sample in samples:
        if sample is not None:
            life.append(sample)
        elif life:
            yield life
            life = []
    if life:
        yield life
