"""A service as a process of its own, for tests that kill it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import httpx2
from grpc_health.v1 import health_pb2, health_pb2_grpc

LOOPBACK = "127.0.0.1"


@dataclass
class Service:
    """A running service."""

    process: asyncio.subprocess.Process
    port: int

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"{LOOPBACK}:{self.port}"

    def signal(self, number: signal.Signals) -> None:
        """Sends it a signal."""
        self.process.send_signal(number)

    async def ended(self, seconds: float = 15.0) -> int:
        """Waits for its end; gives its status."""
        return await asyncio.wait_for(self.process.wait(), seconds)


@asynccontextmanager
async def service(
    name: str, variables: Mapping[str, object], port: int = 0, log: Path | None = None
) -> AsyncIterator[Service]:
    """Starts a service on this port, or on a free one, and waits until it is ready; kills it at the end.

    ``log``: where its log goes, instead of this process's.
    """
    port = port or free_port()
    prefix = name.upper()
    own = {f"{prefix}_PORT": port, f"{prefix}_METRICS_PORT": 0, "LOG_LEVEL": "WARNING", **variables}
    environment = {**os.environ, **{key: str(value) for key, value in own.items()}}
    with nullcontext() if log is None else log.open("wb") as stderr:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", f"services.{name}", env=environment, stderr=stderr
        )
    made = Service(process, port)
    try:
        async with asyncio.timeout(60):
            while not await _ready(made, http=name == "gateway"):
                assert process.returncode is None, f"{name} ended by itself"
                await asyncio.sleep(0.05)
        yield made
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _ready(made: Service, *, http: bool) -> bool:
    try:
        if http:
            async with httpx2.AsyncClient(trust_env=False, verify=False) as client:
                return (await client.get(f"http://{made.address}/readyz")).status_code == 200
        async with grpc.aio.insecure_channel(made.address) as channel:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=1)
            return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
    except (httpx2.HTTPError, grpc.aio.AioRpcError):
        return False


def free_port() -> int:
    """A port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])
