"""A lobby that runs, with an empty Redis, an engine without cards and a scoring without books; times are short."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from services.lobby.settings import LobbySettings
from tests.integration.lobby.fake_engine import FakeEngine, serving_engine
from tests.integration.lobby.fake_scoring import FakeScoring, serving_scoring
from tests.integration.lobby.hall import Hall, serving_lobby


@pytest_asyncio.fixture
async def hasty_redis(redis: Redis) -> AsyncIterator[Redis]:
    """The test's Redis, not waiting for the disk: for tests in which only lobbies die."""
    await redis.config_set("appendfsync", "no")
    yield redis
    await redis.config_set("appendfsync", "always")


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest_asyncio.fixture
async def engine_address(engine: FakeEngine) -> AsyncIterator[str]:
    async with serving_engine(engine) as address:
        yield address


@pytest.fixture
def scoring() -> FakeScoring:
    return FakeScoring()


@pytest_asyncio.fixture
async def scoring_address(scoring: FakeScoring) -> AsyncIterator[str]:
    async with serving_scoring(scoring) as address:
        yield address


@pytest.fixture
def settings(redis_url: str, engine_address: str, scoring_address: str) -> Callable[..., LobbySettings]:
    """Settings of a lobby: free ports, short looks; what else is declared stays long unless given."""

    def make(**more: Any) -> LobbySettings:
        short = {"sweep_ms": 20, "retry_ms": 50, "take_over_ms": 200, "stop_seconds": 2.0}
        ports = {"port": 0, "metrics_port": 0}
        others = {"engines": engine_address, "scoring": scoring_address, "redis_url": redis_url}
        return LobbySettings(**{**ports, **others, **short, **more})

    return make


@pytest_asyncio.fixture
async def hall(settings: Callable[..., LobbySettings], engine: FakeEngine, redis: Redis) -> AsyncIterator[Hall]:
    async with serving_lobby(settings(), engine, redis) as hall:
        yield hall
