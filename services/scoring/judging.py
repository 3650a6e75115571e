"""What to make of a finished hand's log: a sheet, or a game of Aces Up, and what is wrong about it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from services.scoring.aces_up import game_log
from services.scoring.finished import Finished
from services.scoring.hand_log import read, salvage
from services.scoring.letters import BadLog, Letter
from services.scoring.ports import Sheet
from services.scoring.records import HandSheet, Points, SeatSheet

Judge = Callable[[Sequence[bytes], Finished], "Judged"]
"""From a hand's log and its entry to a sheet. Takes a while: it runs on a thread."""
Recount = Callable[[Sequence[bytes]], "tuple[Points, ...] | None"]
"""A hand counted again from its log, by seat; None if it counts for nobody. Raises :class:`BadLog` if it can't be."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The sheet that counts; with ``letter`` the hand is a dead letter too."""

    sheet: Sheet
    letter: Letter | None = None

    @property
    def disagrees(self) -> bool:
        """Whether the recount came to other points than the ``end`` event."""
        return bool(self.disagreeing)

    @property
    def disagreeing(self) -> list[int]:
        """The seats for which it did."""
        sheet = self.sheet
        return [seat.seat for seat in sheet.seats if seat.told] if isinstance(sheet, HandSheet) else []


def judge_by(recount: Recount) -> Judge:
    """The judge that counts hands by ``recount``; games of Aces Up have nothing to be counted but how they ended.

    A log that isn't whole, or isn't confirmed, gives what its end tells, or a void hand if even that is not there:
    nobody at the table has to wait for what can't come.
    """

    def judge(log: Sequence[bytes], finished: Finished) -> Judged:
        if game_log.is_game(log):
            return _game(log, finished)
        try:
            sheet = read(log, finished)
            counts = recount(log)
        except BadLog as bad:
            return Judged(salvage(log, finished), bad.letter)
        if counts is None:
            return Judged(sheet)
        return Judged(replace(sheet, seats=tuple(map(_compared, sheet.seats, counts))))

    return judge


def blank(like: Sheet, finished: Finished) -> Sheet:
    """A void hand, or game, of which nothing is told but that it was."""
    if isinstance(like, HandSheet):
        return salvage((), finished, len(like.seats))
    return game_log.salvage((), finished)


def unread(log: Sequence[bytes], finished: Finished, seats: int) -> Sheet:
    """What there is to tell of a log that does not even name a seat, at a table of so many."""
    return game_log.salvage(log, finished) if seats == 1 else salvage(log, finished, seats)


def _game(log: Sequence[bytes], finished: Finished) -> Judged:
    try:
        return Judged(game_log.read(log, finished))
    except BadLog as bad:
        return Judged(game_log.salvage(log, finished), bad.letter)


def _compared(seat: SeatSheet, count: Points) -> SeatSheet:
    """The seat with the recount's points; those told are kept beside them if they differ."""
    return seat if seat.count == count else replace(seat, count=count, told=seat.count)
