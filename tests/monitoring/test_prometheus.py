"""A real Prometheus at a platform that is played on: whatever a panel or an alert asks, there is an answer."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from services.cli.local_platform import Platform
from services.cli.match import begin
from services.cli.ops_accounts import first_operator
from services.client import Client
from services.client.models import Pace, Strength
from services.rules.options import Options
from tests.e2e.log_book import LogBook
from tests.e2e.platforms import platform
from tests.monitoring.prometheus import Prometheus, program, prometheus
from tests.monitoring.rules import panels, rules, vectors

pytestmark = [pytest.mark.xdist_group("platform"), pytest.mark.timeout(300)]

TABLES = 3
PATIENCE_SECONDS = 120.0
SERIES = 'count by (job, instance) ({__name__=~"pandemonium_.+"})'
NEVER = {"ScoresDisagree", "DeadLetters", "HandsConflict", "ResultsUnreadable", "HistoryLost", "CommandsGivenUp"}


async def test_every_panel_and_every_alert_gets_an_answer_and_no_table_adds_a_series(tmp_path: Path) -> None:
    program("prometheus")
    asked = questions()
    assert len(asked) > 100
    async with (
        platform(tmp_path / "data", LogBook(), engines=2, accounts=first_operator(tmp_path)) as running,
        prometheus(tmp_path, jobs(running)) as store,
    ):
        reached = sum(map(len, jobs(running).values()))
        assert reached == 7
        assert await until(store, {"up": f"sum(up) == {reached}", "told": "pandemonium_redis_up == 1"}) == {}
        before = await series(store)
        assert not any(map(is_number, await store.ask("pandemonium_nothing_total")))

        async with Client(running.url) as client:
            for _ in range(TABLES):
                await begin(client, 4, Options(target=30, tie_window_ms=250), Pace.FAST, Strength.MEDIUM)
            played = {"played": f"sum(pandemonium_engine_contests_total) > {TABLES * 20}"}
            assert await until(store, played) == {}
            silent = await until(store, asked)

        assert silent == {}
        assert await series(store) == before
        assert NEVER & set(await store.firing()) == set()


def questions() -> dict[str, str]:
    """All expressions, by who asks."""
    found = {f"panel {where}": expression.replace("$__rate_interval", "30s") for where, expression in panels()}
    for rule in rules("alert"):
        found |= {f"alert {rule['alert']} {number}": each for number, each in enumerate(vectors(rule["expr"]))}
    return found | {f"rule {rule['record']}": rule["record"] for rule in rules("record")}


def jobs(running: Platform) -> Mapping[str, Sequence[str]]:
    """The processes of the platform by service, as deploy/prometheus/prometheus.yml names them."""
    found: dict[str, list[str]] = {}
    ports = dict(running.ports.metrics)
    for name in sorted(ports.keys() & {process.name for process in running.processes}):
        found.setdefault(name.partition("-")[0], []).append(f"127.0.0.1:{ports[name]}")
    return found


async def until(store: Prometheus, asked: Mapping[str, str]) -> dict[str, str]:
    """Asks until everything has an answer, for a while; gives what has none."""
    left = dict(asked)
    deadline = asyncio.get_running_loop().time() + PATIENCE_SECONDS
    while left and asyncio.get_running_loop().time() < deadline:
        left = {who: what for who, what in left.items() if not any(map(is_number, await store.ask(what)))}
        await asyncio.sleep(0.5)
    return left


async def series(store: Prometheus) -> dict[tuple[str, str], str]:
    """How many series each process has."""
    return {(one["metric"]["job"], one["metric"]["instance"]): one["value"][1] for one in await store.ask(SERIES)}


def is_number(series: Mapping[str, Any]) -> bool:
    """Whether the series' value is one."""
    return not math.isnan(float(series["value"][1]))
