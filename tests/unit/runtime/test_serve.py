from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import httpx2
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from services.runtime.channels import channel
from services.runtime.errors import Unavailable, fault_from
from services.runtime.health import NOT_SERVING
from services.runtime.serve import EXIT_STUCK, serving
from tests.unit.runtime.echo_server import SERVICE, call
from tests.unit.runtime.echo_service import EchoSettings, build

ROOT = Path(__file__).parents[3]
STOP_SECONDS = 3.0
SLACK_SECONDS = 30.0
"""For a busy machine: what is tested is that there is a bound, not how busy the machine is."""


class Child:
    """The echo service as a process; reads its log until something is said."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.logged: list[dict[str, Any]] = []

    async def says(self, event: str) -> dict[str, Any]:
        assert self.process.stderr is not None
        async with asyncio.timeout(30):
            while line := await self.process.stderr.readline():
                self.logged.append(json.loads(line))
                if self.logged[-1]["event"] == event:
                    return self.logged[-1]
        raise AssertionError(f"never said {event!r}: {self.logged}")

    async def ends(self) -> int:
        async with asyncio.timeout(STOP_SECONDS + SLACK_SECONDS):
            return await self.process.wait()


@asynccontextmanager
async def child(habit: str) -> AsyncIterator[Child]:
    environment = {**os.environ, "ECHO_HABIT": habit, "ECHO_STOP_SECONDS": str(STOP_SECONDS)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.unit.runtime.echo_service",
        cwd=ROOT, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield Child(process)
    finally:
        if process.returncode is None:
            process.kill()
        # Reads what is left, so that no pipe stays open.
        await process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_stops_a_service_in_order(number: signal.Signals) -> None:
    async with child("good") as service:
        await service.says("serving")
        service.process.send_signal(number)
        assert (await service.says("stopping"))["cause"] == number.name
        assert await service.ends() == 0


async def test_a_service_that_was_told_to_drain_stays_not_ready_until_it_is_told_to_end() -> None:
    async with child("good") as service:
        port = (await service.says("serving"))["port"]
        async with channel(f"127.0.0.1:{port}") as to_server:
            raw: Any = to_server
            stub: Any = health_pb2_grpc.HealthStub(raw)
            service.process.send_signal(signal.SIGUSR1)
            async with asyncio.timeout(SLACK_SECONDS):
                while (await stub.Check(health_pb2.HealthCheckRequest())).status != NOT_SERVING:
                    await asyncio.sleep(0.02)
            assert await call(to_server, "Unary", b"hello") == b"hello", "it is still there"
        assert service.process.returncode is None
        service.process.send_signal(signal.SIGTERM)
        assert await service.ends() == 0


async def test_a_call_that_never_ends_does_not_hold_up_the_stop() -> None:
    async with child("good") as service:
        port = (await service.says("serving"))["port"]
        async with channel(f"127.0.0.1:{port}") as to_server:
            waiting = asyncio.create_task(call(to_server, "Both", b"wait", timeout=60))
            assert await call(to_server, "Unary", b"hello") == b"hello"
            service.process.send_signal(signal.SIGTERM)
            assert await service.ends() == 0
            with pytest.raises(grpc.RpcError) as caught:
                await waiting
    assert isinstance(fault_from(caught.value), Unavailable), "so that the caller goes elsewhere"


@pytest.mark.parametrize("habit", ["clings", "blocks", "never_closes"])
async def test_whatever_a_service_hangs_on_a_stop_has_an_end(habit: str) -> None:
    async with child(habit) as service:
        await service.says("serving")
        started = time.monotonic()
        service.process.send_signal(signal.SIGTERM)
        assert await service.ends() == EXIT_STUCK
        assert time.monotonic() - started < STOP_SECONDS + SLACK_SECONDS


async def test_a_signal_ends_a_start_that_takes_for_ever() -> None:
    async with child("slow_start") as service:
        assert service.process.stdout is not None
        assert await asyncio.wait_for(service.process.stdout.readline(), 30) == b"building\n"
        service.process.send_signal(signal.SIGTERM)
        assert await service.ends() == 0


async def test_a_background_task_that_breaks_ends_the_process_with_an_error() -> None:
    async with child("broken_task") as service:
        port = (await service.says("serving"))["port"]
        async with channel(f"127.0.0.1:{port}") as to_server:
            await call(to_server, "Unary", b"break")
        failure = await service.says("background task failed")
        assert (failure["task"], "the task broke" in failure["exception"]) == ("breaks", True)
        assert await service.ends() == 1


async def test_a_start_that_fails_is_logged_and_ends_with_an_error() -> None:
    async with child("broken_start") as service:
        failure = await service.says("service broke")
        assert "no way to start" in failure["exception"]
        assert await service.ends() == 1


async def test_reflection_names_what_was_registered_and_every_series_is_there_from_the_start() -> None:
    async with serving(EchoSettings(), build) as served:
        async with channel(f"127.0.0.1:{served.port}") as to_server:
            raw: Any = to_server
            stub: Any = reflection_pb2_grpc.ServerReflectionStub(raw)

            async def ask() -> AsyncIterator[reflection_pb2.ServerReflectionRequest]:
                yield reflection_pb2.ServerReflectionRequest(list_services="")

            answers = [answer async for answer in stub.ServerReflectionInfo(ask(), timeout=10)]
        names = {service.name for service in answers[0].list_services_response.service}
        assert {SERVICE, "grpc.health.v1.Health"} <= names
        async with httpx2.AsyncClient(timeout=60) as http:
            page = (await http.get(f"http://127.0.0.1:{served.metrics_port}/metrics")).text
        assert f'pandemonium_grpc_handled_total{{code="INTERNAL",method="Writes",service="{SERVICE}"}}' in page


async def test_two_services_do_not_share_a_port_by_chance() -> None:
    async with serving(EchoSettings(), build) as served:
        with pytest.raises(RuntimeError, match="Failed to bind"):
            async with serving(EchoSettings(port=served.port), build):
                pass
