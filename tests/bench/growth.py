"""What more tables cost: the same pace in every seat, at 10, 100 and 1,000 tables, each on a platform of its own.

CPU is that of play alone, and includes what a platform does for nobody. Memory is compared with that of one table, so
that what a process weighs by itself is left out; it is the mean over play, as logs grow until the hand is over. Growth
is linear or better where no figure rises with the tables.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Mapping, Sequence
from typing import Any, Final

from services.cli.process import Say
from tests.bench import load
from tests.bench.results import Figure

SCENARIO: Final = "human-1000"
TABLES: Final = (1, 10, 100, 1_000)
"""The first is what the others are compared with."""
_NUMBER: Final = re.compile(r"-\d+$")
_COPIES: Final = ("gateway", "engine", "lobby", "scoring", "redis")


async def measure(say: Say, tables: Sequence[int] = TABLES, options: Sequence[str] = ()) -> list[Figure]:
    """Plays at each size; ``options`` are further ones of ``pandemonium load``. A minute of play each."""
    runs = [await load.played(SCENARIO, say, ("--tables", str(size), *options)) for size in tables]
    return [figure for run in runs[1:] for figure in figures(run, runs[0])]


def figures(run: Mapping[str, Any], alone: Mapping[str, Any]) -> list[Figure]:
    """What a run came to, beside that of one table (their ``run.json``)."""
    own = run["figures"]
    size = f"{own['tables']:,} tables"
    return [
        load.figure("growth", f"{size}: CPU of {name} a play", run, us, unit="µs")
        for name, us in cpu_us_per_play(run).items()
    ] + [
        load.figure("growth", f"{size}: Redis memory a table", run, redis_bytes(run, alone), unit="bytes"),
        load.figure("growth", f"{size}: gateway memory a socket", run, gateway_bytes(run, alone), unit="bytes"),
        load.figure("growth", f"{size}: plays", run, own["plays_per_s"], unit="1/s"),
        load.figure("growth", f"{size}: p99 of plays", run, load.ms(run, "play", "99")),
    ]


def cpu_us_per_play(run: Mapping[str, Any]) -> dict[str, float]:
    """Of each service, all its processes together, while seats played."""
    used: dict[str, float] = {}
    for process, series in run["services"].items():
        name = _NUMBER.sub("", process)
        if name in _COPIES:
            # One sample a second, in cores.
            used[name] = used.get(name, 0.0) + sum(_played(run, series["cpu"]))
    return {name: seconds * 1e6 / run["figures"]["plays"] for name, seconds in used.items()}


def redis_bytes(run: Mapping[str, Any], alone: Mapping[str, Any]) -> float:
    """What each table adds in Redis."""
    more: int = run["figures"]["tables"] - alone["figures"]["tables"]
    return (_redis_bytes(run) - _redis_bytes(alone)) / more


def gateway_bytes(run: Mapping[str, Any], alone: Mapping[str, Any]) -> float:
    """What each socket adds in the gateways, its share of its table's relay included."""
    more: int = run["figures"]["sockets"] - alone["figures"]["sockets"]
    return (_gateway_bytes(run) - _gateway_bytes(alone)) / more


def _redis_bytes(run: Mapping[str, Any]) -> float:
    return statistics.fmean(_played(run, [told.get("memory_bytes") for told in run["redis"]]))


def _gateway_bytes(run: Mapping[str, Any]) -> float:
    of_gateways = [series["mib"] for name, series in run["services"].items() if _NUMBER.sub("", name) == "gateway"]
    return sum(statistics.fmean(_played(run, mib)) for mib in of_gateways) * (1 << 20)


def _played(run: Mapping[str, Any], samples: Sequence[float | None]) -> list[float]:
    """The samples of the seconds of play; a process has none while it is not there."""
    return [sample for sample in samples[: int(run["figures"]["played_s"]) + 1] if sample is not None]
