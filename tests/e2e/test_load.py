"""A small load from end to end: played, measured, reported, proven."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from services.cli.local_platform import Platform
from services.client import Client
from services.client.models import TableState
from services.loadtest.outcome import Outcome
from tests.e2e.up_process import run

pytestmark = [pytest.mark.xdist_group("platform"), pytest.mark.timeout(300)]

SCENARIO = """
about = "A few tables in a hurry, with bad lines, watchers, and one who hangs."
tables = 3
seats = 3
seconds = 6

[pace]
median_s = 0.4

[contention]
share = 0.8
reaction_ms = [100, 150]

[network]
rtt_ms = [5, 120]

[faults]
disconnects_per_minute = 60
{faults}

[audience]
spectators = 4

[ground]
engines = 2
"""


def told(folder: Path) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads((folder / "run.json").read_text())
    return facts


def written(tmp_path: Path, faults: str = "") -> Path:
    file = tmp_path / "hurry.toml"
    file.write_text(SCENARIO.format(faults=faults))
    return file


async def test_a_load_on_a_platform_of_its_own_is_played_measured_and_proven(tmp_path: Path) -> None:
    out = tmp_path / "run"
    file = written(tmp_path, "kill_engine_every_s = 2")

    code, said = await run("load", "--scenario", str(file), "--out", str(out), "--seed", "7", within_s=200)

    facts = told(out)
    # On a machine that is busy with something else the figures are void, but what happened is right all the same.
    assert code == Outcome[facts["outcome"].upper()].value, said
    assert code in (Outcome.PASSED.value, Outcome.VOID.value), said
    figures = facts["figures"]
    assert figures["tables"] == 3
    assert figures["sockets"] == 13
    assert figures["plays"] > 40
    assert figures["lost"] == 0
    assert figures["engines_killed"] >= 1
    assert facts["proof"]["holds"]
    assert facts["proof"]["checked"]["hands"] == figures["hands"] >= 3
    assert facts["latencies"]["back"]["count"] >= 1
    assert {"gateway-1", "engine-1", "redis", "generator-1"} <= facts["services"].keys()
    page = (out / "report.html").read_text()
    assert "nothing wrong was found" in page
    assert not re.search(r"""(src|href)\s*=|url\(|@import|<script""", page), "the report loads nothing"


async def test_a_load_on_a_running_platform_leaves_no_table_behind(platform: Platform, tmp_path: Path) -> None:
    out = tmp_path / "run"
    urls = [part for url in platform.urls for part in ("--url", url)]

    code, said = await run(
        "load", "--scenario", str(written(tmp_path)), "--closed-loop", "--seconds", "3", "--out", str(out), *urls,
        within_s=200,
    )  # fmt: skip

    assert code in (Outcome.PASSED.value, Outcome.VOID.value), said
    facts = told(out)
    assert facts["proof"]["holds"]
    assert facts["figures"]["plays"] > 10
    tables = {json.loads(match.read_text())["table"] for match in (out / "matches").iterdir()}
    assert len(tables) == 3
    async with Client(platform.url) as client:
        assert {(await client.get_table(table)).state for table in tables} == {TableState.CLOSED}


RISING = """
about = "Ever faster, and no verdict comes as fast as this asks for."
tables = 2
seconds = 60

[pace]
median_s = 0.3
speed = [1, 2]

[aims]
p99_ms = 0.001
"""


async def test_a_rate_that_rises_ends_when_something_gives_way(platform: Platform, tmp_path: Path) -> None:
    file, out = tmp_path / "rising.toml", tmp_path / "run"
    file.write_text(RISING)

    code, said = await run("load", "--scenario", str(file), "--out", str(out), "--url", platform.url, within_s=100)

    facts = told(out)
    assert facts["figures"]["played_s"] < 30, said
    assert facts["gave_way"]["second"] == 0
    assert facts["gave_way"]["p99_ms"] > 0.001
    assert facts["proof"]["holds"]
    assert facts["figures"]["lost"] == 0
    assert code == Outcome.VOID.value, "nothing was sustained, not even at first"
    assert "before something gave way" in said


DIRECT = """
about = "Straight at the engines, one of which dies."
tables = 3
seats = 3
seconds = 4

[pace]
median_s = 0.3

[contention]
share = 0.8
reaction_ms = [100, 150]

[hot]
tables = 1
seats = 3

[network]
rtt_ms = [5, 120]

[faults]
kill_engine_every_s = 2

[ground]
engines = 2
"""


async def test_a_direct_load_reaches_the_engines_past_the_gateways_and_is_proven_as_well(tmp_path: Path) -> None:
    file, out = tmp_path / "direct.toml", tmp_path / "run"
    file.write_text(DIRECT)

    code, said = await run(
        "load", "--direct", "--closed-loop", "--scenario", str(file), "--out", str(out), within_s=200
    )

    assert code in (Outcome.PASSED.value, Outcome.VOID.value), said
    facts = told(out)
    figures, checked = facts["figures"], facts["proof"]["checked"]
    assert facts["path"] == "direct"
    assert (figures["tables"], figures["sockets"], figures["lost"]) == (3, 9, 0)
    assert figures["plays"] > 10
    assert figures["engines_killed"] >= 1
    counted = {name: told["count"] for name, told in facts["latencies"].items()}
    assert counted["play"], "the others' plays are told apart"
    assert counted["hot"], "from those of the hot table"
    assert counted["play"] + counted["hot"] + counted["across"] == figures["plays"]
    assert facts["metrics"]["pandemonium_gateway_frames_in_total"] == 0, "no gateway took part"
    assert facts["proof"]["holds"]
    assert checked["hands"] == figures["hands"] >= 3
    assert {"commands in real-time order", "decks conserved", "scores of seats"} <= checked.keys()
    assert "straight at the engines" in (out / "report.html").read_text()


async def test_a_direct_load_refuses_what_only_sockets_have(tmp_path: Path) -> None:
    code, said = await run("load", "--direct", "--scenario", "storm", "--out", str(tmp_path / "run"))
    assert code == 1
    assert "faults.storm_sockets" in said
    assert "Traceback" not in said


async def test_what_can_not_be_run_is_said_in_one_line(tmp_path: Path) -> None:
    code, said = await run("load", "--scenario", "rush-huor", "--out", str(tmp_path / "run"))
    assert code == 1
    assert "rush-hour" in said
    assert "Traceback" not in said
