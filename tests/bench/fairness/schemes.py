"""Ways to say who was first, each asked about the very same plays.

All but ours give the place to one card. Those that compare instants have to wait for cards that were played earlier and
arrive later: each holds a place for :data:`HOLD_MS` after the first arrival, as long as our window, and only then says
who has it. Stamps are the clients' own: late by what the clock was set wrong, and by any lie.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from tests.bench.fairness.seats import Outcome, Play

HOLD_MS: Final = 80.0


@dataclass(frozen=True, slots=True)
class Decision:
    """Seats whose card stays, and how long the place was kept undecided, ms."""

    kept: frozenset[int]
    held_ms: float = 0.0


Scheme = Callable[[Sequence[Play]], Decision]


def ours(plays: Sequence[Play]) -> Decision:
    """RD-8: as the rules judged them when they came."""
    return Decision(frozenset(play.seat for play in plays if play.outcome in (Outcome.FIRST, Outcome.SHARED)))


def arrival(plays: Sequence[Play]) -> Decision:
    """The first to be committed; what the house rule ``first_only`` does."""
    return Decision(frozenset(play.seat for play in plays if play.outcome is Outcome.FIRST))


def clocks(plays: Sequence[Play]) -> Decision:
    """The earliest by the clients' clocks, trusted."""
    return _earliest(plays, lambda play: play.stamp)


def capped_clocks(plays: Sequence[Play]) -> Decision:
    """The same, but a stamp is taken as at most :data:`HOLD_MS` before its arrival, and never after it."""
    return _earliest(plays, lambda play: min(max(play.stamp, play.arrived - HOLD_MS), play.arrived))


def half_trips(plays: Sequence[Play]) -> Decision:
    """The earliest by arrival less half of the round trip that was measured last."""
    return _earliest(plays, lambda play: play.arrived - play.rtt_ms / 2)


OURS: Final = "RD-8"
ARRIVAL: Final = "arrival order"
SCHEMES: Final[dict[str, Scheme]] = {
    OURS: ours,
    ARRIVAL: arrival,
    "clients' clocks": clocks,
    "clocks, capped": capped_clocks,
    "half round trips": half_trips,
}

AT_ONCE: Final = (OURS, ARRIVAL)
"""Those under which a card is shown while others may still be on their way."""


def _earliest(plays: Sequence[Play], instant: Callable[[Play], float]) -> Decision:
    closes = min(play.arrived for play in plays) + HOLD_MS
    first = min((play for play in plays if play.arrived <= closes), key=instant)
    return Decision(frozenset({first.seat}), HOLD_MS)
