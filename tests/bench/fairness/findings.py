"""All that the study counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.bench.fairness.grid import Cell, new_tallies
from tests.bench.fairness.liars import Gain, Start
from tests.bench.fairness.tally import Tally

Tallies = dict[str, Tally]


@dataclass(slots=True)
class Findings:
    """By jitter; by players; by window (ms); by liar and scheme; by way of playing blindly and round trip (ms)."""

    grids: dict[str, list[Cell]] = field(default_factory=dict)
    mixes: dict[int, Tallies] = field(default_factory=dict)
    windows: dict[int, Tallies] = field(default_factory=dict)
    late: dict[str, dict[str, Gain]] = field(default_factory=dict)
    waiting: dict[str, dict[str, Gain]] = field(default_factory=dict)
    blind: dict[tuple[str, float], Start] = field(default_factory=dict)

    def grid_total(self, jitter: str) -> Tallies:
        """All cells whose gap is more than nothing: at the same instant nobody is first."""
        return together(cell.tallies for cell in self.grids[jitter] if cell.gap_ms)

    def field_total(self) -> Tallies:
        """All tables of two to eight."""
        return together(self.mixes.values())


def together(many: Iterable[Tallies]) -> Tallies:
    """The sum."""
    sums = new_tallies()
    for tallies in many:
        for name, tally in tallies.items():
            sums[name].add(tally)
    return sums
