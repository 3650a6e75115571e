"""Each kind of process is killed and is paused, one at a time, under load: `make chaos`, since it takes minutes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from services.loadtest import scenario
from tests.chaos.loads import proven
from tests.chaos.promises import KILLED, PAUSED, Promises, of_process, size

pytestmark = [
    pytest.mark.xdist_group("platform"),
    pytest.mark.timeout(900),
    pytest.mark.skipif(not os.environ.get("CHAOS"), reason="takes minutes: make chaos"),
]


async def test_whatever_is_killed_or_paused_no_acknowledged_play_is_lost(tmp_path: Path, promises: Promises) -> None:
    wanted = [(harm.process, harm.how) for harm in scenario.load("harms").faults.harms]

    facts = await proven("harms", tmp_path / "run", within_s=800)

    assert [(each["process"], each["how"]) for each in facts["harmed"]] == wanted
    for each in facts["harmed"]:
        how = KILLED if each["how"] == "kill" else PAUSED
        found = f"well again after {each['until_s'] - each['from_s']:.1f} s, longest wait {each['waited_ms']:,} ms"
        promises.measured(of_process(each["process"]), each["process"], how, found, size(facts))
