"""The tables, as SQLAlchemy Core sees them. What creates and changes them is in ``migrations``."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

matches = Table(
    "matches",
    metadata,
    Column("id", Text, primary_key=True),
    Column("table_id", Text, nullable=False),
    # "" until a hand was dealt.
    Column("options_json", Text, nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("ended_ms", BigInteger),
)
Index("ix_matches_newest", matches.c.started_ms, matches.c.id)

match_seats = Table(
    "match_seats",
    metadata,
    Column("match_id", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    # Who sat there in the latest hand; a bot may have taken over since the first.
    Column("player", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("bot", Boolean, nullable=False),
    Column("winner", Boolean, nullable=False),
    ForeignKeyConstraint(["match_id"], ["matches.id"]),
)

match_players = Table(
    "match_players",
    metadata,
    # Everyone who sat in any hand of the match; the order of the key is that of a player's history.
    Column("player", Text, primary_key=True),
    Column("started_ms", BigInteger, primary_key=True),
    Column("match_id", Text, primary_key=True),
    ForeignKeyConstraint(["match_id"], ["matches.id"]),
)

hands = Table(
    "hands",
    metadata,
    Column("match_id", Text, primary_key=True),
    Column("hand", Integer, primary_key=True),
    Column("why", Text, nullable=False),
    Column("counts", Boolean, nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),
    Column("first_seq", BigInteger, nullable=False),
    Column("last_seq", BigInteger, nullable=False),
    Column("digest", Text, nullable=False),
    ForeignKeyConstraint(["match_id"], ["matches.id"]),
)

Index("ix_hands_ended_ms", hands.c.ended_ms)

hand_scores = Table(
    "hand_scores",
    metadata,
    Column("match_id", Text, primary_key=True),
    Column("hand", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("bot", Boolean, nullable=False),
    Column("called", Boolean, nullable=False),
    Column("foundation", Integer, nullable=False),
    Column("demon", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    # What the end event said, where the recount came to something else.
    Column("told_foundation", Integer),
    Column("told_demon", Integer),
    Column("told_points", Integer),
    ForeignKeyConstraint(["match_id", "hand"], ["hands.match_id", "hands.hand"]),
)

hand_logs = Table(
    "hand_logs",
    metadata,
    Column("match_id", Text, primary_key=True),
    Column("hand", Integer, primary_key=True),
    # The events, packed by ``packing``.
    Column("events", LargeBinary, nullable=False),
    ForeignKeyConstraint(["match_id", "hand"], ["hands.match_id", "hands.hand"]),
)

players = Table(
    "players",
    metadata,
    # The leaderboard's figures: counted hands and points, and finished matches.
    Column("player", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("bot", Boolean, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("hands", Integer, nullable=False),
    Column("points", BigInteger, nullable=False),
    Column("average", Float(53), nullable=False),
)
Index("ix_players_leaders", players.c.bot, players.c.won.desc(), players.c.average.desc(), players.c.player)

aces_up_games = Table(
    "aces_up_games",
    metadata,
    # The match is the game; its player is "" and its number 0 where a damaged log doesn't tell them.
    Column("match_id", Text, primary_key=True),
    Column("hand", Integer, primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("player", Text, nullable=False),
    # Of the deal: up to 2**31.
    Column("number", BigInteger, nullable=False),
    Column("practice", Boolean, nullable=False),
    Column("auto_remove", Boolean, nullable=False),
    Column("why", Text, nullable=False),
    # Neither void nor untouched.
    Column("played", Boolean, nullable=False),
    Column("removed", Integer, nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),
    Column("first_seq", BigInteger, nullable=False),
    Column("last_seq", BigInteger, nullable=False),
    Column("digest", Text, nullable=False),
)
Index("ix_aces_up_games_history", aces_up_games.c.player, aces_up_games.c.started_ms, aces_up_games.c.match_id)
Index("ix_aces_up_games_deals", aces_up_games.c.player, aces_up_games.c.number, aces_up_games.c.started_ms)

Index("ix_aces_up_games_ended_ms", aces_up_games.c.ended_ms)

aces_up_logs = Table(
    "aces_up_logs",
    metadata,
    Column("match_id", Text, primary_key=True),
    Column("hand", Integer, primary_key=True),
    # The events, packed as those of hands.
    Column("events", LargeBinary, nullable=False),
    ForeignKeyConstraint(["match_id", "hand"], ["aces_up_games.match_id", "aces_up_games.hand"]),
)

forgotten = Table(
    "forgotten",
    metadata,
    # Players who were deleted: nothing is ever counted under these ids. done: none is left in the tables above.
    Column("player", Text, primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("done", Boolean, nullable=False),
)
Index("ix_forgotten_done", forgotten.c.done)

dead_letters = Table(
    "dead_letters",
    metadata,
    # One entry of a finished stream that could not be counted as it should; its log is in hand_logs, if it has one.
    Column("shard", Integer, primary_key=True),
    Column("entry_id", Text, primary_key=True),
    Column("reason", Text, nullable=False),
    Column("detail", Text, nullable=False),
    Column("fields_json", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)
