"""What tests share: a real Redis and a real PostgreSQL, one of each per test process, stopped at the end.

Both come from testcontainers where a Docker engine answers, else from programs of this machine. Containers are built
inside the fixtures only, since building one talks to the engine.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from itertools import count

import asyncpg
import pytest
import pytest_asyncio
from hypothesis import HealthCheck, settings
from redis.asyncio import Redis

from services.runtime.redis import connect
from services.runtime.redis_server import RedisServer
from tests.docker_engine import docker_answers
from tests.postgres_server import PostgresNotFound, postgres_server

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")

_databases = count()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def redis_url(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """The URL of a Redis that writes every change through to the disk. What is in it is the tests' of this process."""
    if docker_answers():
        from testcontainers.community.redis import RedisContainer

        durable = "redis-server --appendonly yes --appendfsync always --maxmemory-policy noeviction"
        with RedisContainer("redis:7").with_command(durable) as container:
            yield f"redis://{container.get_container_host_ip()}:{container.get_exposed_port(6379)}/0"
        return
    async with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server.url


@pytest_asyncio.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    """A client of the test's Redis, which is empty."""
    async with connect(redis_url) as client:
        await client.flushall()
        yield client


@pytest.fixture(scope="session")
def postgres_server_url() -> Iterator[str]:
    """The URL of a PostgreSQL's maintenance database; skips where there is none, or fails if ``REQUIRE_POSTGRES=1``."""
    with ExitStack() as stack:
        if docker_answers():
            from testcontainers.community.postgres import PostgresContainer

            container = stack.enter_context(PostgresContainer("postgres:16", driver="asyncpg", dbname="postgres"))
            yield container.get_connection_url()
            return
        try:
            url = stack.enter_context(postgres_server()).url
        except PostgresNotFound as reason:
            if os.environ.get("REQUIRE_POSTGRES") == "1":
                pytest.fail(str(reason))
            pytest.skip(str(reason))
        yield url


@pytest_asyncio.fixture
async def postgres_url(postgres_server_url: str) -> AsyncIterator[str]:
    """The URL (``postgresql+asyncpg://…``) of an empty database that is the test's own."""
    name = f"test_{next(_databases)}"
    plain = postgres_server_url.replace("+asyncpg", "")
    server = await asyncpg.connect(plain)
    try:
        await server.execute(f"CREATE DATABASE {name}")
        yield f"{postgres_server_url.rpartition('/')[0]}/{name}"
        await server.execute(f"DROP DATABASE {name} WITH (FORCE)")
    finally:
        await server.close()
