"""The way between a player's device and the edge: unequal in its two directions, unsteady, in order. Times in ms."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

JITTER_SHAPE: Final = 0.7
"""Shape of the gamma distribution of what comes on top of the shortest way: mostly little, sometimes much."""

Delay = Callable[[], float]


class Wire:
    """One direction of a socket: nothing overtakes."""

    __slots__ = ("_delay", "_last")

    def __init__(self, delay: Delay) -> None:
        self._delay = delay
        self._last = 0.0

    def arrives(self, sent: float) -> float:
        """When something that is sent now comes out."""
        self._last = max(self._last, sent + self._delay())
        return self._last


@dataclass(frozen=True, slots=True)
class Road:
    """A connection: its shortest way in each direction, the mean of what comes on top of it each time, its losses."""

    up_ms: float
    down_ms: float
    jitter_ms: float = 0.0
    loss: float = 0.0

    @property
    def rtt_ms(self) -> float:
        """There and back when nothing is in the way."""
        return self.up_ms + self.down_ms

    @property
    def clock_bias_ms(self) -> float:
        """How late a clock runs that was set over this road the way NTP does it: half of what the directions differ."""
        return (self.down_ms - self.up_ms) / 2

    def up(self, rng: random.Random) -> Delay:
        """From the device to the edge."""
        return lambda: self.up_ms + self._above(rng)

    def down(self, rng: random.Random) -> Delay:
        """From the edge to the device."""
        return lambda: self.down_ms + self._above(rng)

    def _above(self, rng: random.Random) -> float:
        """Jitter, and for each loss the wait for TCP's tail loss probe: two round trips (RFC 8985), then twice that."""
        above = rng.gammavariate(JITTER_SHAPE, self.jitter_ms / JITTER_SHAPE) if self.jitter_ms else 0.0
        probe = 2 * self.rtt_ms
        while self.loss and rng.random() < self.loss:
            above += probe
            probe *= 2
        return above
