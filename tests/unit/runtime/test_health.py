from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from prometheus_client import REGISTRY

from services.runtime.channels import channel
from services.runtime.health import NOT_SERVING, SERVING
from services.runtime.scope import CHECK_SECONDS, Scope
from services.runtime.serve import Served, serving
from tests.unit.runtime.echo_service import EchoSettings


class Need:
    """Something that a service needs, which can be taken away."""

    def __init__(self) -> None:
        self.there = True
        self.error: Exception | None = None
        self.silent = False

    async def check(self) -> bool:
        if self.silent:
            await asyncio.Event().wait()
        if self.error is not None:
            raise self.error
        return self.there


@asynccontextmanager
async def service(*, shared: bool = False, **needs: Need) -> AsyncIterator[tuple[Served, Any]]:
    async def build(_settings: EchoSettings, _server: grpc.aio.Server, scope: Scope) -> None:
        for name, need in needs.items():
            scope.health(name, need.check, shared=shared)

    async with (
        serving(EchoSettings(stop_seconds=0.2), build) as served,
        channel(f"127.0.0.1:{served.port}") as to_server,
    ):
        yield served, health_pb2_grpc.HealthStub(to_server)


async def until(stub: Any, wanted: int, name: str = "") -> None:
    """Returns once ``name`` has the status ``wanted``; fails if that does not come."""
    async with asyncio.timeout(CHECK_SECONDS * 2 + 10):
        while True:
            answer = await stub.Check(health_pb2.HealthCheckRequest(service=name))
            if answer.status == wanted:
                return
            await asyncio.sleep(0.02)


async def test_a_service_serves_exactly_while_everything_it_needs_is_there() -> None:
    redis, sql = Need(), Need()
    async with service(redis=redis, sql=sql) as (_, stub):
        await until(stub, SERVING)
        sql.there = False
        await until(stub, NOT_SERVING)
        assert (await stub.Check(health_pb2.HealthCheckRequest(service="redis"))).status == SERVING
        assert (await stub.Check(health_pb2.HealthCheckRequest(service="sql"))).status == NOT_SERVING
        assert REGISTRY.get_sample_value("pandemonium_ready", {"check": "sql"}) == 0
        sql.there = True
        await until(stub, SERVING)
        assert REGISTRY.get_sample_value("pandemonium_ready", {"check": "sql"}) == 1


async def test_a_check_that_raises_or_does_not_answer_has_not_passed() -> None:
    need = Need()
    async with service(redis=need) as (_, stub):
        await until(stub, SERVING)
        need.error = ConnectionError("refused")
        await until(stub, NOT_SERVING)
        need.error = None
        await until(stub, SERVING)
        need.silent = True
        await until(stub, NOT_SERVING)


async def test_a_service_is_not_serving_before_its_first_look() -> None:
    need = Need()
    need.there = False
    async with service(redis=need) as (_, stub):
        assert (await stub.Check(health_pb2.HealthCheckRequest())).status == NOT_SERVING


async def test_whoever_watches_hears_of_the_stop() -> None:
    async with service(redis=Need()) as (served, stub):
        await until(stub, SERVING)
        watching = stub.Watch(health_pb2.HealthCheckRequest(), timeout=30)
        statuses = aiter(watching)
        assert (await anext(statuses)).status == SERVING
        served.scope.stopping.set()
        async with asyncio.timeout(60):
            while (await anext(statuses)).status != NOT_SERVING:
                pass
        watching.cancel()


async def test_what_all_copies_share_must_have_been_there_once_and_then_only_degrades() -> None:
    redis = Need()
    redis.there = False
    async with service(shared=True, redis=redis) as (served, stub):
        await until(stub, NOT_SERVING, "redis")
        assert (await stub.Check(health_pb2.HealthCheckRequest())).status == NOT_SERVING
        redis.there = True
        await until(stub, SERVING)
        assert REGISTRY.get_sample_value("pandemonium_degraded") == 0

        redis.silent = True
        await until(stub, NOT_SERVING, "redis")
        assert (await stub.Check(health_pb2.HealthCheckRequest())).status == SERVING
        assert REGISTRY.get_sample_value("pandemonium_degraded") == 1
        assert REGISTRY.get_sample_value("pandemonium_ready", {"check": "redis"}) == 0

        served.scope.drain()
        await until(stub, NOT_SERVING)
