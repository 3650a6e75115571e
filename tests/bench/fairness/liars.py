"""What a client gains that doesn't tell the truth, beside an honest one with the same road."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tests.bench.fairness import networks
from tests.bench.fairness.schemes import HOLD_MS, SCHEMES
from tests.bench.fairness.seats import HONEST, Client, Play, Press
from tests.bench.fairness.table import LEAD_MS, Table
from tests.bench.fairness.tally import Share

RTT_MS: Final = 30.0
RTTS_MS: Final = (30.0, 150.0)
"""For playing blindly, which is worth more the longer the wire is."""
TABLES: Final = 60
ROUNDS: Final = 40
SETTLED_MS: Final = 25_000.0
"""Until even a pong that was held back has been measured."""
HOLDS_MS: Final = 9_000.0
"""A socket that answers no ping for 10 s is closed."""
FIRST_MS: Final = 1000.0
"""When the honest player plays, from the card below."""
LATEST_MS: Final = 300
"""The liar plays up to this much later than the honest player."""
TRY_EVERY_MS: Final = 75.0
"""A refused try costs three of the forty frames that the edge takes in a second."""
TRIES: Final = 24
"""From before the card below to long after it."""

HIDING: Final = Client(claims=lambda shown, below: below)
"""Claims to have seen the card below, which it must, and nothing since."""
AHEAD: Final = Client(claims=lambda shown, below: 2**53)
"""Claims to have seen what it has not received."""
LIARS: Final[dict[str, Client]] = {
    "honest": HONEST,
    "hides what it has seen": HIDING,
    "and holds pongs back": Client(HIDING.claims, holds_pongs_ms=HOLDS_MS),
    "only holds pongs back": Client(holds_pongs_ms=HOLDS_MS),
    "forges its clock": Client(backdates_ms=60_000.0),
    "does all of it": Client(HIDING.claims, HOLDS_MS, 60_000.0),
}


@dataclass(slots=True)
class Gain:
    """What one kind of client got under one scheme, always having played later than the honest one."""

    contests: int = 0
    robs: int = 0
    """The honest card went back."""
    shares: int = 0
    latest_alone_ms: float = 0.0
    """The latest arrival, counted from the honest card's commit, that still took the place alone."""
    latest_shared_ms: float = 0.0
    """The same of those that lay beside it."""

    def count(self, honest: Play, liar: Play, kept: frozenset[int]) -> None:
        """One contest."""
        self.contests += 1
        if liar.seat not in kept:
            return
        after = liar.arrived_ms - int(honest.committed)
        if honest.seat in kept:
            self.shares += 1
            self.latest_shared_ms = max(self.latest_shared_ms, after)
        else:
            self.robs += 1
            self.latest_alone_ms = max(self.latest_alone_ms, after)

    @property
    def robs_share(self) -> Share:
        """Of all contests."""
        return Share(self.robs, self.contests)

    @property
    def shares_share(self) -> Share:
        """Of all contests."""
        return Share(self.shares, self.contests)


@dataclass(slots=True)
class Start:
    """What playing without having seen gains: places for which an honest program played as soon as it could."""

    places: int = 0
    alone: int = 0
    shared: int = 0
    after_ms: list[float] = field(default_factory=list)
    """From the card below to its own, each time that it stayed."""

    @property
    def alone_share(self) -> Share:
        """Of all places: the honest card went back."""
        return Share(self.alone, self.places)

    @property
    def shared_share(self) -> Share:
        """Of all places."""
        return Share(self.shared, self.places)


def late(rng: random.Random, client: Client, tables: int = TABLES) -> dict[str, Gain]:
    """Played by chance up to :data:`LATEST_MS` later than the honest card, whatever was shown meanwhile."""
    return _gains(rng, client, lambda: Press(1, FIRST_MS + rng.uniform(1, LATEST_MS)), tables)


def waiting(rng: random.Random, client: Client, tables: int = TABLES) -> dict[str, Gain]:
    """A program that plays at the moment at which it is shown that the place is taken."""
    return _gains(rng, client, lambda: Press(1, None), tables)


def blind(rng: random.Random, client: Client, rtt_ms: float, *, tries: bool, tables: int = TABLES) -> Start:
    """A card that is fired again and again from before its place exists; without ``tries`` it waits to be shown it."""
    start = Start()
    for _ in range(tables):
        table = _table(rng, client, rtt_ms)
        for _ in range(ROUNDS):
            phase = rng.uniform(0, TRY_EVERY_MS) - LEAD_MS
            fired = [Press(1, phase + i * TRY_EVERY_MS, blind=True) for i in range(TRIES)]
            plays = table.play([Press(0, 0.0), *(fired if tries else [Press(1, 0.0)])])
            stayed = {play.seat: play for play in plays if play.seq}
            start.places += 1
            start.alone += 0 not in stayed
            start.shared += len(stayed) > 1
            if 1 in stayed:
                start.after_ms.append(stayed[1].committed - table.below_at)
    return start


def _gains(rng: random.Random, client: Client, liar: Callable[[], Press], tables: int) -> dict[str, Gain]:
    """Counted where the honest card was first, by a wire inside the cap: others are not promised anything."""
    gains = {name: Gain() for name in SCHEMES}
    for _ in range(tables):
        table = _table(rng, client, RTT_MS)
        for _ in range(ROUNDS):
            plays = table.play([Press(0, FIRST_MS), liar()])
            honest, other = (next(play for play in plays if play.seat == seat) for seat in (0, 1))
            if honest.pressed < other.pressed and honest.wire_ms <= HOLD_MS:
                for name, gain in gains.items():
                    gain.count(honest, other, SCHEMES[name](plays).kept)
    return gains


def _table(rng: random.Random, client: Client, rtt_ms: float) -> Table:
    """The honest player at seat 0 and the other at seat 1, on roads of the same kind."""
    road = networks.road(rng, rtt_ms, "calm")
    seats = [networks.seat(rng, road), networks.seat(rng, road, client)]
    table = Table(seats, networks.platform(rng))
    table.rest(SETTLED_MS + rng.uniform(0, SETTLED_MS))
    return table
