"""What a run leaves: a folder with ``run.json``, the report, the sockets' histories, and the logs of all hands."""

from __future__ import annotations

import json
import platform
import sys
import time
from dataclasses import asdict
from importlib import metadata
from typing import Any

import msgspec

from services.loadtest import report
from services.loadtest.check_report import Report
from services.loadtest.director import Run
from services.loadtest.harms import longest_wait_ms, waited_ms
from services.loadtest.measures import RAN, Sample
from services.loadtest.outcome import Judgement, growth, sustained, waiting
from services.loadtest.surroundings import machine


def write(run: Run, judgement: Judgement, proof: Report | None) -> None:
    """Writes ``run.json`` and ``report.html``."""
    told = facts(run, judgement, proof)
    (run.folder / "run.json").write_text(json.dumps(told, indent=1))
    report.write(told, run.folder / "report.html")


def facts(run: Run, judgement: Judgement, proof: Report | None) -> dict[str, Any]:
    """Everything about a run that is no history and no log. ``proof`` None: it was not checked."""
    figures, sampler = run.figures, run.sampler
    return {
        "ended": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "outcome": judgement.outcome.name.lower(),
        "missed": judgement.missed,
        "void": judgement.void,
        "problems": run.problems,
        "proof": None if proof is None else _proof(proof),
        "path": "direct" if run.direct else "gateway",
        "scenario": msgspec.to_builtins(run.scenario),
        "seed": run.seed,
        "versions": {
            "pandemonium": metadata.version("pandemonium"),
            "python": sys.version.split()[0],
            "system": platform.platform(),
        },
        "machine": machine(),
        "figures": {
            "tables": len(run.seated),
            "sockets": run.sockets,
            "setup_s": round(run.setup_s, 2),
            "plays": figures.judged,
            "played_s": round(run.played_s, 1),
            "plays_per_s": round(figures.judged / run.played_s, 1),
            "sustained_per_s": sustained(run),
            "deliveries": figures.counts["deliveries"],
            "contests": figures.contests,
            "ties": figures.verdicts("tied"),
            "returned": figures.verdicts("returned"),
            "refused": figures.verdicts("refused"),
            "lost": run.lost,
            "hands": run.hands,
            "engines_killed": run.engines_killed,
        },
        "generator": {
            "cpu_us_per_play": round(figures.counts[RAN] / figures.judged) if figures.judged else None,
            "waiting_for_a_core": round(waiting(run), 3),
        },
        "harmed": [{**asdict(each), "waited_ms": round(waited_ms(figures, each))} for each in run.harmed],
        "longest_wait_ms": round(longest_wait_ms(figures), 1),
        "gave_way": None if run.gave_way is None else asdict(run.gave_way),
        "growth": [{**asdict(trend), "flat": trend.flat} for trend in growth(run)],
        "counts": dict(sorted(figures.counts.items())),
        "latencies": {name.value: figures.latencies[name].told() for name in Sample},
        "seconds": [
            {
                "counts": dict(part.counts),
                **{f"{name.value}_p{p}_ms": part.ms(name, p) for name in (Sample.PLAY, Sample.LAG) for p in (50, 99)},
            }
            for part in figures.slices
        ],
        "services": {} if sampler is None else {name: msgspec.to_builtins(s) for name, s in sampler.services.items()},
        "redis": [] if sampler is None else sampler.redis,
        "metrics": run.metrics,
    }


def _proof(proof: Report) -> dict[str, Any]:
    return {
        "holds": proof.holds,
        "checked": dict(sorted(proof.checked.items())),
        "unchecked": dict(sorted(proof.unchecked.items())),
        "faults": {fault.value: count for fault, count in sorted(proof.faults.items())},
        "findings": [str(finding) for finding in proof.findings],
    }
