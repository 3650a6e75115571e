"""What one process of this machine uses, as Linux tells it in ``/proc``; on other systems nothing is known."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_TICK_S: Final = 1 / os.sysconf("SC_CLK_TCK")
_PAGE_MIB: Final = os.sysconf("SC_PAGE_SIZE") / (1 << 20)


@dataclass(frozen=True, slots=True)
class Use:
    """CPU seconds so far, resident memory in MiB, open descriptors."""

    cpu_s: float
    mib: float
    descriptors: int


def used(pid: int) -> Use | None:
    """By this process; None if it is gone."""
    process = Path(f"/proc/{pid}")
    try:
        # The name in parentheses may hold blanks.
        fields = (process / "stat").read_text().rpartition(")")[2].split()
        descriptors = len(os.listdir(process / "fd"))
    except OSError:
        return None
    if fields[0] == "Z":
        return None
    return Use((int(fields[11]) + int(fields[12])) * _TICK_S, int(fields[21]) * _PAGE_MIB, descriptors)


def cores_waited_us() -> tuple[int, int]:
    """How long this process's first thread has run so far, and how long it waited for a core, µs.

    The second is what other processes took from it. (0, 0) where the system doesn't tell.
    """
    try:
        ran_ns, waited_ns, _ = Path("/proc/self/schedstat").read_text().split()
    except OSError:
        return 0, 0
    return int(ran_ns) // 1000, int(waited_ns) // 1000
