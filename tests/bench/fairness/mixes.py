"""Tables as they come together: two to eight players, each with a road of its own."""

from __future__ import annotations

import random
from typing import Final

from services.rules.options import Options
from tests.bench.fairness import networks
from tests.bench.fairness.grid import WARM_UP_MS, new_tallies
from tests.bench.fairness.schemes import SCHEMES
from tests.bench.fairness.table import Table
from tests.bench.fairness.tally import Tally

PLAYERS: Final = range(2, 9)
TABLES: Final = 200
ROUNDS: Final = 40


def mix(
    rng: random.Random, players: int, *, tables: int = TABLES, window_ms: int = Options().tie_window_ms
) -> dict[str, Tally]:
    """What each scheme did to the contests of so many players. Places that only one card was played to are none."""
    tallies, options = new_tallies(window_ms), Options(tie_window_ms=window_ms)
    for _ in range(tables):
        roads = [networks.field_road(rng) for _ in range(players)]
        table = Table([networks.seat(rng, road) for road in roads], networks.platform(rng), options)
        table.rest(WARM_UP_MS + rng.uniform(0, WARM_UP_MS))
        for _ in range(ROUNDS):
            plays = table.play(networks.reactions(rng, roads))
            if len(plays) > 1:
                for name, tally in tallies.items():
                    tally.count(plays, SCHEMES[name])
    return tallies
