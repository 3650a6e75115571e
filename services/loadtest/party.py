"""One table of the load: its seats, from the moment they attach until its last hand is counted and fetched."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from services.client import Client
from services.client.errors import ClientError, NotFound
from services.client.models import Match
from services.loadtest.desk import Desk
from services.loadtest.patience import patiently
from services.loadtest.place import Departures, Place
from services.loadtest.scenario import Scenario
from services.loadtest.seat import Seat
from services.loadtest.seating import Company
from services.loadtest.shared_history import Book
from services.rules.hand import Phase

_LOOK_EVERY_S: Final = 0.25
_COUNTED_WITHIN_S: Final = 60.0
"""Also as long as a platform may need until it is well again, whose engines were killed until a moment ago."""


class _NotCounted(ClientError):
    """The match is known, its last hand is not."""


_NOT_YET: Final = (NotFound, _NotCounted)


class Party:
    """The players of one table."""

    def __init__(
        self,
        company: Company,
        urls: tuple[str, ...],
        scenario: Scenario,
        desk: Desk,
        gate: Callable[[], bool],
        *,
        hot: bool = False,
    ) -> None:
        """``scenario``: as this table plays it. ``hot``: its latencies are kept apart."""
        self.table = company.table
        self.scenario = scenario
        self._desk = desk
        self._quick_play = scenario.quick_play
        self._players: list[Client] = [player.client for player in company.players]
        self._host = self._players[0]
        self._rematch: asyncio.Task[None] | None = None
        book, departures = Book(), Departures()
        self.seats = [
            Seat(
                Place(company.table, urls, book, departures, player.token, player.player, player.seat, hot),
                desk,
                scenario.network,
                scenario.contention,
                gate,
            )
            for player in company.players
        ]

    async def attach(self) -> None:
        """Connects every seat. Raises what kept one out."""
        for seat in self.seats:
            seat.start()
        for seat in self.seats:
            await seat.welcomed
            if seat.ended is not None:
                raise seat.ended

    @property
    def playing(self) -> bool:
        """Whether every seat sees a hand that runs."""
        return all(seat.protocol.view.phase is Phase.PLAYING for seat in self.seats)

    def look_ready(self) -> None:
        """All seats that may be ready are."""
        for seat in self.seats:
            seat.look_ready()
        if self._rematch is None and self.seats[0].match_over:
            self._rematch = asyncio.create_task(self._again(), name="rematch")

    async def end_hand(self, within_s: float) -> None:
        """Has the seats agree to end the running hand, so that it is counted."""
        deadline = asyncio.get_running_loop().time() + within_s
        while sum(seat.vote_to_end() for seat in self.seats):
            if asyncio.get_running_loop().time() > deadline:
                self._desk.wrong("hand", f"table {self.table}: its hand did not end within {within_s:.0f} s")
                return
            await asyncio.sleep(_LOOK_EVERY_S)

    async def keep_logs(self, folder: Path) -> int:
        """Writes what the platform keeps of this table's matches and hands; how many hands.

        A hand that ended is waited for until it is counted.
        """
        kept = 0
        for match, last in self._matches().items():
            try:
                kept += await self._keep_match(match, last, folder)
            except ClientError as error:
                self._desk.wrong("count", f"match {match}, hand {last}: {error}")
        return kept

    async def _keep_match(self, match: str, last: int, folder: Path) -> int:
        told = await patiently(partial(self._counted, match, last), _COUNTED_WITHIN_S, _NOT_YET)
        # The edge tells the table to its players only, and whoever asks here may be a host that watches.
        sheet = msgspec.structs.replace(told, table=self.table)
        (folder / "matches" / f"{match}.json").write_bytes(msgspec.json.encode(sheet))
        for hand in told.hands:
            log = await patiently(partial(self._host.hand_log, match, hand.hand), _COUNTED_WITHIN_S, _NOT_YET)
            events = b",".join(log)
            (folder / "logs" / f"{match}-{hand.hand}.json").write_bytes(b'{"events":[%b]}' % events)
        return len(told.hands)

    async def _counted(self, match: str, last: int) -> Match:
        """The match with its hand ``last``. Raises :class:`_NotCounted`."""
        told = await self._host.match(match)
        if all(hand.hand < last for hand in told.hands):
            raise _NotCounted("it was not counted")
        return told

    async def leave(self) -> None:
        """Closes the table, whose players go; one of quick play has no host, so they go one by one."""
        if self._rematch is not None:
            self._rematch.cancel()
        try:
            if self._quick_play:
                for client in self._players:
                    await patiently(partial(client.leave, self.table))
            else:
                await patiently(partial(self._host.close_table, self.table))
        except ClientError as error:
            self._desk.tell(f"table {self.table} could not be closed: {error}")
        for seat in self.seats:
            await seat.leave()

    def _matches(self) -> dict[str, int]:
        """The last ended hand of each match that the table has had."""
        ended: dict[str, int] = {}
        for seat in self.seats:
            for match, hand in seat.hands_ended.items():
                ended[match] = max(hand, ended.get(match, 0))
        return ended

    async def _again(self) -> None:
        try:
            await self._host.rematch(self.table)
        except ClientError as error:
            self._desk.tell(f"table {self.table}: no other match: {error}")
        finally:
            self._rematch = None
