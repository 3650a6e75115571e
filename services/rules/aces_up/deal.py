"""Numbered deals: the same number is the same deal, everywhere and for ever (docs/aces-up.md).

>>> deal(1) == deal(1), deal(1).stock_count
(True, 48)
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from services.rules.aces_up.options import LAST_NUMBER
from services.rules.aces_up.state import State, laid_out
from services.rules.deal import shuffled, stream

_VERSION: Final = "pandemonium-aces-up-1"
_DAILY: Final = "pandemonium-aces-up-daily-1"
_DAILY_BYTES: Final = 8
_DAY: Final = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


def deal(number: int) -> State:
    """The beginning of the game of that number. Raises ValueError unless it is 1 to ``LAST_NUMBER``."""
    if not 1 <= number <= LAST_NUMBER:
        raise ValueError(f"deals have numbers from 1 to {LAST_NUMBER}, not {number}")
    key = hashlib.sha256(f"{_VERSION}\n{number}".encode()).digest()
    return laid_out(shuffled(stream(key, "")))


def daily(day: str) -> int:
    """The number of a day's deal, the same for all who play on that day, such as "2026-07-27". Raises ValueError."""
    if not _DAY.fullmatch(day):
        raise ValueError(f"not a day, as YYYY-MM-DD: {day!r}")
    digest = hashlib.sha256(f"{_DAILY}\n{day}".encode()).digest()
    return int.from_bytes(digest[:_DAILY_BYTES]) % LAST_NUMBER + 1
