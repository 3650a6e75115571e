"""The command ``docker``, and the stack of docker-compose.yml as the tests run it. Only what the tests need."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from tests import readme
from tests.certificates import Authority
from tests.e2e.platforms import UNLIMITED
from tests.readme import ROOT

IMAGE: Final = os.environ.get("PANDEMONIUM_IMAGE", "pandemonium:local")
GRAFANA: Final = "grafana/grafana:11.6.0"
SERVICES: Final = ("engine-1", "engine-2", "gateway-1", "gateway-2", "lobby", "scoring", "bots", "ops")
STARTED: Final = (*SERVICES, "proxy", "prometheus")
"""What is asked for by name; Redis and PostgreSQL come with those that need them."""
_PROJECT: Final = f"pandemonium-test-{os.getpid()}"
_STACK: Final = ROOT / "deploy/docker/stack.sh"


class Failed(Exception):
    """A command failed; the message has what it said."""


async def run(*command: str | Path, env: Mapping[str, str] | None = None, within_s: float = 120) -> str:
    """What the command printed. Raises :class:`Failed`, or TimeoutError after it was killed."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=readme.at_a_prompt(**(env or {})),
    )
    try:
        async with asyncio.timeout(within_s):
            out, error = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise Failed(f"{' '.join(map(str, command))}: {process.returncode}\n{out.decode()}\n{error.decode()}")
    return out.decode()


def has_image(name: str) -> bool:
    """Whether the engine has it."""
    return subprocess.run(["docker", "image", "inspect", name], capture_output=True, timeout=30).returncode == 0


class Stack:
    """The running stack."""

    def __init__(self, said: Mapping[str, str], ca: str, operator: tuple[str, str], admin: tuple[str, str]) -> None:
        self.url = said["the game"]
        """Of the proxy."""
        self.tls_url = said["with TLS"]
        self.ca = ca
        """The file with the authority of its certificate."""
        self.prometheus = said["Prometheus"]
        self.console = said["the console"]
        self.grafana = said.get("Grafana")
        """None where its image is missing."""
        self.operator = operator
        """Name and password, as of Grafana's ``admin``."""
        self.admin = admin

    async def containers(self) -> dict[str, Any]:
        """What the engine knows of each container, by the service's name."""
        found = json.loads(await run("docker", "inspect", *await _made("ps", "-aq")))
        return {container["Config"]["Labels"]["com.docker.compose.service"]: container for container in found}

    async def tell(self, verb: str, service: str) -> None:
        """``docker stop``, ``kill`` or ``start`` for the one container of the service."""
        container = (await self.containers())[service]
        await run("docker", verb, container["Id"])

    async def healthy(self, service: str, within_s: float = 90) -> None:
        """Until its own check says that it is. Raises TimeoutError."""
        async with asyncio.timeout(within_s):
            while (await self.containers())[service]["State"]["Health"]["Status"] != "healthy":
                await asyncio.sleep(0.5)


@asynccontextmanager
async def stack(secrets: Path) -> AsyncIterator[Stack]:
    """The whole stack with data and secrets of its own, gone afterwards. Without Grafana where its image is missing.

    It is started and stopped as the README says.
    """
    names = [*STARTED, "grafana"] if has_image(GRAFANA) else [*STARTED]
    env = {
        **UNLIMITED,
        "COMPOSE_PROJECT_NAME": _PROJECT,
        "PANDEMONIUM_IMAGE": IMAGE,
        "PANDEMONIUM_SECRETS": str(secrets),
        "PANDEMONIUM_PORT": "0",
        "PROMETHEUS_PORT": "0",
        "GRAFANA_PORT": "0",
        "OPS_PORT": "0",
        "PANDEMONIUM_TLS_PORT": "0",
        "STACK": " ".join(names),
    }
    papers = Authority(secrets).papers()
    (secrets / "tls.pem").write_bytes(Path(papers.cert).read_bytes() + Path(papers.key).read_bytes())
    try:
        printed = await run("bash", "-c", readme.command("make up"), env=env, within_s=600)
        print(printed)
        said = dict(re.findall(r"^(.+?): +(https?://\S+)", printed, re.MULTILINE))
        name, password = (secrets / "operator.txt").read_text().split()
        yield Stack(said, papers.ca, (name, password), ("admin", (secrets / "grafana_password").read_text().strip()))
        await run("bash", "-c", readme.command("make down"), env=env)
        assert await _made("ps", "-aq") == []
        assert len(await _made("volume", "ls", "-q")) >= 3, "the data went with the containers"
    finally:
        await run(_STACK, "down", "-v", "--timeout", "5", env=env)


async def _made(*listing: str) -> list[str]:
    """What there is of that kind of the stack's."""
    label = f"label=com.docker.compose.project={_PROJECT}"
    return (await run("docker", *listing, "--filter", label)).split()
