"""Reading what was counted: matches, hands, histories, the leaderboard. Writes nothing."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Row, and_, false, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from services.scoring.database import Database
from services.scoring.packing import unpack
from services.scoring.pages import Place
from services.scoring.records import HandSheet, Leader, Match, Points, SeatSheet
from services.scoring.result import Result, result_after
from services.scoring.schema import hand_logs, hand_scores, hands, match_players, match_seats, matches, players


class Archive:
    """The reader. Every method raises :class:`~services.runtime.errors.Unavailable` if the database doesn't answer."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def match(self, match: str) -> Match | None:
        """A match with the sheets of its hands, in order; None if none of its hands was counted."""
        if not possible(match):
            return None
        async with self._database.read("match") as connection:
            row = (await connection.execute(select(matches).where(matches.c.id == match))).one_or_none()
            if row is None:
                return None
            winners = await _winners(connection, [match])
            return _match(row, winners.get(match, ()), await sheets(connection, match))

    async def hand(self, match: str, hand: int) -> list[bytes] | None:
        """A hand's events, as they were published; None if it was not counted; empty if its log was missing."""
        if not possible(match) or not 0 < hand < 2**31:
            return None
        async with self._database.read("hand") as connection:
            counted = hands.outerjoin(hand_logs)
            row = (
                await connection.execute(
                    select(hand_logs.c.events)
                    .select_from(counted)
                    .where(hands.c.match_id == match, hands.c.hand == hand)
                )
            ).one_or_none()
        if row is None:
            return None
        return [] if row.events is None else unpack(row.events)

    async def matches(self, player: str, after: Place | None, limit: int) -> list[Match]:
        """At most ``limit`` matches, newest first, without hands.

        Those in which ``player`` ever sat, or all for "". ``after`` is the place of the last match of the page before.
        """
        if not possible(player) or (after is not None and not possible(after.match)):
            return []
        columns = match_players.c if player else matches.c
        started, identity = columns.started_ms, match_players.c.match_id if player else matches.c.id
        query = select(matches).order_by(started.desc(), identity.desc()).limit(limit)
        if player:
            query = query.join(match_players).where(match_players.c.player == player)
        if after is not None:
            older = and_(started == after.started_ms, identity < after.match)
            query = query.where(or_(started < after.started_ms, older))
        async with self._database.read("matches") as connection:
            rows = (await connection.execute(query)).all()
            winners = await _winners(connection, [row.id for row in rows])
        return [_match(row, winners.get(row.id, ())) for row in rows]

    async def leaders(self, limit: int) -> list[Leader]:
        """The first ``limit`` people by matches won, then by average points of a hand. Bots have no place here."""
        query = (
            select(players)
            .where(players.c.bot == false())
            .order_by(players.c.won.desc(), players.c.average.desc(), players.c.player)
            .limit(limit)
        )
        async with self._database.read("leaders") as connection:
            rows = (await connection.execute(query)).all()
        return [Leader(r.player, r.name, r.matches, r.won, r.hands, r.average) for r in rows]


async def sheets(connection: AsyncConnection, match: str, up_to: int | None = None) -> list[HandSheet]:
    """The sheets of a match's counted hands, in order; those up to a hand, if one is named."""
    counted = select(hands).where(hands.c.match_id == match).order_by(hands.c.hand)
    scores = select(hand_scores).where(hand_scores.c.match_id == match).order_by(hand_scores.c.seat)
    if up_to is not None:
        counted, scores = counted.where(hands.c.hand <= up_to), scores.where(hand_scores.c.hand <= up_to)
    seats: dict[int, list[SeatSheet]] = {}
    for row in await connection.execute(scores):
        seats.setdefault(row.hand, []).append(_seat(row))
    rows = await connection.execute(counted)
    return [
        HandSheet(
            hand=row.hand,
            why=row.why,
            seats=tuple(seats.get(row.hand, ())),
            started_ms=row.started_ms,
            ended_ms=row.ended_ms,
            digest=row.digest,
            counts=row.counts,
        )
        for row in rows
    ]


async def result(connection: AsyncConnection, match: str, up_to: int | None = None) -> Result:
    """The result of a match's last hand, or of the one that is named, as it is by now."""
    counted = await sheets(connection, match, up_to)
    seats = await connection.scalar(
        select(func.count()).select_from(match_seats).where(match_seats.c.match_id == match)
    )
    options = await connection.scalar(select(matches.c.options_json).where(matches.c.id == match))
    return result_after(counted, seats or 0, options or "")


def possible(identity: str) -> bool:
    """Whether there can be such an id at all: PostgreSQL has no texts with a NUL, and says so with an error."""
    return "\0" not in identity


async def _winners(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    query = (
        select(match_seats.c.match_id, match_seats.c.seat)
        .where(match_seats.c.match_id.in_(ids), match_seats.c.winner)
        .order_by(match_seats.c.seat)
    )
    for row in await connection.execute(query):
        found[row.match_id] = (*found.get(row.match_id, ()), row.seat)
    return found


def _match(row: Row[tuple[object, ...]], winners: tuple[int, ...], hands: Sequence[HandSheet] = ()) -> Match:
    return Match(row.id, row.table_id, row.options_json, row.started_ms, row.over, winners, tuple(hands))


def _seat(row: Row[tuple[object, ...]]) -> SeatSheet:
    told = None if row.told_points is None else Points(row.told_foundation, row.told_demon, row.told_points)
    count = Points(row.foundation, row.demon, row.points)
    return SeatSheet(row.seat, row.player, row.name, row.bot, row.called, count, told)
