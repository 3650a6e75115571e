"""Stand-ins for the ports of ``services.scoring.counting``, in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from services.runtime.errors import Unavailable
from services.scoring.aces_up.records import Game
from services.scoring.finished import Finished
from services.scoring.letters import Letter
from services.scoring.ports import Counted, Delivery, Entry, Known, Refused, Sheet
from services.scoring.records import HandSheet
from services.scoring.result import Result, result_after


@dataclass
class MemoryInbox:
    """Delivers what isn't settled again and again. ``failing`` names the steps that fail, once for each time named."""

    logs: dict[str, list[bytes]] = field(default_factory=dict)
    waiting: list[Delivery] = field(default_factory=list)
    scored: list[tuple[Finished, Result]] = field(default_factory=list)
    failing: list[str] = field(default_factory=list)
    elsewhere: list[Finished] = field(default_factory=list)
    """Unsettled entries that another scorer has."""
    table_seats: int = 3

    def deliver(self, finished: Finished, log: Sequence[bytes] = ()) -> Delivery:
        self.logs[f"{finished.table}:{finished.first}"] = list(log)
        fields = (("match", finished.match), ("hand", str(finished.hand)))
        delivery = Delivery(Entry(0, f"1700000000000-{len(self.waiting)}", fields), finished)
        self.waiting.append(delivery)
        return delivery

    async def take(self) -> Sequence[Delivery]:
        await asyncio.sleep(0)
        self._fail("take")
        return list(self.waiting)

    async def log(self, finished: Finished) -> list[bytes]:
        self._fail("log")
        return self.logs[f"{finished.table}:{finished.first}"]

    async def seats(self, finished: Finished) -> int:
        return self.table_seats

    async def earlier(self, entry: Entry, finished: Finished) -> bool:
        return any(other.match == finished.match and other.hand < finished.hand for other in self.elsewhere)

    async def settle(self, entry: Entry, finished: Finished, result: Result) -> None:
        self._fail("publish")
        self.scored.append((finished, result))
        self._fail("acknowledge")
        self.waiting = [delivery for delivery in self.waiting if delivery.entry != entry]

    async def discard(self, entry: Entry) -> None:
        self.waiting = [delivery for delivery in self.waiting if delivery.entry != entry]

    def _fail(self, step: str) -> None:
        if step in self.failing:
            self.failing.remove(step)
            raise Unavailable("REDIS_UNAVAILABLE", step)


@dataclass
class MemoryBooks:
    """Counts in dictionaries. Fails as often as ``failing`` says; refuses what has a name or player in ``refused``."""

    sheets: dict[tuple[str, int], HandSheet] = field(default_factory=dict)
    games: dict[tuple[str, int], Game] = field(default_factory=dict)
    ranges: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)
    letters: list[Letter] = field(default_factory=list)
    failing: int = 0
    refused: frozenset[str] = frozenset()
    refuses_all: bool = False

    async def known(self, finished: Finished) -> Known:
        key = (finished.match, finished.hand)
        follows = finished.hand == 1 or (finished.match, finished.hand - 1) in self.sheets
        if key not in self.sheets and key not in self.games:
            return Known(None, same=True, follows=follows)
        return Known(self._result(finished), self.ranges[key] == (finished.first, finished.last), follows)

    async def count(
        self, entry: Entry, finished: Finished, sheet: Sheet, log: Sequence[bytes], letter: Letter | None = None
    ) -> Counted:
        if self.failing:
            self.failing -= 1
            raise Unavailable("DATABASE_UNAVAILABLE", "broken")
        names = {sheet.player} if isinstance(sheet, Game) else {seat.name for seat in sheet.seats}
        if self.refuses_all or self.refused & names:
            raise Refused("not in my books")
        key = (finished.match, finished.hand)
        fresh = key not in self.ranges
        if fresh:
            self.ranges[key] = (finished.first, finished.last)
            if isinstance(sheet, Game):
                self.games[key] = sheet
            else:
                self.sheets[key] = sheet
            self.letters += [letter] if letter else []
        return Counted(self._result(finished), fresh, letter)

    async def bury(self, entry: Entry, letter: Letter) -> None:
        self.letters.append(letter)

    def _result(self, finished: Finished) -> Result:
        if (game := self.games.get((finished.match, finished.hand))) is not None:
            return game.result
        hands = [sheet for (match, hand), sheet in sorted(self.sheets.items()) if match == finished.match]
        hands = [sheet for sheet in hands if sheet.hand <= finished.hand]
        return result_after(hands, max(len(sheet.seats) for sheet in hands), hands[0].options_json)
