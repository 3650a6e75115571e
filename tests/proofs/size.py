"""How many cases a proof tries."""

from __future__ import annotations

import os

PROVE = bool(os.environ.get("PROVE"))


def size(small: int, full: int) -> int:
    """So many in every test run, or in full."""
    return full if PROVE else small
