"""What the leaderboard adds up for each player. Always part of the transaction that counts a hand or takes it back.

Rows of players are shared by matches, so they are always locked in the order of their keys: no two transactions wait
for each other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from sqlalchemy import Float, case, cast, delete, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.scoring.records import HandSheet, SeatSheet
from services.scoring.schema import players


def people_of(sheet: HandSheet) -> list[SeatSheet]:
    """Who played the hand, each once, in the order of their ids."""
    return sorted({seat.player: seat for seat in sheet.seats if seat.player}.values(), key=lambda seat: seat.player)


async def add_hand(connection: AsyncConnection, insert: Callable[..., Any], people: Sequence[SeatSheet]) -> None:
    """Adds a counted hand to whoever played it. ``insert`` is the dialect's, ``people`` in the order of their ids."""
    one = insert(players)
    hands_now = players.c.hands + one.excluded.hands
    points_now = players.c.points + one.excluded.points
    latest = {
        "name": one.excluded.name,
        "bot": one.excluded.bot,
        "hands": hands_now,
        "points": points_now,
        "average": cast(points_now, Float(53)) / hands_now,
    }
    await connection.execute(
        one.on_conflict_do_update(index_elements=["player"], set_=latest),
        [
            {
                "player": seat.player,
                "name": seat.name,
                "bot": seat.bot,
                "matches": 0,
                "won": 0,
                "hands": 1,
                "points": seat.count.points,
                "average": float(seat.count.points),
            }
            for seat in people
        ],
    )


async def take_back_hand(connection: AsyncConnection, people: Sequence[SeatSheet]) -> None:
    """The inverse of :func:`add_hand`. Who has no hand any more is not in the statistics."""
    for seat in people:
        hands_now, points_now = players.c.hands - 1, players.c.points - seat.count.points
        average = case((hands_now > 0, cast(points_now, Float(53)) / hands_now), else_=0.0)
        await connection.execute(
            update(players)
            .where(players.c.player == seat.player)
            .values(hands=hands_now, points=points_now, average=average)
        )
    names = [seat.player for seat in people]
    await connection.execute(delete(players).where(players.c.player.in_(names), players.c.hands <= 0))


async def add_match(
    connection: AsyncConnection, counted: Sequence[HandSheet], winners: Collection[int], times: int = 1
) -> None:
    """Adds a finished match, whose counted hands these are; takes it back with ``times`` -1.

    It counts for whoever played one of them. The victory is of who held the winning seat in the last one.
    """
    played = {seat.player for sheet in counted for seat in sheet.seats} - {""}
    won = {seat.player for seat in counted[-1].seats if seat.seat in winners}
    for player in sorted(played):
        await connection.execute(
            update(players)
            .where(players.c.player == player)
            .values(matches=players.c.matches + times, won=players.c.won + times * int(player in won))
        )
