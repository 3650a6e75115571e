"""What to make of a finished hand's log: a sheet, and what is wrong about it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from services.scoring.finished import Finished
from services.scoring.hand_log import read, salvage
from services.scoring.letters import BadLog, Letter
from services.scoring.records import HandSheet, Points, SeatSheet

Judge = Callable[[Sequence[bytes], Finished], "Judged"]
"""From a hand's log and its entry to a sheet. Takes a while: it runs on a thread."""
Recount = Callable[[Sequence[bytes]], "tuple[Points, ...] | None"]
"""A hand counted again from its log, by seat; None if it counts for nobody. Raises :class:`BadLog` if it can't be."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The sheet that counts; with ``letter`` the hand is a dead letter too."""

    sheet: HandSheet
    letter: Letter | None = None

    @property
    def disagrees(self) -> bool:
        """Whether the recount came to other points than the ``end`` event."""
        return any(seat.told is not None for seat in self.sheet.seats)


def judge_by(recount: Recount) -> Judge:
    """The judge that counts by ``recount``.

    A log that isn't whole, or isn't confirmed, gives the scores that its ``end`` tells, or a void hand if even that is
    not there: nobody at the table has to wait for what can't come.
    """

    def judge(log: Sequence[bytes], finished: Finished) -> Judged:
        try:
            sheet = read(log, finished)
            counts = recount(log)
        except BadLog as bad:
            return Judged(salvage(log, finished), bad.letter)
        if counts is None:
            return Judged(sheet)
        return Judged(replace(sheet, seats=tuple(map(_compared, sheet.seats, counts))))

    return judge


def _compared(seat: SeatSheet, count: Points) -> SeatSheet:
    """The seat with the recount's points; those told are kept beside them if they differ."""
    return seat if seat.count == count else replace(seat, count=count, told=seat.count)
