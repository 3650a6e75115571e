from __future__ import annotations

import asyncio
import threading

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from services.runtime.errors import Unavailable
from services.runtime.versions import UnknownVersion
from services.scoring.database import Database
from services.scoring.migrations import migrate
from services.scoring.schema import metadata


async def test_an_empty_database_gets_exactly_the_schema(database: Database) -> None:
    async with database.read("ping") as connection:
        differences = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync), metadata)
        )
    assert differences == []


async def test_migrating_again_changes_nothing(database: Database) -> None:
    async with database.write("count") as connection:
        await connection.execute(text("INSERT INTO dead_letters VALUES (1, '1-1', 'entry', '', '{}', 1)"))
    await migrate(database)
    async with database.read("ping") as connection:
        assert (await connection.execute(text("SELECT entry_id FROM dead_letters"))).scalars().all() == ["1-1"]


async def test_several_may_start_at_once(database_url: str) -> None:
    databases = [Database(database_url) for _ in range(4)]
    await asyncio.gather(*map(migrate, databases))
    async with databases[0].read("ping") as connection:
        assert (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalars().all() == ["0003"]
    for database in databases:
        await database.close()


@pytest.mark.parametrize(
    "url", ["sqlite+aiosqlite:////nowhere/at/all.db", "postgresql+asyncpg://nobody@127.0.0.1:1/nothing"]
)
async def test_a_database_that_is_not_there_is_unavailable(url: str) -> None:
    before = set(threading.enumerate())
    database = Database(url)
    with pytest.raises(Unavailable) as fault:
        await migrate(database)
    assert fault.value.reason == "DATABASE_UNAVAILABLE"
    await database.close()
    # A connection that could not be opened ends its thread a little later, by telling this loop.
    async with asyncio.timeout(60):
        while any("_connection_worker_thread" in t.name for t in set(threading.enumerate()) - before):
            await asyncio.sleep(0.01)


async def test_a_database_that_a_newer_release_migrated_is_left_alone(database: Database) -> None:
    await migrate(database)
    async with database.write("test") as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(UnknownVersion, match="9999"):
        await migrate(database)
    async with database.read("test") as connection:
        assert (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar() == "9999"
