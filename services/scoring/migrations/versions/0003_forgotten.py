"""Players who were deleted, and hands and games by their end, of which logs expire."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes the table and the indexes."""
    op.create_table(
        "forgotten",
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_forgotten"),
    )
    op.create_index("ix_forgotten_done", "forgotten", ["done"])
    op.create_index("ix_hands_ended_ms", "hands", ["ended_ms"])
    op.create_index("ix_aces_up_games_ended_ms", "aces_up_games", ["ended_ms"])
