"""The way from the clone to the dashboards that the README shows, from `make up` on."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

from services.cli.match import begin
from services.client import Client
from services.client.models import Pace, Strength
from services.rules.options import Options
from tests import readme
from tests.deploy.docker import Stack, run
from tests.monitoring.prometheus import Prometheus
from tests.monitoring.rules import DASHBOARDS
from tests.monitoring.test_prometheus import questions, until

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.xdist_group("stack"),
    pytest.mark.timeout(300),
]

PROVISIONING = readme.ROOT / "deploy/grafana/provisioning"


async def test_every_address_that_it_says_is_answered(running: Stack) -> None:
    async with httpx2.AsyncClient(trust_env=False) as http:
        assert "<title>" in (await http.get(running.url)).text
        assert "<title>" in (await http.get(f"{running.console}/ops/")).text
        assert (await http.get(f"{running.prometheus}/-/ready")).status_code == 200
    wanted = ("127.0.0.1:8080", "127.0.0.1:8090", "127.0.0.1:9090", "127.0.0.1:3000")
    assert [each for each in wanted if f"http://{each}" not in readme.section("Run it")] == []


async def test_under_load_there_is_something_to_see_in_every_panel(running: Stack, tmp_path: Path) -> None:
    """Beside the README's load, smaller and shorter, some bots, who also dispute ties."""
    load = shlex.split(readme.command(".venv/bin/pandemonium load "))
    load[load.index("--url") + 1] = running.url
    panels = {who: what for who, what in questions().items() if who.startswith("panel ")}
    assert len(panels) > 50
    async with Client(running.url) as client:
        for _ in range(3):
            await begin(client, 4, Options(target=30, tie_window_ms=250), Pace.FAST, Strength.MEDIUM)
        out = ("--tables", "2", "--seconds", "5", "--out", str(tmp_path / "run"))
        said = await run("bash", "-c", f"{shlex.join([*load, *out])} || [ $? = 3 ]", within_s=200)
        assert "proven: nothing wrong was found" in said  # on a busy machine it may be void, which it says
        assert await until(Prometheus(running.prometheus), panels) == {}


async def test_grafana_finds_the_dashboards_and_prometheus_where_the_stack_has_them(running: Stack) -> None:
    """What it is given; with Grafana's own image, also what it made of that."""
    compose = yaml.safe_load((readme.ROOT / "docker-compose.yml").read_text())["services"]
    volumes = dict(volume.split(":")[:2] for volume in compose["grafana"]["volumes"])
    mounted = {at: (readme.ROOT / what).resolve() for what, at in volumes.items() if what.startswith("./")}
    assert mounted["/etc/grafana/provisioning"] == PROVISIONING
    (provider,) = yaml.safe_load((PROVISIONING / "dashboards/pandemonium.yml").read_text())["providers"]
    assert mounted[provider["options"]["path"]] == DASHBOARDS
    (source,) = yaml.safe_load((PROVISIONING / "datasources/prometheus.yml").read_text())["datasources"]
    assert source["url"] == "http://prometheus:9090"
    assert set(compose["grafana"]["networks"]) & set(compose["prometheus"]["networks"])
    assert compose["prometheus"]["ports"][0].endswith(":9090")
    if running.grafana is not None:
        async with httpx2.AsyncClient(base_url=running.grafana, auth=running.admin, trust_env=False) as http:
            found: Any = (await http.get("/api/search", params={"type": "dash-db"})).json()
            assert {board["folderTitle"] for board in found} == {provider["folder"]}
            assert {board["title"].rpartition(": ")[2] for board in found} >= {"overview"}
            assert len(found) == len(list(DASHBOARDS.glob("*.json")))
            health: Any = (await http.get(f"/api/datasources/uid/{source['uid']}/health")).json()
            assert health["status"] == "OK"
