"""The console of the stack: what an operator sees and does from the machine that it runs on, while tables play."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx2
import pytest

from services.cli.ops_client import OpsClient
from tests.chaos.under_way import UnderWay, under_way
from tests.deploy.docker import Stack
from tests.e2e.tables import SeatedTable

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.xdist_group("stack"),
    pytest.mark.timeout(300),
]

PATIENCE_S = 60
NOTICED_S = 5
PROCESSES = {"engine": 2, "gateway": 2, "lobby": 1, "scoring": 1}


async def test_an_operator_sees_every_process_holds_a_table_still_and_drains_a_gateway_in_play(running: Stack) -> None:
    containers = await running.containers()
    async with under_way([running.url], tables=2) as tables:
        with OpsClient(running.console, *running.operator) as console:
            seen = await until(console, lambda seen: measured(seen) and Counter(services(seen)) == PROCESSES)
            assert seen["points"][-1]["plays"] > 0
            hosts = {name: container["Config"]["Hostname"] for name, container in containers.items()}
            names = {process["host"]: process["name"] for process in seen["processes"]}
            assert names.keys() == {
                hosts[name] for name in hosts if name.startswith(("engine", "gateway", "lobby", "sc"))
            }

            held, free = tables.tables
            await hold_still(console, tables, held)
            before = len(free.answers)
            await tables.until(lambda: len(free.answers) > before, PATIENCE_S)
            await asyncio.to_thread(console.post, f"/tables/{held.table.id}/thaw")
            await tables.more_answers(20)

            await asyncio.to_thread(console.post, f"/processes/{names[hosts['gateway-1']]}/drain")
            await until(console, lambda seen: draining(seen) == [hosts["gateway-1"]])
            await tables.more_answers(20)
            assert [each["result"] for each in console.get("/audit", limit=6)["entries"]] == ["done", "begun"] * 3
        await running.tell("stop", "gateway-1")
        await running.tell("start", "gateway-1")
        await running.healthy("gateway-1")
        assert await tables.finish() == []


async def test_nobody_gets_in_without_the_password_and_it_is_counted(running: Stack) -> None:
    name, password = running.operator
    count = 'sum(pandemonium_ops_logins_total{result="wrong_login"})'
    async with httpx2.AsyncClient(trust_env=False) as http, asyncio.timeout(PATIENCE_S):
        for wrong in ("", password[:-1]):
            login = {"name": name, "password": wrong}
            answer = await http.post(f"{running.console}/api/ops/v1/login", json=login)
            assert answer.json()["code"] == "wrong_login"
        found: list[Any] = []
        while not found or float(found[0]["value"][1]) < 2:
            answer = await http.get(f"{running.prometheus}/api/v1/query", params={"query": count})
            found = answer.json()["data"]["result"]
            await asyncio.sleep(0.5)


async def hold_still(console: OpsClient, tables: UnderWay, held: SeatedTable) -> None:
    """Freezes the table while a hand is played, so that its players notice; between two hands nobody would."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            await tables.more_answers(1)
            await asyncio.to_thread(console.post, f"/tables/{held.table.id}/freeze")
            with suppress(TimeoutError):
                await tables.until(lambda: any(answer.verdict.why == "frozen" for answer in held.answers), NOTICED_S)
                return
            await asyncio.to_thread(console.post, f"/tables/{held.table.id}/thaw")


async def until(console: OpsClient, condition: Callable[[Any], bool]) -> Any:
    """The overview, once it is as it should be. Raises TimeoutError."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition(seen := await asyncio.to_thread(console.get, "/overview")):
            await asyncio.sleep(0.2)
    return seen


def measured(seen: Any) -> bool:
    """Whether the console knows figures of every process."""
    known = all(process["cpu"] is not None and process["memory"] for process in seen["processes"])
    return known and bool(seen["points"])


def services(seen: Any) -> list[str]:
    """Of every process that is ready."""
    return [process["service"] for process in seen["processes"] if process["ready"]]


def draining(seen: Any) -> list[str]:
    """Where a process hands over what it has."""
    return [process["host"] for process in seen["processes"] if process["draining"]]
