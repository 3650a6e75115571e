"""One platform for all of these tests, with two engines and two gateways; the players are the tests' own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from services.cli.local_platform import Platform
from tests.e2e.log_book import LogBook
from tests.e2e.platforms import platform as running_platform


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def platform(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Platform]:
    """A whole platform. Each test leaves it with every process running."""
    folder = tmp_path_factory.mktemp("platform")
    async with running_platform(folder, LogBook(), engines=2, gateways=2, bots=False) as running:
        yield running
