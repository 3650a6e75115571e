"""The way of a finished hand: taken, read, recounted, counted, published, acknowledged. In this order, always.

A scorer may be killed between any two steps: the entry is delivered again, finds the hand counted, and only publishes
and acknowledges. This module knows neither Redis nor SQL; both begin behind the ports.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from services.runtime.errors import Unavailable
from services.runtime.log import logger
from services.scoring import metrics
from services.scoring.aces_up.records import Game
from services.scoring.finished import BadEntry, Finished
from services.scoring.judging import Judge, Judged, blank, unread
from services.scoring.letters import Letter, Reason
from services.scoring.ports import Books, Counted, Delivery, Entry, Inbox, Refused
from services.scoring.records import HandSheet
from services.scoring.result import NOTHING, Result

_log = logger(__name__)

SHORTEST_PAUSE: Final = 0.05
"""Seconds of the first pause after something needed did not answer; each further one is twice as long."""
LONGEST_PAUSE: Final = 2.0
"""Seconds of the longest pause."""


class Counter:
    """Counts finished hands, one after the other."""

    def __init__(self, inbox: Inbox, books: Books, judge: Judge) -> None:
        self._inbox = inbox
        self._books = books
        self._judge = judge

    async def run(self, stopping: asyncio.Event) -> None:
        """Counts until told to stop. What is needed and doesn't answer is waited for."""
        pause = SHORTEST_PAUSE
        while not stopping.is_set():
            try:
                if await self.round():
                    pause = SHORTEST_PAUSE
                    continue
            except Unavailable as fault:
                metrics.RETRIES.labels("database" if fault.reason == "DATABASE_UNAVAILABLE" else "redis").inc()
                _log.warning("counting pauses", reason=fault.reason, detail=fault.detail, seconds=pause)
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def round(self) -> bool:
        """Takes entries and counts them. False if one must wait for an earlier hand that another scorer has.

        Raises :class:`Unavailable`; the entry it happened to, and those after it, come again.
        """
        deliveries = await self._inbox.take()
        settled = [await self.count(delivery) for delivery in deliveries]
        return all(settled)

    async def count(self, delivery: Delivery) -> bool:
        """One entry's whole way. False if it must wait for an earlier hand of its match; nothing has happened then."""
        entry, finished = delivery.entry, delivery.finished
        if isinstance(finished, BadEntry):
            await self._discard(entry, Letter(Reason.ENTRY, str(finished)))
            return True
        known = await self._books.known(finished)
        if known.result is not None:
            self._redelivered(finished, known.same)
            await self._inbox.settle(entry, finished, known.result)
            return True
        # Hands of one match are told in order. The one before may be with another scorer; if it isn't in the stream
        # any more, and was never counted, it won't come, and this one doesn't wait.
        if not known.follows and await self._inbox.earlier(entry, finished):
            return False
        log = await self._inbox.log(finished)
        with metrics.RECOUNT_SECONDS.time():
            judged = await asyncio.to_thread(self._judge, log, finished)
        if isinstance(judged.sheet, HandSheet) and not judged.sheet.seats:
            # A result needs a total for every seat of the table, even if nothing else is left to be told.
            judged = replace(judged, sheet=unread(log, finished, await self._inbox.seats(finished)))
        await self._inbox.settle(entry, finished, await self._record(entry, finished, judged, log))
        return True

    async def _record(self, entry: Entry, finished: Finished, judged: Judged, log: Sequence[bytes]) -> Result:
        letter, sheet = judged.letter, judged.sheet
        try:
            counted = await self._books.count(entry, finished, sheet, log, letter)
        except Refused as refused:
            # Whatever it is that the database won't take, it is in the log: a void hand without it.
            letter, sheet = Letter(Reason.REFUSED, str(refused)[:500]), blank(sheet, finished)
            try:
                counted = await self._books.count(entry, finished, sheet, (), letter)
            except Refused:
                await self._books.bury(entry, letter)
                counted = Counted(sheet.result if isinstance(sheet, Game) else NOTHING, True, letter)
        if not counted.fresh:
            # Another scorer was faster.
            metrics.REDELIVERED.inc()
            return counted.result
        (metrics.GAMES if isinstance(sheet, Game) else metrics.COUNTED).labels(sheet.why).inc()
        if counted.letter is not None:
            _tell(entry, counted.letter, finished)
        if judged.disagrees:
            metrics.DISAGREEMENTS.inc()
            _log.error("the recount disagrees", **_names(finished), seats=judged.disagreeing)
        if counted.ended_match:
            metrics.MATCHES_OVER.inc()
            winners = counted.result.winners
            _log.info("match over", match=finished.match, hands=finished.hand, winners=winners)
        _log.info("hand counted", **_names(finished), why=sheet.why, points=counted.result.points)
        return counted.result

    async def _discard(self, entry: Entry, letter: Letter) -> None:
        await self._books.bury(entry, letter)
        _tell(entry, letter, None)
        await self._inbox.discard(entry)

    def _redelivered(self, finished: Finished, same: bool) -> None:
        metrics.REDELIVERED.inc()
        if same:
            _log.info("hand was counted before", **_names(finished))
            return
        metrics.CONFLICTS.inc()
        _log.error("another history of a counted hand", **_names(finished), first=finished.first, last=finished.last)


def _tell(entry: Entry, letter: Letter, finished: Finished | None) -> None:
    metrics.DEAD_LETTERS.labels(letter.reason.value).inc()
    names = _names(finished) if finished else {}
    _log.error("dead letter", entry=entry.id, shard=entry.shard, reason=letter.reason, detail=letter.detail, **names)


def _names(finished: Finished) -> dict[str, object]:
    return {"table": finished.table, "match": finished.match, "hand": finished.hand}
