"""A Prometheus of our own as a child process, and its promtool, for tests of what it is asked."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest
import yaml

from services.runtime.orphans import dies_with_parent
from tests.monitoring.rules import RULES

START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 20.0


def program(name: str) -> str:
    """``prometheus`` or ``promtool``; skips the test without it, or fails it if ``REQUIRE_PROMETHEUS=1``."""
    found = shutil.which(name)
    if found is None:
        reason = f"no {name} on the path: make prometheus"
        if os.environ.get("REQUIRE_PROMETHEUS") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


class Prometheus:
    """A running one."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def ask(self, expression: str) -> list[dict[str, Any]]:
        """The series of an instant query now."""
        async with httpx2.AsyncClient(base_url=self._url, trust_env=False, timeout=30) as http:
            answer = (await http.post("/api/v1/query", data={"query": expression})).json()
        assert answer["status"] == "success", f"{expression}: {answer.get('error')}"
        result: Any = answer["data"]["result"]
        return result if answer["data"]["resultType"] == "vector" else [{"metric": {}, "value": result}]

    async def firing(self) -> list[str]:
        """The alerts that fire."""
        async with httpx2.AsyncClient(base_url=self._url, trust_env=False, timeout=30) as http:
            alerts = (await http.get("/api/v1/alerts")).json()["data"]["alerts"]
        return sorted({alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"})


@asynccontextmanager
async def prometheus(folder: Path, jobs: Mapping[str, Sequence[str]]) -> AsyncIterator[Prometheus]:
    """One with our rules, looking every second at the addresses of each job."""
    port = _free_port()
    config = {
        "global": {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"},
        "rule_files": [str(RULES / "*.yml")],
        "scrape_configs": [
            {"job_name": job, "static_configs": [{"targets": list(targets)}]} for job, targets in jobs.items()
        ],
    }
    (folder / "prometheus.yml").write_text(yaml.safe_dump(config))
    with (folder / "prometheus.log").open("wb") as log:
        child = await asyncio.create_subprocess_exec(
            *dies_with_parent(),
            program("prometheus"),
            f"--config.file={folder / 'prometheus.yml'}",
            f"--storage.tsdb.path={folder / 'data'}",
            f"--web.listen-address=127.0.0.1:{port}",
            "--log.level=warn",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        async with httpx2.AsyncClient(base_url=url, trust_env=False) as http, asyncio.timeout(START_SECONDS):
            while not await _ready(http):
                assert child.returncode is None, (folder / "prometheus.log").read_text()[-2000:]
                await asyncio.sleep(0.05)
        yield Prometheus(url)
    finally:
        with suppress(ProcessLookupError):
            child.terminate()
        try:
            await asyncio.wait_for(child.wait(), STOP_SECONDS)
        except TimeoutError:
            child.kill()
            await child.wait()


async def _ready(http: httpx2.AsyncClient) -> bool:
    try:
        return (await http.get("/-/ready")).status_code == 200
    except httpx2.HTTPError:
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
