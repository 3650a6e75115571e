"""What is kept only for a time: logs of hands and games, and players who have not played for long.

Everything goes in batches, each one transaction, so that counting never waits long.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from sqlalchemy import Table, delete, exists, select, true
from sqlalchemy.ext.asyncio import AsyncConnection

from services.runtime.errors import Unavailable
from services.runtime.log import logger
from services.scoring import metrics
from services.scoring.database import Database
from services.scoring.forgetting import Forgetting
from services.scoring.schema import aces_up_games, aces_up_logs, hand_logs, hands, match_players, players

BATCH: Final = 200
"""Logs removed, or players looked for, in one transaction."""
SWEEP_SECONDS: Final = 600.0
_DAY_MS: Final = 86_400_000

_log = logger(__name__)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class Retention:
    """Removes what is too old. A limit of 0 days: never."""

    def __init__(
        self,
        database: Database,
        forgetting: Forgetting,
        *,
        logs_days: float,
        players_days: float,
        now_ms: Callable[[], int] = _now_ms,
        batch: int = BATCH,
    ) -> None:
        self._database = database
        self._forgetting = forgetting
        self._logs_ms = logs_days * _DAY_MS
        self._players_ms = players_days * _DAY_MS
        self._now_ms = now_ms
        self._batch = batch

    async def run(self, stopping: asyncio.Event) -> None:
        """Sweeps every :data:`SWEEP_SECONDS` until told to stop; what failed is done by the next sweep."""
        while not stopping.is_set():
            try:
                while not stopping.is_set() and await self.step():
                    pass
            except Unavailable as fault:
                _log.warning("sweep put off", reason=fault.reason)
            try:
                await asyncio.wait_for(stopping.wait(), SWEEP_SECONDS)
            except TimeoutError:
                continue

    async def step(self) -> int:
        """One batch of each kind; how much was done. Raises :class:`~services.runtime.errors.Unavailable`."""
        done = await self._forgetting.go_on()
        if self._logs_ms:
            done += await self._expire_logs(hand_logs, hands)
            done += await self._expire_logs(aces_up_logs, aces_up_games)
        if self._players_ms:
            for player in await self._idle_players():
                await self._forgetting.forget(player)
                done += 1
        return done

    async def _expire_logs(self, logs: Table, of: Table) -> int:
        old = of.c.ended_ms < self._now_ms() - self._logs_ms
        query = select(logs.c.match_id, logs.c.hand).join(of).where(old).limit(self._batch)
        async with self._database.write("expire") as connection:
            found = (await connection.execute(query)).all()
            for match, hand in found:
                await connection.execute(delete(logs).where(logs.c.match_id == match, logs.c.hand == hand))
        metrics.LOGS_EXPIRED.inc(len(found))
        if found:
            _log.info("logs expired", logs=len(found))
        return len(found)

    async def _idle_players(self) -> Sequence[str]:
        since = self._now_ms() - self._players_ms
        async with self._database.read("expire") as connection:
            found = [*await self._idle(connection, players, since, ~players.c.bot)]
            if len(found) < self._batch:
                found += await self._idle(connection, aces_up_games, since, true())
        return list(dict.fromkeys(found))

    async def _idle(self, connection: AsyncConnection, table: Table, since: float, further: Any) -> Sequence[str]:
        """Players of that table who sat in no match and began no game since then."""
        newer = aces_up_games.alias("newer")
        player = table.c.player
        query = select(player).distinct().where(
            player != "",
            further,
            ~exists().where(match_players.c.player == player, match_players.c.started_ms >= since),
            ~exists().where(newer.c.player == player, newer.c.started_ms >= since),
        )  # fmt: skip
        return (await connection.execute(query.limit(self._batch))).scalars().all()
