"""What a scheme did to many contests, counted, with intervals of confidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tests.bench.fairness.schemes import Scheme
from tests.bench.fairness.seats import Play

Z: Final = 1.96
"""Of the normal distribution: 95 of 100."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    count: int
    of: int

    @property
    def percent(self) -> float:
        """Nothing of nothing is nothing."""
        return 100 * self.count / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Percent, 95 % confidence (Wilson, JASA 22, 1927); of nothing: anything."""
        if not self.of:
            return 0.0, 100.0
        share, n = self.count / self.of, self.of
        middle = share + Z * Z / (2 * n)
        half = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
        low, high = ((middle + sign * half) / (1 + Z * Z / n) for sign in (-1, 1))
        return 100 * (low if self.count else 0.0), 100 * (high if self.count < n else 1.0)

    def __str__(self) -> str:
        return f"{self.percent:.2f} ({self.interval[0]:.2f} to {self.interval[1]:.2f})"


@dataclass(slots=True)
class Tally:
    """Contests by what became of the card that was truly played first.

    A contest is a place for which at least two cards were played. *Inside the cap*: its wire to the edge took no longer
    than the window.
    """

    window_ms: float
    contests: int = 0
    inside: int = 0
    robbed: int = 0
    robbed_inside: int = 0
    ties: int = 0
    seen_ties: int = 0
    """Ties in which one player had been shown the other's card when playing."""
    held_ms: float = 0.0
    """Summed up: how long places were kept undecided."""

    def count(self, plays: Sequence[Play], scheme: Scheme) -> None:
        """One contest; of plays at the same instant the one listed first counts as the first."""
        decision = scheme(plays)
        first = min(plays, key=lambda play: play.pressed)
        inside, robbed = first.wire_ms <= self.window_ms, first.seat not in decision.kept
        kept = [play for play in plays if play.seat in decision.kept]
        self.contests += 1
        self.inside += inside
        self.robbed += robbed
        self.robbed_inside += inside and robbed
        self.ties += len(kept) > 1
        self.seen_ties += any(a.shown >= b.seq for a in kept for b in kept if a is not b)
        self.held_ms += decision.held_ms

    def add(self, other: Tally) -> None:
        """Another's contests too."""
        for name in ("contests", "inside", "robbed", "robbed_inside", "ties", "seen_ties", "held_ms"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def robbed_share(self) -> Share:
        """Of all contests."""
        return Share(self.robbed, self.contests)

    @property
    def robbed_inside_share(self) -> Share:
        """Of the contests inside the cap."""
        return Share(self.robbed_inside, self.inside)

    @property
    def robbed_beyond_share(self) -> Share:
        """Of those whose first card had a longer wire."""
        return Share(self.robbed - self.robbed_inside, self.contests - self.inside)

    @property
    def ties_share(self) -> Share:
        """Of all contests."""
        return Share(self.ties, self.contests)

    @property
    def mean_held_ms(self) -> float:
        """How long a place was kept undecided, over all contests."""
        return self.held_ms / self.contests if self.contests else 0.0
