"""The database: SQLite in a file or PostgreSQL, how transactions begin, and what its errors mean here."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

from asyncpg.exceptions import InterfaceError, PostgresError
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from services.runtime.errors import Unavailable
from services.scoring import metrics
from services.scoring.ports import Refused

LOCK_SECONDS: Final = 10.0
"""How long one transaction waits for another before it gives up, to be tried again."""


_DATA_CLASSES: Final = ("22", "23")
"""PostgreSQL's classes of errors that lie in the values: data exceptions and integrity violations."""


class Database:
    """Connections to the one database. Every error leaves as :class:`Unavailable` or :class:`Refused`."""

    def __init__(self, url: str, lock_seconds: float = LOCK_SECONDS) -> None:
        self.engine = _sqlite(url, lock_seconds) if url.startswith("sqlite") else _postgres(url, lock_seconds)
        self.sqlite: Final = self.engine.dialect.name == "sqlite"

    async def close(self) -> None:
        """Closes all connections."""
        await self.engine.dispose()

    @asynccontextmanager
    async def write(self, operation: str) -> AsyncIterator[AsyncConnection]:
        """A transaction that writes: committed at the end, rolled back on an exception.

        SQLite takes its one write lock at the beginning (BEGIN IMMEDIATE): a lock asked for midway can't be waited for.
        """
        with _measured(operation), _translated():
            async with self.engine.execution_options(immediate=True).begin() as connection:
                yield connection

    @asynccontextmanager
    async def read(self, operation: str) -> AsyncIterator[AsyncConnection]:
        """A transaction that sees one state throughout and writes nothing."""
        level: dict[str, Any] = {} if self.sqlite else {"isolation_level": "REPEATABLE READ"}
        with _measured(operation), _translated():
            async with self.engine.execution_options(**level).begin() as connection:
                yield connection

    async def prepare(self) -> None:
        """Sets what the database itself remembers. Raises :class:`Unavailable`.

        That is SQLite's write-ahead log, with which readers and the writer don't wait for each other.
        """
        if not self.sqlite:
            return
        with _measured("migrate"), _translated():
            deadline = time.monotonic() + LOCK_SECONDS
            while True:
                try:
                    # Outside of a transaction, or it is refused.
                    async with self.engine.connect() as connection:
                        raw: Any = (await connection.get_raw_connection()).driver_connection
                        await (await raw.execute("PRAGMA journal_mode = WAL")).close()
                    return
                except sqlite3.OperationalError as error:
                    # Another process may be opening the file; this one pragma doesn't heed the busy time-out.
                    if "locked" not in str(error) or time.monotonic() > deadline:
                        raise
                    await asyncio.sleep(0.02)

    async def ping(self) -> None:
        """Returns if the database answers. Raises :class:`Unavailable`."""
        async with self.read("ping") as connection:
            await connection.execute(text("SELECT 1"))


def _sqlite(url: str, lock_seconds: float) -> AsyncEngine:
    engine = create_async_engine(url, connect_args={"timeout": lock_seconds})

    @event.listens_for(engine.sync_engine, "connect")
    def _connected(connection: Any, _record: ConnectionPoolEntry) -> None:
        # Transactions are begun below, not by the driver, which would never begin one before a SELECT or DDL.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {int(lock_seconds * 1000)}")
        cursor.execute("PRAGMA foreign_keys = ON")
        # What was acknowledged to Redis must survive the loss of power: under WAL, NORMAL would not do.
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _begun(connection: Connection) -> None:
        immediate = connection.get_execution_options().get("immediate", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine


def _postgres(url: str, lock_seconds: float) -> AsyncEngine:
    settings = {"lock_timeout": f"{int(lock_seconds * 1000)}", "application_name": "pandemonium-scoring"}
    return create_async_engine(
        url,
        pool_size=5,
        max_overflow=5,
        pool_timeout=lock_seconds,
        pool_pre_ping=True,
        connect_args={"timeout": 5, "command_timeout": 2 * lock_seconds, "server_settings": settings},
    )


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        if isinstance(error, DataError | IntegrityError) or _sqlstate(error)[:2] in _DATA_CLASSES:
            raise Refused(str(error.orig)) from error
        raise Unavailable("DATABASE_UNAVAILABLE", "the database does not answer") from error
    # Connecting reports the driver's and the system's own errors, unwrapped.
    except (SQLAlchemyError, sqlite3.Error, PostgresError, InterfaceError, OSError) as error:
        raise Unavailable("DATABASE_UNAVAILABLE", "the database does not answer") from error


def _sqlstate(error: DBAPIError) -> str:
    return getattr(error.orig, "sqlstate", None) or ""


@contextmanager
def _measured(operation: str) -> Iterator[None]:
    with metrics.DATABASE_SECONDS.labels(operation).time():
        yield
