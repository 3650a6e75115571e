"""A player of this process: plays a seat through the SDK, and remembers every answer that it got."""

from __future__ import annotations

import asyncio
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
OVER: Final = (TableState.ENDED, TableState.CLOSED)


class Answer(NamedTuple):
    """What the edge said to one command of a seat."""

    seat: int
    verdict: Verdict


class Player:
    """Joins a table and plays greedily until its match is over."""

    def __init__(self, client: Client, seed: int, pause_s: float = 0.0) -> None:
        self.client = client
        self.answers: list[Answer] = []
        self.set_back = 0
        """How many of its commands became void because history was lost."""
        self._random = Random(seed)
        self._pause_s = pause_s

    async def play(self, table: str, invite: str | None = None) -> Table:
        """Takes a seat and plays to the end of the match; the table as it was then."""
        await self.client.join(table, invite or "")
        async with self.client.table(table) as session:
            while True:
                await session.until(lambda: self._over(session) or self._asked(session) or self._may_move(session))
                if self._over(session):
                    assert session.table is not None
                    return session.table
                if self._asked(session):
                    await session.ready(f"{self._random.getrandbits(64):x}")
                    await session.until(lambda: self._over(session) or not self._asked(session))
                else:
                    await self._move(session)

    def _over(self, session: TableSession) -> bool:
        return session.table is not None and session.table.state in OVER

    def _asked(self, session: TableSession) -> bool:
        """Whether the next hand waits for this player."""
        table, seat = session.table, session.seat
        if table is None or seat is None or table.state not in (TableState.OPEN, TableState.BETWEEN):
            return False
        return bool(table.commitment) and not table.seats[seat].ready

    def _may_move(self, session: TableSession) -> bool:
        view = session.view
        return view is not None and view.phase is Phase.PLAYING and self._moves(session) != []

    def _moves(self, session: TableSession) -> list[Action]:
        if session.view is None or session.seat is None or session.seat >= len(session.view.seats):
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
            self.set_back += 1
        else:
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
