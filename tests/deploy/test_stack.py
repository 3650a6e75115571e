from __future__ import annotations

import asyncio
import ssl
import sys
from typing import Any

import httpx2
import pytest

from services.client import TableSession
from tests.chaos.under_way import under_way
from tests.deploy.docker import SERVICES, STARTED, Stack, run

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.xdist_group("stack"),
    pytest.mark.timeout(600),
]


async def test_every_container_is_healthy_and_none_may_more_than_it_needs(running: Stack) -> None:
    containers = await running.containers()
    assert set(containers) >= {*STARTED, "redis", "postgres"}
    for name, container in containers.items():
        host = container["HostConfig"]
        assert container["State"]["Health"]["Status"] == "healthy", name
        assert host["ReadonlyRootfs"], name
        assert host["CapDrop"] == ["ALL"], name
        assert not host["CapAdd"], name
        assert not host["Privileged"], name
        assert "no-new-privileges:true" in host["SecurityOpt"], name
        assert host["RestartPolicy"]["Name"] == "unless-stopped", name
        assert container["Config"]["User"] not in ("", "root", "0"), name
    assert {name for name in containers if _published(containers[name])} <= {"proxy", "prometheus", "grafana", "ops"}
    assert {ip for container in containers.values() for ip in _published(container)} == {"127.0.0.1"}
    # Whoever looks at a container, or at its processes, sees no secret.
    secret = (await run("docker", "exec", containers["redis"]["Id"], "cat", "/run/secrets/redis.conf")).split()[1]
    assert not [name for name in containers if secret in str(containers[name])]


def _published(container: dict[str, Any]) -> list[str]:
    """The addresses of this machine where the container can be reached."""
    return [at["HostIp"] for ports in container["NetworkSettings"]["Ports"].values() for at in ports or ()]


async def test_prometheus_hears_from_every_service(running: Stack) -> None:
    wanted = {*SERVICES, "proxy"}
    up: set[str] = set()
    async with httpx2.AsyncClient(trust_env=False) as http, asyncio.timeout(60):
        while up != wanted:
            answer = await http.get(f"{running.prometheus}/api/v1/query", params={"query": "up == 1"})
            up = {series["metric"]["instance"].split(":")[0] for series in answer.json()["data"]["result"]}
            await asyncio.sleep(0.5)


async def test_a_match_of_bots_is_played_through_the_proxy_and_verified(running: Stack) -> None:
    match = (sys.executable, "-m", "services.cli", "match", "--url", running.url, "--seats", "2", "--target", "10")
    assert "verified: " in await run(*match, within_s=240)


async def test_with_a_certificate_it_is_reached_by_tls_and_cookies_stay_with_it(running: Stack) -> None:
    trust = ssl.create_default_context(cafile=running.ca)
    async with httpx2.AsyncClient(base_url=running.tls_url, verify=trust, trust_env=False) as http:
        made = await http.post("/api/v1/guests", json={"name": "Ada"})
        assert made.headers["set-cookie"].startswith("__Host-session=")
        assert "; Secure" in made.headers["set-cookie"]
    match = (sys.executable, "-m", "services.cli", "match", "--url", running.tls_url, "--seats", "2", "--target", "10")
    assert "verified: " in await run(*match, env={"SSL_CERT_FILE": running.ca}, within_s=240)


async def test_any_one_container_ends_while_tables_play_and_nothing_acknowledged_is_lost(running: Stack) -> None:
    async with under_way([running.url], tables=2) as tables:
        sessions = [player.session for player in tables.players if player.session is not None]

        await running.tell("kill", "engine-1")
        await tables.more_answers(20)
        await running.tell("start", "engine-1")
        await running.healthy("engine-1")

        await running.tell("stop", "gateway-1")
        await tables.more_answers(20)
        await running.tell("start", "gateway-1")
        await running.healthy("gateway-1")

        await running.tell("kill", "gateway-2")
        await tables.more_answers(20)
        await running.tell("start", "gateway-2")
        await running.healthy("gateway-2")
        await tables.until(lambda: all(session.attached for session in sessions), within_s=60)

        await running.tell("kill", "redis")
        await tables.until(lambda: all(map(_knows, sessions)) and any(each.paused for each in sessions), within_s=60)
        await running.tell("start", "redis")
        await tables.until(lambda: all(each.attached and not each.paused for each in sessions), within_s=60)
        await tables.more_answers(20)
        problems = await tables.finish()

    assert problems == []
    assert all(player.set_back_at == [] for player in tables.players)
    for name in ("engine-2", "gateway-2", "lobby", "scoring", "bots", "ops", "redis"):
        await running.healthy(name)


def _knows(session: TableSession) -> bool:
    """Whether the player sees that nothing goes on: it is told, or has no connection, and gets none without Redis."""
    return session.paused or not session.attached
