"""The schema's history, and how a starting scorer brings the database up to its head."""

from __future__ import annotations

import asyncio
from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from services.scoring.database import LOCK_SECONDS, Database

_ADVISORY_LOCK: Final = 7020_0001
"""The PostgreSQL advisory lock of whoever migrates; any number that nothing else in the database uses."""


async def migrate(database: Database) -> None:
    """Brings the schema up to the newest version; does nothing if it is there already.

    Safe when several scorers start at once: the whole of it is one transaction, under an advisory lock in PostgreSQL and
    the one write lock in SQLite. Raises :class:`~services.runtime.errors.Unavailable` if the lock is not to be had.
    """
    if database.sqlite:
        await _write_ahead(database)
    async with database.write("migrate") as connection:
        if not database.sqlite:
            await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK})
        await connection.run_sync(_upgrade)


async def _write_ahead(database: Database) -> None:
    """Sets SQLite's write-ahead log, so that readers and the writer don't wait for each other; the file remembers it.

    Another process may be opening the same file, and this one pragma doesn't honour the busy time-out.
    """
    deadline = asyncio.get_running_loop().time() + LOCK_SECONDS
    while True:
        try:
            async with database.engine.connect() as connection:
                raw = await connection.get_raw_connection()
                cursor = await raw.driver_connection.execute("PRAGMA journal_mode = WAL")  # type: ignore[union-attr]
                await cursor.close()
            return
        except OperationalError:
            if asyncio.get_running_loop().time() > deadline:
                raise
            await asyncio.sleep(0.05)


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", "services.scoring:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
