"""Deleting a player: nothing but the random id itself is kept, so that nothing can come back under it.

The id is entered in ``forgotten`` first; from then on whatever is counted leaves the player out (:func:`leave_out`).
What was counted before is gone through in batches, each one transaction, as long as anything is left; whoever comes
next goes on where another one stopped. Results, seats and points stay: they are the other players' too.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Any, Final

from sqlalchemy import Table, delete, false, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from services.rules.events import BadEvent
from services.runtime.errors import InvalidArgument
from services.runtime.log import logger
from services.scoring import metrics
from services.scoring.anonymous import NAMELESS, NOBODY, without
from services.scoring.database import Database
from services.scoring.packing import pack, unpack
from services.scoring.schema import (
    aces_up_games,
    aces_up_logs,
    forgotten,
    hand_logs,
    hand_scores,
    match_players,
    match_seats,
    players,
)

BATCH: Final = 20
"""Matches, and games of Aces Up, gone through in one transaction."""
PATIENCE_SECONDS: Final = 1.5
"""How long one who asks is kept waiting; what is left by then is done by :meth:`Forgetting.go_on`."""
_LONGEST: Final = 128
_ADVISORY_LOCK: Final = 7020_0002
"""Shared by who counts, exclusive to who deletes: what was counted by then is seen, the rest sees ``forgotten``."""

_log = logger(__name__)


class Forgetting:
    """The writer of ``forgotten``. Every method raises :class:`~services.runtime.errors.Unavailable`."""

    def __init__(self, database: Database, batch: int = BATCH) -> None:
        self._database = database
        self._batch = batch
        self._insert = sqlite.insert if database.sqlite else postgresql.insert

    async def forget(self, player: str, patience_seconds: float = PATIENCE_SECONDS) -> bool:
        """Deletes a player, known or not; True if nothing is left to do. Raises ``BAD_PLAYER``."""
        if not 0 < len(player) <= _LONGEST or not player.isprintable():
            raise InvalidArgument("BAD_PLAYER", "not the id of a player")
        async with self._database.write("forget") as connection:
            if not self._database.sqlite:
                await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK})
            again = self._insert(forgotten).values(player=player, at_ms=time.time_ns() // 1_000_000, done=False)
            await connection.execute(again.on_conflict_do_update(index_elements=["player"], set_={"done": False}))
            await connection.execute(delete(players).where(players.c.player == player))
        metrics.FORGOTTEN.inc()
        _log.info("player deleted", player=player)
        patient_until = time.monotonic() + patience_seconds
        while not await self._erase(player):
            if time.monotonic() > patient_until:
                return False
        return True

    async def go_on(self) -> int:
        """Goes through one batch of each player who is not erased everywhere; how many those were, a batch at most."""
        async with self._database.read("forget") as connection:
            unfinished = select(forgotten.c.player).where(forgotten.c.done == false()).limit(self._batch)
            left = (await connection.execute(unfinished)).scalars().all()
        for player in left:
            await self._erase(player)
        return len(left)

    async def _erase(self, player: str) -> bool:
        """One batch; True if there was none any more."""
        async with self._database.write("forget") as connection:
            in_matches = select(match_players.c.match_id).where(match_players.c.player == player).limit(self._batch)
            matches = (await connection.execute(in_matches)).scalars().all()
            alone = select(aces_up_games.c.match_id).where(aces_up_games.c.player == player).limit(self._batch)
            games = (await connection.execute(alone)).scalars().all()
            if not matches and not games:
                await connection.execute(update(forgotten).where(forgotten.c.player == player).values(done=True))
                return True
            await _erase_in(connection, player, matches, games)
            return False


async def hold_off(connection: AsyncConnection) -> None:
    """Keeps deletions from beginning until this transaction, which counts something, ends."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock_shared(:key)"), {"key": _ADVISORY_LOCK})


async def leave_out(connection: AsyncConnection, people: Collection[str], match: str) -> None:
    """The last step of counting a hand or game: takes out again whoever of these people was deleted."""
    query = select(forgotten.c.player).where(forgotten.c.player.in_(people)).order_by(forgotten.c.player)
    for player in (await connection.execute(query)).scalars().all():
        await connection.execute(delete(players).where(players.c.player == player))
        await _erase_in(connection, player, [match], [match])


async def _erase_in(connection: AsyncConnection, player: str, matches: Sequence[str], games: Sequence[str]) -> None:
    nobody = {"player": NOBODY, "name": NAMELESS}
    for table in (match_seats, hand_scores):
        here = table.c.match_id.in_(matches), table.c.player == player
        await connection.execute(update(table).where(*here).values(nobody))
    await _rewrite(connection, hand_logs, player, matches)
    here = match_players.c.match_id.in_(matches), match_players.c.player == player
    await connection.execute(delete(match_players).where(*here))
    await _rewrite(connection, aces_up_logs, player, games)
    here = aces_up_games.c.match_id.in_(games), aces_up_games.c.player == player
    await connection.execute(update(aces_up_games).where(*here).values(player=NOBODY))


async def _rewrite(connection: AsyncConnection, logs: Table, player: str, matches: Sequence[str]) -> None:
    """The logs of these matches without the player; one that can't be read is removed, and said to be."""
    for row in (await connection.execute(select(logs).where(logs.c.match_id.in_(matches)))).all():
        this: Any = (logs.c.match_id == row.match_id, logs.c.hand == row.hand)
        log = unpack(row.events)
        try:
            blank = without(log, player)
        except BadEvent as bad:
            _log.warning("log removed with its player", match=row.match_id, hand=row.hand, why=str(bad))
            await connection.execute(delete(logs).where(*this))
            continue
        if blank != log:
            await connection.execute(update(logs).where(*this).values(events=pack(blank)))
