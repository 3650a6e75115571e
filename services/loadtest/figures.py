"""What a run came to: counts, histograms of everything measured, and the same second by second.

Histograms are HDR (three significant digits, µs), so that those of several processes add up exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hdrh.histogram import HdrHistogram

from services.loadtest.measures import Sample, unpacked
from services.loadtest.messages import Second

PERCENTILES: Final = (50.0, 75.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.99, 100.0)
_LONGEST_US: Final = 600_000_000
_DIGITS: Final = 3


class Latency:
    """A histogram of µs."""

    def __init__(self) -> None:
        self._histogram = HdrHistogram(1, _LONGEST_US, _DIGITS)

    def add(self, values_us: Iterable[int]) -> None:
        """More samples. What is longer than ten minutes counts as that."""
        for value in values_us:
            self._histogram.record_value(min(max(1, value), _LONGEST_US))

    @property
    def count(self) -> int:
        """How many samples there are."""
        return int(self._histogram.total_count)

    def ms(self, percentile: float) -> float:
        """The value that so many percent of the samples don't exceed, ms; 0 without samples."""
        return float(self._histogram.get_value_at_percentile(percentile)) / 1000 if self.count else 0.0

    def told(self) -> dict[str, Any]:
        """For run.json: count, mean, percentiles, and the whole histogram in HDR's own encoding."""
        return {
            "count": self.count,
            "mean_ms": round(float(self._histogram.get_mean_value()) / 1000, 3) if self.count else 0.0,
            "percentiles_ms": {f"{percentile:g}": round(self.ms(percentile), 3) for percentile in PERCENTILES},
            "histogram": self._histogram.encode().decode(),
        }


@dataclass(slots=True)
class Slice:
    """One second of all processes."""

    counts: Counter[str] = field(default_factory=Counter)
    samples: dict[Sample, list[int]] = field(default_factory=dict)

    def ms(self, name: Sample, percentile: float) -> float | None:
        """A percentile of this second's samples, ms; None without any."""
        values = self.samples.get(name)
        if not values:
            return None
        values.sort()
        return values[min(len(values) - 1, int(len(values) * percentile / 100))] / 1000


@dataclass(frozen=True, slots=True)
class GaveWay:
    """The first second of the two in a row, from 0, at which it was too much, and the most plays in one before."""

    second: int
    p99_ms: float
    lag_ms: float
    sustained: int | None


class Figures:
    """Adds up what the generator processes tell."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.latencies = {name: Latency() for name in Sample}
        self.slices: list[Slice] = []

    def add(self, second: Second) -> None:
        """A process's second."""
        at = max(0, round(second.at_s) - 1)
        while len(self.slices) <= at:
            self.slices.append(Slice())
        part = self.slices[at]
        self.counts.update(second.counts)
        part.counts.update(second.counts)
        for name, packed in second.samples.items():
            values = unpacked(packed)
            self.latencies[Sample(name)].add(values)
            part.samples.setdefault(Sample(name), []).extend(values)

    def verdicts(self, outcome: str) -> int:
        """How many commands came to this outcome, whatever the reason."""
        return matching(self.counts, f"verdict.{outcome}")

    @property
    def judged(self) -> int:
        """How many commands were judged."""
        return sum(self.verdicts(outcome) for outcome in ("applied", "tied", "returned", "refused"))

    @property
    def contests(self) -> int:
        """How many plays met another one at their place."""
        return self.verdicts("tied") + self.verdicts("returned")

    def gave_way(self, p99_ms: float, lag_ms: float) -> GaveWay | None:
        """Where plays, or the generator itself, were too slow for two seconds in a row; None: nowhere so far.

        What is fast after that is only what was held up before. The last second is left out, of which some processes
        may not have told yet.
        """
        before = None
        for i, part in enumerate(self.slices[:-1]):
            late_ms = part.ms(Sample.PLAY, 99)
            if late_ms is None:
                continue
            now = GaveWay(i, late_ms, part.ms(Sample.LAG, 99) or 0.0, self._most(i))
            if now.p99_ms <= p99_ms and now.lag_ms <= lag_ms:
                before = None
            elif before is not None:
                return before
            else:
                before = now
        return None

    def sustained(self, p99_ms: float, lag_ms: float) -> int | None:
        """The most plays in a second before something gave way; None: not even in the first."""
        end = self.gave_way(p99_ms, lag_ms)
        return self._most(len(self.slices)) if end is None else end.sustained

    def _most(self, seconds: int) -> int | None:
        return max((matching(part.counts, "verdict") for part in self.slices[:seconds]), default=0) or None

    def wrong(self) -> dict[str, int]:
        """What should never happen, and how often it did."""
        return {name.removeprefix("wrong."): n for name, n in self.counts.items() if name.startswith("wrong.")}


def matching(counts: Mapping[str, int], name: str) -> int:
    """The sum of a count and of those below it (``verdict.returned`` and ``verdict.returned.late``)."""
    return sum(n for key, n in counts.items() if key == name or key.startswith(f"{name}."))
