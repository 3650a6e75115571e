"""One platform for all of these tests, with two engines and two gateways; the players are the tests' own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator
from pathlib import Path

import pytest
import pytest_asyncio

from services.cli.local_platform import Platform
from tests.chaos.promises import PROMISES, Promises
from tests.e2e.log_book import LogBook
from tests.e2e.platforms import platform as running_platform


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def platform(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Platform]:
    """A whole platform. Each test leaves it with every process running."""
    folder = tmp_path_factory.mktemp("platform")
    async with running_platform(folder, LogBook(), engines=2, gateways=2, bots=False) as running:
        yield running


@pytest.fixture(scope="session")
def promises() -> Promises:
    """Where tests write what they measured."""
    return PROMISES


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What asks about the whole run comes last."""
    last = Path(__file__).with_name("test_promises.py")
    items.sort(key=lambda item: item.path == last)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None]:
    """Prints what was measured, last. With several processes each knows only its own: run these tests in one."""
    yield
    if PROMISES.rows:
        terminalreporter.section("what was promised, as measured")
        for line in PROMISES.table():
            terminalreporter.line(line)
