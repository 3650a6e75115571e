"""How long a bot waits before it acts. Pure: luck is an argument, times are seconds."""

from __future__ import annotations

import math
import random
from enum import StrEnum
from typing import Final

from services.bots.judgement import Strength


class Pace(StrEnum):
    """How fast a bot plays."""

    HUMAN = "human"
    FAST = "fast"


_MEDIAN_S: Final = {Strength.EASY: 2.0, Strength.MEDIUM: 1.6, Strength.HARD: 1.2}
_SIGMA: Final = 0.6
_LONGEST_S: Final = 8.0


def gap_s(pace: Pace, strength: Strength, luck: random.Random) -> float:
    """The pause before the next action: none at the fast pace, a person's lognormal one else."""
    if pace is Pace.FAST:
        return 0.0
    return min(_LONGEST_S, luck.lognormvariate(math.log(_MEDIAN_S[strength]), _SIGMA))
