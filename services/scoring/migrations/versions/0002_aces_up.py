"""Games of Aces Up and their logs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes both tables and their indexes."""
    op.create_table(
        "aces_up_games",
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("hand", sa.Integer, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("practice", sa.Boolean, nullable=False),
        sa.Column("auto_remove", sa.Boolean, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("played", sa.Boolean, nullable=False),
        sa.Column("removed", sa.Integer, nullable=False),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.Column("first_seq", sa.BigInteger, nullable=False),
        sa.Column("last_seq", sa.BigInteger, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "hand", name="pk_aces_up_games"),
    )
    op.create_index("ix_aces_up_games_history", "aces_up_games", ["player", "started_ms", "match_id"])
    op.create_index("ix_aces_up_games_deals", "aces_up_games", ["player", "number", "started_ms"])
    op.create_table(
        "aces_up_logs",
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("hand", sa.Integer, nullable=False),
        sa.Column("events", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "hand", name="pk_aces_up_logs"),
        sa.ForeignKeyConstraint(
            ["match_id", "hand"],
            ["aces_up_games.match_id", "aces_up_games.hand"],
            name="fk_aces_up_logs_aces_up_games",
        ),
    )


def downgrade() -> None:
    """Removes both tables."""
    op.drop_table("aces_up_logs")
    op.drop_table("aces_up_games")
