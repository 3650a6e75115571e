"""A platform with bots, all in the test's process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest_asyncio
from redis.asyncio import Redis

from services.bots.build import build
from services.bots.settings import BotsSettings
from services.client import Client
from services.runtime.serve import Served, serving
from tests.integration.gateway.place import Place, place_on


@dataclass
class Hall:
    """A platform, and as many bots workers as a test wants."""

    place: Place

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.place.port}"

    def client(self) -> Client:
        return Client(self.url)

    @asynccontextmanager
    async def bots(self) -> AsyncIterator[Served]:
        """One worker."""
        settings = BotsSettings(
            gateway=self.url,
            lobby=self.place.lobby,
            metrics_port=0,
            renew_seconds=1,
            patience_seconds=0,
        )
        async with serving(settings, build) as served:
            yield served


@pytest_asyncio.fixture
async def hall(redis_url: str, redis: Redis, tmp_path: Path) -> AsyncIterator[Hall]:
    """One engine, lobby, scoring and gateway; no bots yet."""
    async with AsyncExitStack() as stack:
        yield Hall(await place_on(stack, redis_url, tmp_path))
