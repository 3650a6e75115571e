"""One platform for all of these tests, with two engines, two gateways and bots."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from services.cli.local_platform import Platform
from tests.e2e.log_book import LogBook
from tests.e2e.platforms import platform as running_platform


@pytest.fixture(scope="session")
def log() -> LogBook:
    """What the platform's processes say."""
    return LogBook()


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def platform(tmp_path_factory: pytest.TempPathFactory, log: LogBook) -> AsyncIterator[Platform]:
    """A whole platform. Its log must show no error, whatever its users did."""
    async with running_platform(tmp_path_factory.mktemp("platform"), log, engines=2, gateways=2) as running:
        yield running
    assert log.errors() == []
