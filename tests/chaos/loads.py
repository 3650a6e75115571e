"""Loads whose platform is harmed meanwhile, and what is asserted of each: that its proof holds, above all."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from services.cli.local_platform import Platform
from services.cli.ports import LOOPBACK
from services.loadtest import check, outcome, run_folder, scenario
from services.loadtest.director import Run, conduct
from services.loadtest.outcome import Outcome
from services.loadtest.scenario import Faults, Harm
from services.loadtest.surroundings import Surroundings
from tests.e2e.up_process import run

_FAST: Final = """
about = "Tables of four, fast, so that hands end all the time."
tables = 8
seconds = 600
pace = {median_s = 0.3, sigma = 0.4}
network = {rtt_ms = [20, 100]}
"""
_AT_S: Final = 3.0
_PLAYS: Final = 100
"""So many plays come before the harm and so many after it, however busy the machine is."""
_PATIENCE_S: Final = 60.0


async def proven(scenario: str, out: Path, *arguments: str, within_s: float) -> dict[str, Any]:
    """Has `pandemonium load` play it on a platform of its own; its ``run.json``, whose proof holds.

    Busy machines make figures void, and nothing else.
    """
    code, said = await run("load", "--scenario", scenario, "--out", str(out), *arguments, within_s=within_s)
    assert code in (Outcome.PASSED.value, Outcome.VOID.value), said
    return _holding(json.loads((out / "run.json").read_text()))


async def harmed(platform: Platform, out: Path, what: str, harm: Callable[[], Awaitable[None]]) -> dict[str, Any]:
    """A load on this platform, to which ``harm`` is done while it is played; its facts, whose proof holds.

    ``harm`` returns when all is well again. Play ends a little later; then all hands are ended and have to be counted.
    """
    faults = Faults(harms=(Harm(at_s=_AT_S, process=what, how="kill"),))
    played = msgspec.structs.replace(scenario.parse(_FAST, "harmed", {}), faults=faults)

    async def do(_process: str, _how: str, _for_s: float) -> None:
        await more_plays()
        await harm()
        await more_plays()

    async def more_plays() -> None:
        wanted = run.figures.judged + _PLAYS
        async with asyncio.timeout(_PATIENCE_S):
            while run.figures.judged < wanted:
                await asyncio.sleep(0.02)

    async def no_engine() -> None:
        raise NotImplementedError

    surroundings = Surroundings(
        pids=lambda: {process.name: process.pid for process in platform.processes},
        metrics={name: f"http://{LOOPBACK}:{port}/metrics" for name, port in platform.ports.metrics if name != "bots"},
        redis_url=platform.redis_url,
        kill_engine=no_engine,
        harm=do,
        services=list,
    )
    run = Run(played, out, seed=1)
    await conduct(run, platform.urls, surroundings, lambda: None)
    proof = await asyncio.to_thread(check.check, out, os.cpu_count() or 1)
    judgement = outcome.judge(run, proof_failed=not proof.holds)
    run_folder.write(run, judgement, proof)
    facts = _holding(json.loads((out / "run.json").read_text()))
    assert judgement.outcome is not Outcome.FAILED, (judgement.missed, facts["problems"])
    return facts


def _holding(facts: dict[str, Any]) -> dict[str, Any]:
    """The facts of a run, if nothing of it is wrong."""
    assert facts["proof"]["holds"], facts["proof"]["findings"]
    assert facts["figures"]["lost"] == 0
    assert facts["figures"]["plays"] > 20
    return facts
