"""One bot at one table, from its first hand until the table, the match or its seat is over.

It sees the table through :class:`SeatedAt`, which is a part of the SDK's session, and decides by ``judgement``. It is
ready for each next hand at once, and never moves in a countdown, since then nothing is legal.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Awaitable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from services.bots import metrics
from services.bots.judgement import Memory, Strength, think
from services.bots.pace import Pace, gap_s
from services.client.errors import (
    ConnectionProblem,
    NotTheProtocol,
    NotUnderstood,
    SessionEnded,
    SetBack,
    TableClosed,
)
from services.client.models import Table, TableState
from services.rules.hand import Phase
from services.rules.moves import Action
from services.rules.verdict import Outcome, Verdict
from services.rules.view import TableView

_LOOK_AGAIN_S: Final = 2.0
"""How long it waits for something to happen before it looks again by itself."""
_READY_AGAIN_S: Final = 3.0


class SeatedAt(Protocol):
    """What a bot needs of a table session."""

    @property
    def view(self) -> TableView:
        """What there is to see."""

    @property
    def table(self) -> Table:
        """The table as the lobby knows it."""

    @property
    def seat(self) -> int | None:
        """The bot's seat."""

    def do(self, action: Action) -> Awaitable[Verdict]:
        """Plays."""

    async def ready(self, nonce: str | None = None, *, is_ready: bool = True) -> None:
        """Is ready for the next hand."""

    async def changed(self) -> None:
        """Waits until anything has changed."""


class Parting(StrEnum):
    """Why a bot stopped playing."""

    TABLE_CLOSED = "table_closed"
    MATCH_OVER = "match_over"
    SEAT_LOST = "seat_lost"
    EDGE_LOST = "edge_lost"
    NOT_ATTACHED = "not_attached"


@dataclass(frozen=True, slots=True)
class Character:
    """How a bot plays, and how long it stays at a table whose match is over, in case of another one."""

    strength: Strength = Strength.MEDIUM
    pace: Pace = Pace.HUMAN
    patience_s: float = 30.0


class Player:
    """A bot in its seat. ``luck`` decides pauses and oversights, so that a seed gives the same bot."""

    def __init__(self, at: SeatedAt, character: Character, luck: random.Random) -> None:
        self._at = at
        self._character = character
        self._luck = luck
        self._memory = Memory()
        self._ready_for = ("", -_READY_AGAIN_S)
        self._over_since: float | None = None

    async def play(self) -> Parting:
        """Plays until there is nothing more to play for."""
        try:
            while True:
                parting = self._parting()
                if parting is not None:
                    return parting
                await self._get_ready()
                if not await self._act():
                    await self._wait()
        except TableClosed:
            return Parting.TABLE_CLOSED
        except SessionEnded:
            return Parting.SEAT_LOST
        except (ConnectionProblem, NotTheProtocol):
            return Parting.EDGE_LOST

    def _parting(self) -> Parting | None:
        table, seat = self._at.table, self._at.seat
        if table.state is TableState.CLOSED:
            return Parting.TABLE_CLOSED
        if seat is None:
            return Parting.SEAT_LOST
        if table.state is not TableState.ENDED:
            self._over_since = None
            return None
        now = asyncio.get_running_loop().time()
        if self._over_since is None:
            self._over_since = now
        return Parting.MATCH_OVER if now - self._over_since >= self._character.patience_s else None

    async def _get_ready(self) -> None:
        """Gives its nonce once the next hand's commitment is published; again if nothing came of it."""
        table, seat = self._at.table, self._at.seat
        if seat is None or not table.awaits(seat):
            return
        now = asyncio.get_running_loop().time()
        asked_for, asked_at = self._ready_for
        if asked_for != table.commitment or now - asked_at >= _READY_AGAIN_S:
            self._ready_for = table.commitment, now
            await self._at.ready(secrets.token_hex(16))

    async def _act(self) -> bool:
        """Does the next thing, after the pause of its pace; False if there was nothing to do, or nothing came of it."""
        action = self._next()
        pause = 0.0 if action is None else gap_s(self._character.pace, self._character.strength, self._luck)
        if pause:
            await asyncio.sleep(pause)
            action = self._next()  # as the table is by then
        if action is None:
            return False
        seen = self._at.view.seq
        try:
            verdict = await self._at.do(action)
        except (SetBack, NotUnderstood):
            self._memory = Memory()
            return False
        metrics.MOVES.labels(verdict.outcome.value).inc()
        if verdict.outcome is Outcome.REFUSED:
            # The view is about to tell why; the same again would be refused again.
            return self._at.view.seq != seen
        self._memory = self._intended
        return True

    def _next(self) -> Action | None:
        if self._at.seat is None or self._at.view.phase is not Phase.PLAYING or self._at.table.frozen:
            return None
        people = [seat.index for seat in self._at.table.seats if seat.player and seat.present and not seat.bot]
        thought = think(self._at.view, self._at.seat, self._character.strength, self._memory, self._luck, people)
        self._intended = thought.memory
        return thought.action

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(_LOOK_AGAIN_S):
                await self._at.changed()
        except TimeoutError:
            pass
