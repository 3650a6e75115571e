"""Processor time of processes, as Linux counts it (``/proc/<pid>/stat``)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_TICK_S: Final = 1 / os.sysconf("SC_CLK_TCK")
_USER, _SYSTEM = 11, 12
"""Places of these fields behind the name of the program, which may hold blanks."""


@contextmanager
def processor_time(pids: Mapping[str, int]) -> Iterator[dict[str, float]]:
    """Seconds that each of these processes was busy within the block, all its threads; empty until its end."""
    before = {name: _busy(pid) for name, pid in pids.items()}
    spent: dict[str, float] = {}
    yield spent
    spent.update({name: _busy(pid) - before[name] for name, pid in pids.items()})


def _busy(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return _TICK_S * (int(fields[_USER]) + int(fields[_SYSTEM]))
