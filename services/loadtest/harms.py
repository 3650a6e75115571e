"""What was done to the platform's processes during a run, when, and how long players waited meanwhile. Pure.

How it is done is the command line's (``services.cli.harming``), who gives it to the run with its surroundings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from services.loadtest.figures import Figures
from services.loadtest.measures import Sample

AFTERWARDS_S: Final = 2.0
"""What players waited for is measured when it comes, so some time after the harm is over belongs to it."""
_WAITS: Final = (Sample.PLAY, Sample.ACROSS, Sample.BACK)


@dataclass(frozen=True, slots=True)
class Harmed:
    """A process was ``how`` (kill, pause, restart), from and until so many seconds after the beginning of play."""

    process: str
    how: str
    from_s: float
    until_s: float


def waited_ms(figures: Figures, harmed: Harmed) -> float:
    """The longest that anybody waited around the harm: for a verdict, or from a broken connection to a welcome."""
    seconds = figures.slices[int(harmed.from_s) : int(harmed.until_s + AFTERWARDS_S) + 1]
    return max((part.ms(name, 100) or 0.0 for part in seconds for name in _WAITS), default=0.0)


def longest_wait_ms(figures: Figures) -> float:
    """The same of the whole run: no table was interrupted for longer, since none of its seats was."""
    return max(figures.latencies[name].ms(100) for name in _WAITS)
