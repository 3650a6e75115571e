"""B6, in part: how long the whole platform takes until it is ready, and the memory it needs when nobody plays."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Final

from services.cli.local_platform import Platform
from services.cli.ports import Ports
from services.cli.process import Say
from tests.bench.results import Figure, Samples

STARTS: Final = 3
_IDLE_S: Final = 3.0


async def measure(say: Say) -> list[Figure]:
    """Starts the platform several times in a new folder."""
    startups, rss, pss = [], [], []
    for number in range(1, STARTS + 1):
        with tempfile.TemporaryDirectory() as folder:
            async with Platform(Path(folder), Ports.free(), say=_quiet) as platform:
                startups.append(platform.startup_s)
                await asyncio.sleep(_IDLE_S)
                rollups = [_memory(process.pid) for process in platform.processes if process.pid]
                rss.append(sum(of_rss for of_rss, _ in rollups))
                pss.append(sum(of_pss for _, of_pss in rollups))
                each = {p.name: round(_memory(p.pid)[1]) for p in platform.processes if p.pid}
        say("b6", f"start {number}: ready after {startups[-1]:.1f} s; PSS in MiB {each}")
    return [
        Figure("B6", "start of the whole platform until ready", "s", Samples(tuple(startups)), bar="<= 5"),
        Figure("B6", "idle memory, all processes, PSS", "MiB", Samples(tuple(pss)), bar="<= 400"),
        Figure("B6", "idle memory, all processes, sum of RSS", "MiB", Samples(tuple(rss))),
    ]


def _memory(pid: int) -> tuple[float, float]:
    """RSS and PSS of a process, MiB. Linux only."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
    return tuple(int(fields[name].split()[0]) / 1024 for name in ("Rss", "Pss"))  # type: ignore[return-value]


def _quiet(_name: str, _line: str) -> None:
    """A log that nobody reads."""
