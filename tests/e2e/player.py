"""A player of this process: plays a seat through the SDK, and remembers every answer that it got."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final, NamedTuple

from services.client import Client, TableSession
from services.client.errors import SetBack
from services.client.models import Table, TableState
from services.rules.hand import Phase
from services.rules.moves import Action, Call, MoveToColumn, PlayToFoundation, Recycle, Source, Turn
from services.rules.verdict import Verdict

TURNING: Final = 4
ANYTHING: Final = 0.2
"""How often a player tries any move rather than turn its stock: what is stuck only for the greedy comes loose."""
READY_AGAIN_S: Final = 5.0
OVER: Final = (TableState.ENDED, TableState.CLOSED)


class Answer(NamedTuple):
    """What the edge said to one command of a seat."""

    seat: int
    verdict: Verdict


def never() -> bool:
    """A player without this wish plays to the end of the match."""
    return False


class Player:
    """Joins a table and plays greedily until its match is over, or between two hands once it has had enough."""

    def __init__(self, client: Client, seed: int, pause_s: float = 0.0, enough: Callable[[], bool] = never) -> None:
        self.client = client
        self.answers: list[Answer] = []
        self.set_back_at: list[int] = []
        """Each time that its history went back: how many answers it had by then."""
        self.session: TableSession | None = None
        self._random = Random(seed)
        self._pause_s = pause_s
        self._enough = enough

    async def play(self, table: str, invite: str | None = None) -> Table:
        """Takes a seat and plays; the table as it was when the player left."""
        await self.client.join(table, invite or "")
        return await self.go_on(table)

    async def go_on(self, table: str) -> Table:
        """Plays the seat that it has; the table as it was when the player left."""
        async with self.client.table(table) as session:
            self.session = session
            watching = asyncio.create_task(self._watch_history(session))
            try:
                return await self._play(session)
            finally:
                watching.cancel()

    async def _play(self, session: TableSession) -> Table:
        while True:
            await session.until(lambda: self._done(session) or self._asked(session) or self._may_move(session))
            if self._done(session):
                assert session.table is not None
                return session.table
            if self._asked(session):
                await session.ready(f"{self._random.getrandbits(64):x}")
                # A lobby that many ask at once may not have answered in time: then it is told again.
                with suppress(TimeoutError):
                    async with asyncio.timeout(READY_AGAIN_S):
                        await session.until(lambda: self._done(session) or not self._asked(session))
            else:
                await self._move(session)

    async def _watch_history(self, session: TableSession) -> None:
        highest = 0
        while True:
            if session.seq < highest:
                self.set_back_at.append(len(self.answers))
            highest = session.seq
            await session.changed()

    def _done(self, session: TableSession) -> bool:
        table = session.table
        if table is None:
            return False
        return table.state in OVER or (table.state is TableState.BETWEEN and self._enough())

    def _asked(self, session: TableSession) -> bool:
        """Whether the next hand waits for this player."""
        table, seat = session.table, session.seat
        if table is None or seat is None or table.state not in (TableState.OPEN, TableState.BETWEEN):
            return False
        return bool(table.commitment) and not table.seats[seat].ready

    def _may_move(self, session: TableSession) -> bool:
        return self._moves(session) != []

    def _moves(self, session: TableSession) -> list[Action]:
        if session.view is None or session.seat is None or session.view.phase is not Phase.PLAYING:
            return []
        return session.view.legal_moves(session.seat)

    async def _move(self, session: TableSession) -> None:
        moves = self._moves(session)
        move = min(moves, key=lambda move: (_rank(move), self._random.random()))
        if _rank(move) >= TURNING and self._random.random() < ANYTHING:
            move = self._random.choice(moves)
        assert session.seat is not None
        try:
            verdict = await session.do(move)
        except SetBack:
            return
        self.answers.append(Answer(session.seat, verdict))
        await asyncio.sleep(self._random.uniform(0, 2 * self._pause_s))


def _rank(move: Action) -> int:
    match move:
        case Call():
            return 0
        case PlayToFoundation():
            return 1
        case MoveToColumn(Source.DEMON, _, _):
            return 2
        case MoveToColumn(Source.WASTE, _, _):
            return 3
        case Turn() | Recycle():
            return TURNING
        case _:
            return TURNING + 1
