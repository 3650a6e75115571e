"""Counting a game in the database, once: the key (match, hand) is what makes it so. Part of ``ledger``'s transactions.

Knows no Redis and no log format. Nothing but the game and its log is written: figures are added up when asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from services.scoring.aces_up.records import Game
from services.scoring.finished import Finished
from services.scoring.packing import pack
from services.scoring.ports import Known
from services.scoring.schema import aces_up_games, aces_up_logs


async def known(connection: AsyncConnection, finished: Finished) -> Known | None:
    """What is known of a game; None if it is not counted."""
    of_game = aces_up_games.c.match_id == finished.match, aces_up_games.c.hand == finished.hand
    row = (await connection.execute(select(aces_up_games).where(*of_game))).one_or_none()
    if row is None:
        return None
    return Known(game_of(row).result, (row.first_seq, row.last_seq) == (finished.first, finished.last), follows=True)


async def enter(
    connection: AsyncConnection, insert: Callable[..., Any], finished: Finished, game: Game, log: Sequence[bytes]
) -> bool:
    """Enters a game with its log; False if it was there. ``insert`` is the dialect's."""
    inserted = await connection.execute(
        insert(aces_up_games)
        .values(
            match_id=finished.match,
            hand=game.hand,
            table_id=finished.table,
            player=game.player,
            number=game.number,
            practice=game.practice,
            auto_remove=game.auto_remove,
            why=game.why,
            played=game.played,
            removed=game.removed,
            started_ms=game.started_ms,
            ended_ms=game.ended_ms,
            first_seq=finished.first,
            last_seq=finished.last,
            digest=game.digest,
        )
        .on_conflict_do_nothing()
        .returning(aces_up_games.c.hand)
    )
    if inserted.first() is None:
        return False
    if log:
        values = {"match_id": finished.match, "hand": game.hand, "events": pack(log)}
        await connection.execute(aces_up_logs.insert().values(values))
    return True


def game_of(row: Any) -> Game:
    """The game in a row of the table."""
    return Game(
        hand=row.hand,
        player=row.player,
        number=row.number,
        practice=row.practice,
        auto_remove=row.auto_remove,
        why=row.why,
        played=row.played,
        removed=row.removed,
        started_ms=row.started_ms,
        ended_ms=row.ended_ms,
        digest=row.digest,
    )
