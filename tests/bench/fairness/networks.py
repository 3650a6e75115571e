"""Roads, seats and platforms as they are drawn for the study. All that is assumed about networks and people is here."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from tests.bench.fairness.seats import HONEST, Client, Press, Seat
from tests.bench.fairness.table import Platform
from tests.bench.fairness.wire import Road

JITTERS: Final[dict[str, tuple[float, float]]] = {"still": (0.0, 0.0), "calm": (3.0, 0.002), "rough": (15.0, 0.02)}
"""By name: mean jitter in each direction (ms), and the share of frames lost once."""
UP_SHARE: Final = (0.35, 0.65)
"""Lowest and highest share of the round trip that is the way up: roads are not symmetrical."""
RTT_MS: Final = (10.0, 250.0)
"""Shortest and longest round trip in the field; in between lognormal."""
RTT_MEDIAN_MS: Final = 50.0
RTT_SIGMA: Final = 0.6
REACTION_MS: Final = (500.0, 1000.0)
"""From the card below being shown to the press, evenly."""
NOTICES_MS: Final = 200.0
"""Who has been shown a taken place for this long keeps the card: a quick reaction of a person."""
ALSO_HAS_IT: Final = 0.3
"""Each further seat holds the wanted card with this chance, beside two that do."""
CLOCK_ERROR_MS: Final = 0.5
"""An edge's clock is off by at most this, beside that of Redis."""


def platform(rng: random.Random) -> Platform:
    """Edge to commit 2.5 ms in the median and from there to the sockets 1 ms; an engine that dies costs 300 ms."""
    return Platform(
        queue=lambda: rng.lognormvariate(0.92, 0.4) + (300.0 if rng.random() < 0.002 else 0.0),
        feed=lambda: rng.expovariate(1.0),
        clock_error=lambda: rng.uniform(-CLOCK_ERROR_MS, CLOCK_ERROR_MS),
    )


def road(rng: random.Random, rtt_ms: float, jitter: str) -> Road:
    """One whose directions differ by chance."""
    up = rng.uniform(*UP_SHARE)
    return Road(rtt_ms * up, rtt_ms * (1 - up), *JITTERS[jitter])


def field_road(rng: random.Random) -> Road:
    """One as players have them: any round trip, any jitter."""
    shortest, longest = RTT_MS
    rtt = RTT_MEDIAN_MS * rng.lognormvariate(0.0, RTT_SIGMA)
    return road(rng, min(max(rtt, shortest), longest), rng.choice(list(JITTERS)))


def seat(rng: random.Random, road: Road, client: Client = HONEST) -> Seat:
    """Its clock was set over the same road, and is off by what that can't tell and by some jitter."""
    return Seat(road.up(rng), road.down(rng), road.clock_bias_ms + rng.gauss(0.0, road.jitter_ms / 2), client)


def reactions(rng: random.Random, roads: Sequence[Road]) -> list[Press]:
    """Two or more of the seats have the wanted card, and play it when they have seen that it is wanted."""
    order = rng.sample(range(len(roads)), len(roads))
    players = [who for i, who in enumerate(order) if i < 2 or rng.random() < ALSO_HAS_IT]
    return [Press(who, roads[who].down_ms + rng.uniform(*REACTION_MS), notices_ms=NOTICES_MS) for who in players]
