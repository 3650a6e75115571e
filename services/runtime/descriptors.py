"""How many files and connections this process may have open. Knows no service."""

from __future__ import annotations

import resource
from typing import Final

from services.runtime.log import logger

ENOUGH: Final = 8192
"""With a lower limit a warning is logged."""
MOST: Final = 1_048_576
"""More is not asked for, even where it could be had: programs that walk through all numbers get slow."""

_log = logger(__name__)


def limit() -> int:
    """The limit at this moment; :data:`MOST` where there is none."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if soft == resource.RLIM_INFINITY else soft


def raise_limit() -> int:
    """Raises the limit as far as this process may by itself, and says so in the log if that is not far. Gives it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if limit() < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError) as error:
            _log.warning("limit of descriptors not raised", error=str(error))
    now = limit()
    if now < ENOUGH:
        _log.warning("few descriptors: each connection takes one", limit=now, enough=ENOUGH)
    return now
