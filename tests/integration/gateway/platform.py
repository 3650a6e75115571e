"""A small platform inside the test's process: real services on loopback, on ports that the system chooses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from services.engine.build import build as build_engine
from services.engine.settings import EngineSettings
from services.gateway.build import build as build_gateway
from services.gateway.settings import GatewaySettings
from services.lobby.build import build as build_lobby
from services.lobby.settings import LobbySettings
from services.runtime.serve import Served, serving, serving_app
from services.scoring.build import build as build_scoring
from services.scoring.settings import ScoringSettings

LOOPBACK = "127.0.0.1"
NO_QUOTAS = {"guests_per_minute": 0, "tables_per_minute": 0, "requests_per_second": 0, "address_per_second": 0}
"""All tests come from one address; those of the limits set their own."""


@asynccontextmanager
async def engine(redis_url: str) -> AsyncIterator[str]:
    """One engine; gives its address."""
    settings = EngineSettings(redis_url=redis_url, port=0, metrics_port=0)
    async with serving(settings, build_engine) as served:
        yield f"{LOOPBACK}:{served.port}"


@asynccontextmanager
async def lobby(redis_url: str, engines: str, scoring: str) -> AsyncIterator[str]:
    """The lobby; gives its address."""
    settings = LobbySettings(
        redis_url=redis_url, port=0, metrics_port=0, engines=engines, scoring=scoring, countdown_ms=50
    )
    async with serving(settings, build_lobby) as served:
        yield f"{LOOPBACK}:{served.port}"


@asynccontextmanager
async def scoring(redis_url: str, folder: Path) -> AsyncIterator[str]:
    """Scoring on a database of its own; gives its address."""
    url = f"sqlite+aiosqlite:///{folder / 'scoring.db'}"
    settings = ScoringSettings(redis_url=redis_url, port=0, metrics_port=0, database_url=url)
    async with serving(settings, build_scoring) as served:
        yield f"{LOOPBACK}:{served.port}"


@asynccontextmanager
async def gateway(redis_url: str, **given: Any) -> AsyncIterator[Served]:
    """One gateway."""
    settings = GatewaySettings(redis_url=redis_url, **{"port": 0, "metrics_port": 0, **NO_QUOTAS, **given})
    async with serving_app(settings, build_gateway) as served:
        yield served
