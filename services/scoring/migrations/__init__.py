"""The schema's history, and how a starting scorer brings the database up to its head."""

from __future__ import annotations

from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text

from services.runtime.versions import UnknownVersion
from services.scoring.database import Database

_ADVISORY_LOCK: Final = 7020_0001
"""The PostgreSQL advisory lock of whoever migrates; any number that nothing else in the database uses."""


async def migrate(database: Database) -> None:
    """Brings the schema up to the newest version; does nothing if it is there already.

    Safe when several scorers start at once: all of it is one transaction, under an advisory lock in PostgreSQL and the
    one write lock in SQLite. Raises :class:`~services.runtime.errors.Unavailable` if the lock is not to be had.
    """
    await database.prepare()
    async with database.write("migrate") as connection:
        if not database.sqlite:
            await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK})
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", "services.scoring:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        # Whether a newer release has been here; everything else is a mistake of ours.
        found = MigrationContext.configure(connection).get_current_heads()
        known = {revision.revision for revision in ScriptDirectory.from_config(config).walk_revisions()}
        if newer := set(found) - known:
            raise UnknownVersion("the database", ", ".join(sorted(newer))) from error
        raise
