"""B7: the whole study. About half a minute of one core; the same seed gives the same figures on every machine."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Final

from services.cli.process import Say
from services.rules.options import Options
from tests.bench.fairness import tables
from tests.bench.fairness.findings import Findings
from tests.bench.fairness.grid import cells
from tests.bench.fairness.liars import AHEAD, LIARS, RTTS_MS, blind, late, waiting
from tests.bench.fairness.mixes import PLAYERS, mix
from tests.bench.fairness.networks import JITTERS
from tests.bench.fairness.pictures import pictures
from tests.bench.fairness.schemes import ARRIVAL, OURS, SCHEMES
from tests.bench.fairness.seats import HONEST
from tests.bench.fairness.tally import Share
from tests.bench.results import Figure, Samples, machine

FOLDER: Final = Path("results/fairness")
SEED: Final = 7
WINDOWS_MS: Final = (20, 40, 80, 150, 250)
WINDOW_PLAYERS: Final = 4


async def measure(say: Say) -> list[Figure]:
    """The figures. Tables and pictures for the documentation go to ``results/fairness``."""
    return await asyncio.to_thread(_measure, say)


def study(say: Say) -> Findings:
    """Every part, from seeds of its own."""
    found = Findings()
    for jitter in JITTERS:
        found.grids[jitter] = cells(_seed("grid", jitter), jitter)
        say("b7", f"grid, {jitter} roads")
    for players in PLAYERS:
        found.mixes[players] = mix(_seed("mix", players), players)
    say("b7", "tables of two to eight")
    for window in WINDOWS_MS:
        found.windows[window] = mix(_seed("window", window), WINDOW_PLAYERS, window_ms=window)
    say("b7", "other windows")
    for name, client in LIARS.items():
        found.late[name] = late(_seed("late", name), client)
        found.waiting[name] = waiting(_seed("waiting", name), client)
    for rtt in RTTS_MS:
        found.blind["honest, once it is shown", rtt] = blind(_seed("honest", rtt), HONEST, rtt, tries=False)
        found.blind["tries without lying", rtt] = blind(_seed("tries", rtt), HONEST, rtt, tries=True)
        found.blind["tries, claims what is under way", rtt] = blind(_seed("ahead", rtt), AHEAD, rtt, tries=True)
    say("b7", "lying clients")
    return found


def figures(found: Findings) -> list[Figure]:
    """Percent of contests with their 95 % confidence; the yardstick is arrival order on the same plays."""
    by_road = {f"{jitter} roads": found.grid_total(jitter) for jitter in found.grids}
    total = found.field_total()
    ours, arrival = total[OURS], total[ARRIVAL]
    return [
        *(
            _figure(
                f"robbed inside the cap, {where}",
                tallies[OURS].robbed_inside_share,
                tallies[ARRIVAL].robbed_inside_share,
                bar="0",
            )
            for where, tallies in (by_road | {"tables of 2 to 8": total}).items()
        ),
        *(_figure(f"the same by {name}", total[name].robbed_inside_share) for name in list(SCHEMES)[2:]),
        _figure("robbed by a wire longer than the cap", ours.robbed_beyond_share, arrival.robbed_beyond_share),
        _figure("ties", ours.ties_share),
        _figure("ties where one had been shown the other", Share(ours.seen_ties, ours.ties), bar="0"),
    ]


def _figure(what: str, measured: Share, yardstick: Share | None = None, bar: str = "") -> Figure:
    return Figure("B7", what, "%", _samples(measured), _samples(yardstick) if yardstick else None, bar=bar)


def _samples(share: Share) -> Samples:
    low, high = share.interval
    return Samples((low, share.percent, high))


def _measure(say: Say) -> list[Figure]:
    found = study(say)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, svg in pictures(found).items():
        (FOLDER / f"fairness-{name}.svg").write_text(svg)
    (FOLDER / "tables.md").write_text(tables.markdown(found))
    head = {"seed": SEED, "machine": machine(), "window_ms": Options().tie_window_ms}
    (FOLDER / "study.json").write_text(json.dumps(head | tables.plain(found), indent=1) + "\n")
    say("b7", f"tables and pictures in {FOLDER}")
    return figures(found)


def _seed(*part: object) -> random.Random:
    return random.Random(f"{SEED} {part}")
