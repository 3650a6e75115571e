"""Matches, hands, scores, logs, players, dead letters."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes all tables and their indexes."""
    op.create_table(
        "matches",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("options_json", sa.Text, nullable=False),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("ended_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
    )
    op.create_index("ix_matches_newest", "matches", ["started_ms", "id"])
    op.create_table(
        "match_seats",
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        *_who(),
        sa.Column("winner", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_match_seats"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_match_seats_matches"),
    )
    op.create_table(
        "match_players",
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
        sa.Column("match_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("player", "started_ms", "match_id", name="pk_match_players"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_match_players_matches"),
    )
    op.create_table(
        "hands",
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("hand", sa.Integer, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("counts", sa.Boolean, nullable=False),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.Column("first_seq", sa.BigInteger, nullable=False),
        sa.Column("last_seq", sa.BigInteger, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "hand", name="pk_hands"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_hands_matches"),
    )
    op.create_table(
        "hand_scores",
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("hand", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        *_who(),
        sa.Column("called", sa.Boolean, nullable=False),
        sa.Column("foundation", sa.Integer, nullable=False),
        sa.Column("demon", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("told_foundation", sa.Integer),
        sa.Column("told_demon", sa.Integer),
        sa.Column("told_points", sa.Integer),
        sa.PrimaryKeyConstraint("match_id", "hand", "seat", name="pk_hand_scores"),
        sa.ForeignKeyConstraint(["match_id", "hand"], ["hands.match_id", "hands.hand"], name="fk_hand_scores_hands"),
    )
    op.create_table(
        "hand_logs",
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("hand", sa.Integer, nullable=False),
        sa.Column("events", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "hand", name="pk_hand_logs"),
        sa.ForeignKeyConstraint(["match_id", "hand"], ["hands.match_id", "hands.hand"], name="fk_hand_logs_hands"),
    )
    op.create_table(
        "players",
        *_who(),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("hands", sa.Integer, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("average", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_players"),
    )
    op.create_index("ix_players_leaders", "players", ["bot", sa.text("won DESC"), sa.text("average DESC"), "player"])
    op.create_table(
        "dead_letters",
        sa.Column("shard", sa.Integer, nullable=False),
        sa.Column("entry_id", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("fields_json", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("shard", "entry_id", name="pk_dead_letters"),
    )


def downgrade() -> None:
    """Removes everything."""
    for table in (
        "dead_letters",
        "players",
        "hand_logs",
        "hand_scores",
        "hands",
        "match_players",
        "match_seats",
        "matches",
    ):
        op.drop_table(table)


def _who() -> tuple[sa.Column[str], sa.Column[str], sa.Column[bool]]:
    """The player, the name shown, and whether a bot."""
    return (
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("bot", sa.Boolean, nullable=False),
    )
