"""An upgrade during play: every process is ended with SIGTERM and started again, one after another."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.chaos.loads import proven
from tests.chaos.promises import Dies, Promises, size

pytestmark = [pytest.mark.xdist_group("platform"), pytest.mark.timeout(900)]

PROVE = bool(os.environ.get("PROVE") or os.environ.get("CHAOS"))
TABLES = "200" if PROVE else "4"
PROMISED_S = 2.0
INTERRUPTED_S = 10.0
"""On a machine that does other work meanwhile, which makes the scenario's own aim, the promise, void."""
REPLACED = ["engine-1", "engine-2", "lobby", "scoring", "gateway-1", "gateway-2"]


async def test_every_process_is_replaced_during_play_and_nobody_waits_long_or_loses_a_play(
    tmp_path: Path, promises: Promises
) -> None:
    quiet = os.getloadavg()[0] < (os.cpu_count() or 1)
    facts = await proven("rolling", tmp_path / "run", "--tables", TABLES, within_s=800)

    assert [(each["process"], each["how"]) for each in facts["harmed"]] == [(name, "restart") for name in REPLACED]
    assert "did not stop" not in (tmp_path / "run" / "platform.log").read_text(), "each ended by itself, in time"
    assert facts["longest_wait_ms"] < (PROMISED_S if PROVE and quiet else INTERRUPTED_S) * 1000
    for each in facts["harmed"]:
        wait = f"longest wait {each['waited_ms']:,} ms"
        promises.measured(Dies.REPLACED, each["process"], "replaced", wait, size(facts))
