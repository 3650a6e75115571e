"""Run by Alembic: the migrations go through the connection, and in the transaction, that ``migrate`` opened."""

from __future__ import annotations

from alembic import context

from services.scoring.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
