"""B5 and B10: what ``pandemonium load`` measures in its scenarios, each on a platform of its own.

Each run is checked from its records, and its own folder in ``results/load`` has the report. A figure of a run that was
void, since the generator was kept from its work, is marked so: it says how busy the machine was, not how fast we are.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from services.cli.process import Say
from services.loadtest.outcome import Outcome
from tests.bench.results import Figure, Samples

FOLDER: Final = Path("results/load")


async def measure_many(say: Say) -> list[Figure]:
    """B5: a thousand tables of four at a person's pace. Two to four minutes."""
    run = await played("human-1000", say)
    what = f"{run['figures']['tables']:,} tables x 4 at a person's pace, from the planned moment to the verdict"
    return [
        figure("B5", f"{what}: p50", run, ms(run, "play", "50")),
        figure("B5", f"{what}: p99", run, ms(run, "play", "99"), "<= 100"),
        figure("B5", "the same, from the planned moment to the other seats: p99", run, ms(run, "delivery", "99")),
        figure("B5", "the same, commands lost", run, run["figures"]["lost"], "0", ""),
        figure("B5", "the same, plays", run, run["figures"]["plays_per_s"], unit="1/s"),
        figure("B5", "the generator's own lag: p99", run, ms(run, "lag", "99"), "<= 5"),
    ]


async def measure_rough(say: Say) -> list[Figure]:
    """B10, as far as one machine of two cores goes: killed engines, a storm, a crowd. Five minutes."""
    killed, storm, crowd = [await played(name, say) for name in ("chaos", "storm", "crowd")]
    sockets, watching = storm["scenario"]["faults"]["storm_sockets"], crowd["scenario"]["audience"]["spectators"]
    return [
        figure(
            "B10",
            "an engine killed every 2 s: longest wait for a verdict",
            killed,
            ms(killed, "play", "100"),
            "<= 1000",
        ),
        figure("B10", "the same, commands lost", killed, killed["figures"]["lost"], "0", ""),
        figure("B10", f"{sockets:,} sockets break at once: until welcomed again, p50", storm, ms(storm, "back", "50")),
        figure("B10", "the same, the last one", storm, ms(storm, "back", "100")),
        figure("B10", f"{watching:,} watch one table: p99 of all plays", crowd, ms(crowd, "play", "99")),
    ]


async def played(scenario: str, say: Say, options: Sequence[str] = ()) -> dict[str, Any]:
    """Plays a scenario, a name or a file, and gives its run.json.

    Raises ``RuntimeError`` if it came to no end, or the proof found something.
    """
    folder = FOLDER / f"{time.strftime('%Y%m%d-%H%M%S')}-{Path(scenario).stem}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    say("load", f"{scenario}: {folder}")
    command = (sys.executable, "-m", "services.cli", "load", "--scenario", scenario, "--out", str(folder), *options)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
    if await process.wait() not in [outcome.value for outcome in Outcome] or not (folder / "run.json").exists():
        raise RuntimeError(f"{scenario} came to no end: {folder}")
    run: dict[str, Any] = json.loads((folder / "run.json").read_text())
    say("load", f"{scenario}: {run['outcome']}; {'; '.join((*run['missed'], *run['void']))}")
    if not run["proof"]["holds"]:
        raise RuntimeError(f"{scenario}: the proof found something wrong: {folder}")
    return run


def ms(run: Mapping[str, Any], latency: str, percentile: str) -> float:
    """A percentile of a latency, ms."""
    return float(run["latencies"][latency]["percentiles_ms"][percentile])


def figure(id_: str, what: str, run: Mapping[str, Any], value: float, bar: str = "", unit: str = "ms") -> Figure:
    """A figure of a run, marked if the run was void."""
    return Figure(id_, f"{what} (void)" if run["void"] else what, unit, Samples((float(value),)), bar=bar)
