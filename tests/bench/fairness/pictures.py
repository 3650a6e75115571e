"""The pictures of docs/fairness.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tests.bench.fairness.findings import Findings, Tallies
from tests.bench.fairness.grid import STEPS_MS, Cell
from tests.bench.fairness.schemes import OURS, SCHEMES
from tests.bench.fairness.svg import Panel, heat, lines
from tests.bench.fairness.tally import Share

PICTURED: Final = "calm"
"""The jitter of which every scheme is shown."""
ROBBED_INK: Final = "#d55e00"
TIED_INK: Final = "#0072b2"


def pictures(found: Findings) -> dict[str, str]:
    """SVG by name."""
    axes = "difference of round trips, ms", "true gap, ms", STEPS_MS
    robbed = [Panel(name, _rows(found.grids[PICTURED], _robbed(name))) for name in SCHEMES]
    ties = [Panel(f"{jitter} roads", _rows(cells, _tied)) for jitter, cells in found.grids.items()]
    inside = {name: [tallies[name].robbed_inside_share for tallies in found.mixes.values()] for name in SCHEMES}
    label = "Contests in which the card that was first went back, percent"
    return {
        "robbed": heat(label, *axes, robbed, ROBBED_INK),
        "ties": heat("Contests in which the place was shared, percent", *axes, ties, TIED_INK),
        "tables": lines(label, "players at the table", "robbed inside the cap, %", list(found.mixes), inside),
    }


def _robbed(scheme: str) -> Callable[[Tallies], Share]:
    return lambda tallies: tallies[scheme].robbed_share


def _tied(tallies: Tallies) -> Share:
    return tallies[OURS].ties_share


def _rows(cells: Sequence[Cell], share: Callable[[Tallies], Share]) -> list[list[float]]:
    at = {(cell.gap_ms, cell.more_rtt_ms): share(cell.tallies).percent for cell in cells}
    return [[at[gap, more] for more in STEPS_MS] for gap in STEPS_MS]
