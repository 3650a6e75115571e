"""Reading the games of Aces Up that were counted: a player's games, figures and first attempts, and logs."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, exists, not_, or_, select, true

from services.scoring.aces_up.ledger import game_of
from services.scoring.aces_up.records import WON, Attempt, Kept, Statistics
from services.scoring.aces_up.statistics import statistics
from services.scoring.archive import possible
from services.scoring.database import Database
from services.scoring.packing import unpack
from services.scoring.pages import Place
from services.scoring.schema import aces_up_games as games
from services.scoring.schema import aces_up_logs as logs

_EARLIER = games.alias("earlier")
_COUNTABLE: ColumnElement[bool] = and_(games.c.played == true(), not_(games.c.practice))
_FIRST: ColumnElement[bool] = ~exists().where(
    _EARLIER.c.player == games.c.player,
    _EARLIER.c.number == games.c.number,
    _EARLIER.c.played == true(),
    not_(_EARLIER.c.practice),
    or_(
        _EARLIER.c.started_ms < games.c.started_ms,
        and_(_EARLIER.c.started_ms == games.c.started_ms, _EARLIER.c.match_id < games.c.match_id),
    ),
)
"""Whether the player has not tried the same deal before, practice aside."""


class GameArchive:
    """The reader. Every method raises :class:`~services.runtime.errors.Unavailable` if the database doesn't answer."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def games(self, player: str, after: Place | None, limit: int) -> list[Kept]:
        """At most ``limit`` games of a player, newest first, those for practice included.

        ``after`` is the place of the last game of the page before.
        """
        if not possible(player) or (after is not None and not possible(after.match)):
            return []
        counts = and_(_COUNTABLE, _FIRST).label("counts")
        query = (
            select(games, counts)
            .where(games.c.player == player, games.c.played == true())
            .order_by(games.c.started_ms.desc(), games.c.match_id.desc())
            .limit(limit)
        )
        if after is not None:
            same_time = and_(games.c.started_ms == after.started_ms, games.c.match_id < after.match)
            query = query.where(or_(games.c.started_ms < after.started_ms, same_time))
        async with self._database.read("games") as connection:
            rows = (await connection.execute(query)).all()
        return [Kept(row.match_id, row.table_id, game_of(row), row.counts) for row in rows]

    async def attempt(self, player: str, number: int) -> Kept | None:
        """The player's game of a deal that counts; None if there is none."""
        if not possible(player):
            return None
        query = select(games).where(games.c.player == player, games.c.number == number, _COUNTABLE, _FIRST).limit(1)
        async with self._database.read("games") as connection:
            row = (await connection.execute(query)).one_or_none()
        return Kept(row.match_id, row.table_id, game_of(row), counts=True) if row is not None else None

    async def statistics(self, player: str) -> Statistics:
        """A player's figures; those of whom nothing is known are 0."""
        if not possible(player):
            return Statistics()
        query = (
            select(games.c.number, games.c.why, games.c.removed)
            .where(games.c.player == player, _COUNTABLE)
            .order_by(games.c.started_ms, games.c.match_id)
        )
        async with self._database.read("statistics") as connection:
            rows = (await connection.execute(query)).all()
        return statistics(Attempt(row.number, row.why == WON, row.removed) for row in rows)

    async def log(self, match: str, hand: int) -> list[bytes] | None:
        """A game's events, as they were published; None if it was not counted; empty if its log was missing."""
        if not possible(match) or not 0 < hand < 2**31:
            return None
        query = (
            select(logs.c.events)
            .select_from(games.outerjoin(logs))
            .where(games.c.match_id == match, games.c.hand == hand)
        )
        async with self._database.read("hand") as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            return None
        return [] if row.events is None else unpack(row.events)
