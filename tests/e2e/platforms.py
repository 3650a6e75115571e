"""Platforms for tests: on free ports, in a temporary folder, without the edge's limits on speed, with its log kept."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final

from services.cli.local_platform import Platform
from services.cli.ports import Ports
from tests.e2e.log_book import LogBook

UNLIMITED: Final = {
    "GATEWAY_RATE_LIMIT": "0",
    "GATEWAY_GUESTS_PER_MINUTE": "0",
    "GATEWAY_TABLES_PER_MINUTE": "0",
    "GATEWAY_REQUESTS_PER_SECOND": "0",
    "GATEWAY_ADDRESS_PER_SECOND": "0",
    "LOBBY_MOST_HOSTED": "0",
    "LOBBY_COUNTDOWN_MS": "100",
}


@asynccontextmanager
async def platform(
    folder: Path,
    log: LogBook,
    *,
    engines: int = 2,
    gateways: int = 1,
    bots: bool = True,
    redis_url: str | None = None,
    accounts: Path | None = None,
    env: Mapping[str, str] = MappingProxyType({}),
) -> AsyncIterator[Platform]:
    """A running platform. If the test fails, the end of the log is printed."""
    ports = Ports.free(engines=engines, gateways=gateways)
    try:
        async with Platform(
            folder, ports, say=log, bots=bots, accounts=accounts, env={**UNLIMITED, **env}, redis_url=redis_url
        ) as running:
            yield running
    except BaseException:
        print(log.tail())
        raise
