"""Loads on platforms of their own whose processes are harmed meanwhile, and what is asserted of each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from services.loadtest.outcome import Outcome
from tests.e2e.up_process import run


async def proven(scenario: str, out: Path, *arguments: str, within_s: float) -> dict[str, Any]:
    """Plays it; its ``run.json``, whose proof holds. Busy machines make figures void, and nothing else."""
    code, said = await run("load", "--scenario", scenario, "--out", str(out), *arguments, within_s=within_s)
    assert code in (Outcome.PASSED.value, Outcome.VOID.value), said
    facts: dict[str, Any] = json.loads((out / "run.json").read_text())
    assert facts["proof"]["holds"], said
    assert facts["figures"]["lost"] == 0
    assert facts["figures"]["plays"] > 20
    return facts
