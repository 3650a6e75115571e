"""Two seats with the same card: the one with the longer wire plays first, by a known gap."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from services.rules.options import Options
from tests.bench.fairness import networks
from tests.bench.fairness.schemes import SCHEMES
from tests.bench.fairness.seats import Press
from tests.bench.fairness.table import Table
from tests.bench.fairness.tally import Tally

SHORTER_RTT_MS: Final = 20.0
STEPS_MS: Final = tuple(range(0, 201, 20))
TABLES: Final = 20
CONTESTS: Final = 15
FIRST_PRESS_MS: Final = 1000.0
WARM_UP_MS: Final = 3000.0
"""Until round trips are known."""


@dataclass(frozen=True, slots=True)
class Cell:
    """All contests of one true gap and one difference of round trips (ms), by scheme."""

    gap_ms: int
    more_rtt_ms: int
    tallies: dict[str, Tally]


def cells(rng: random.Random, jitter: str, steps: Sequence[int] = STEPS_MS, tables: int = TABLES) -> list[Cell]:
    """Every gap beside every difference. Each table has other roads, of the same round trips."""
    return [_cell(rng, gap, more, jitter, tables) for gap in steps for more in steps]


def new_tallies(window_ms: int = Options().tie_window_ms) -> dict[str, Tally]:
    """One for each scheme."""
    return {name: Tally(window_ms) for name in SCHEMES}


def _cell(rng: random.Random, gap: int, more: int, jitter: str, tables: int) -> Cell:
    tallies = new_tallies()
    for _ in range(tables):
        roads = [networks.road(rng, rtt, jitter) for rtt in (SHORTER_RTT_MS + more, SHORTER_RTT_MS)]
        table = Table([networks.seat(rng, road) for road in roads], networks.platform(rng))
        table.rest(WARM_UP_MS + rng.uniform(0, WARM_UP_MS))
        for _ in range(CONTESTS):
            plays = table.play([Press(0, FIRST_PRESS_MS), Press(1, FIRST_PRESS_MS + gap)])
            for name, tally in tallies.items():
                tally.count(plays, SCHEMES[name])
    return Cell(gap, more, tallies)
