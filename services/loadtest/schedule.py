"""When every seat of a table acts, drawn before the run begins. Pure: luck is an argument.

Nothing that the platform does changes a schedule, so that a slow answer can't make the load lighter (an open loop).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from services.loadtest.scenario import Contention, Pace, Scenario


@dataclass(frozen=True, slots=True, order=True)
class Moment:
    """A seat acts, ``at_s`` after the run began. ``shared``: all seats of its table do, for the same places."""

    at_s: float
    seat: int
    shared: bool


def moments(scenario: Scenario, luck: random.Random) -> list[Moment]:
    """All moments of one table in their order.

    A table's shared moments take the share of its seats' time that the contention says; the rest are each seat's own.
    """
    share = scenario.contention.share
    found: list[Moment] = []
    if share:
        for at_s in _times(scenario.pace, scenario.seconds, share, luck):
            found += _shared(at_s, scenario.seats, scenario.contention, luck)
    if share < 1:
        for seat in range(scenario.seats):
            found += (Moment(at_s, seat, False) for at_s in _times(scenario.pace, scenario.seconds, 1 - share, luck))
    return sorted(moment for moment in found if moment.at_s < scenario.seconds)


def gap_s(pace: Pace, progress: float, luck: random.Random) -> float:
    """One pause. ``progress``: how far the run is, from 0 to 1."""
    slow, fast = pace.speed
    speed = slow + (fast - slow) * progress
    return luck.lognormvariate(math.log(pace.median_s), pace.sigma) / speed


def _times(pace: Pace, seconds: float, share: float, luck: random.Random) -> Iterator[float]:
    """Moments of which ``share`` of the pace's come; the first is anywhere in the first pause."""
    at_s = luck.random() * gap_s(pace, 0.0, luck) / share
    while at_s < seconds:
        yield at_s
        at_s += gap_s(pace, at_s / seconds, luck) / share


def _shared(at_s: float, seats: int, contention: Contention, luck: random.Random) -> Iterator[Moment]:
    fastest, slowest = contention.reaction_ms
    for seat in range(seats):
        yield Moment(at_s + luck.uniform(fastest, slowest) / 1000, seat, True)
