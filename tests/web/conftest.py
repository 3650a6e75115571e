"""One platform and one browser for all of these tests."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from services.cli.local_platform import Platform
from services.gateway import page
from tests.e2e.log_book import LogBook
from tests.e2e.platforms import platform as running_platform
from tests.web.browser import FLAGS, found

_HERE: Final = Path(__file__).parent
_STARVED: Final = ("TimeoutError", "Call log:")

# Two browsers and their platforms may share two cores: what the page is to show comes, though not within five seconds.
expect.set_options(timeout=60_000)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One process has the browser and its platform: one in each would take the processors from each other.

    What only took too long in a browser gets a second go: two cores may be one too few. The summary names it.
    """
    for item in items:
        if item.path.is_relative_to(_HERE):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=list(_STARVED)))
            if "browser" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def log() -> LogBook:
    """What the platform's processes say."""
    return LogBook()


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def platform(tmp_path_factory: pytest.TempPathFactory, log: LogBook) -> AsyncIterator[Platform]:
    """A whole platform whose page was built. Its log must show no error, whatever the page did."""
    if not page.read():
        pytest.skip("the page was not built: make install")
    async with running_platform(tmp_path_factory.mktemp("platform"), log) as running:
        yield running
    assert log.errors() == []


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """A browser; skips where there is none, or fails if ``REQUIRE_BROWSER=1``."""
    path = await asyncio.to_thread(found)
    if path is None:
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail("no Chromium: `make browser` installs one")
        pytest.skip("no Chromium: `make browser` installs one")
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield running
        await running.close()
