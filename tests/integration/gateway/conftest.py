"""One platform for all tests of the edge that leave it as it was: each makes its own guests and tables."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from services.runtime.redis import connect
from services.runtime.redis_server import RedisServer
from tests.integration.gateway.place import Place, place_on


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def place(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Place]:
    """One engine, lobby and scoring, and a gateway, on a Redis of their own."""
    folder = tmp_path_factory.mktemp("place")
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(RedisServer(folder / "redis"))
        yield await place_on(stack, server.url, folder)


@pytest_asyncio.fixture(loop_scope="session")
async def log(place: Place) -> AsyncIterator[Redis]:
    """A client of the platform's Redis."""
    async with connect(place.redis_url) as client:
        yield client
