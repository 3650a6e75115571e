"""A migrated database of either kind: the same tests run on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from services.scoring.database import Database
from services.scoring.migrations import migrate


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database. The PostgreSQL ones are skipped, with the reason, where there is none."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'scoring.db'}"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest_asyncio.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A database with the newest schema."""
    database = Database(database_url)
    await migrate(database)
    yield database
    await database.close()
