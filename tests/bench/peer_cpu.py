"""Processor time of processes, and of everything else, as Linux counts it (``/proc``)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_TICK_S: Final = 1 / os.sysconf("SC_CLK_TCK")
_USER, _SYSTEM = 11, 12
"""Places in a process' ``stat``, behind the name of the program, which may hold blanks."""
_IDLE: Final = (3, 4)
"""Places of idle time and of waiting for a disk in the machine's ``stat``."""
_COUNTED_ALREADY: Final = 8
"""From here on it tells what is part of other fields."""


@dataclass(slots=True)
class Spent:
    """Seconds of one processor: of each process with all its threads, and of all other programs of the machine."""

    by_process: dict[str, float] = field(default_factory=dict)
    others: float = 0.0


@contextmanager
def processor_time(pids: Mapping[str, int]) -> Iterator[Spent]:
    """What is spent within the block, known at its end."""
    machine, before = _machine(), {name: _process(pid) for name, pid in pids.items()}
    spent = Spent()
    yield spent
    spent.by_process = {name: _process(pid) - before[name] for name, pid in pids.items()}
    spent.others = max(0.0, _machine() - machine - sum(spent.by_process.values()))


def _process(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return _TICK_S * (int(fields[_USER]) + int(fields[_SYSTEM]))


def _machine() -> float:
    with Path("/proc/stat").open() as stat:
        _, *fields = stat.readline().split()
    return _TICK_S * sum(int(ticks) for i, ticks in enumerate(fields[:_COUNTED_ALREADY]) if i not in _IDLE)
