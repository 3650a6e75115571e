"""Taking back the last hand of a match, which all who played it want to be dealt again (the option ``dispute``).

Like counting it is one transaction with the match's row locked, and done twice it is done once: a hand that is void
for this reason already stays as it is. That all agree is the lobby's to know.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Row, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.rules.events import EndWhy
from services.runtime.errors import FailedPrecondition, NotFound
from services.runtime.log import logger
from services.scoring import archive, metrics
from services.scoring.archive import possible
from services.scoring.database import Database
from services.scoring.records import HandSheet
from services.scoring.result import Result
from services.scoring.schema import hand_scores, hands, match_seats, matches
from services.scoring.statistics import add_match, people_of, take_back_hand

DISPUTED: Final = EndWhy.DISPUTED.value

_log = logger(__name__)


class Disputes:
    """The writer of hands that count no more."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def void(self, match: str, hand: int) -> Result:
        """Has the hand count no more; what the match is without it.

        Raises ``UNKNOWN_HAND``, ``NOT_LAST_HAND`` unless it is the last one that counts, or
        :class:`~services.runtime.errors.Unavailable`; nothing has changed then.
        """
        if not possible(match):
            raise _unknown()
        async with self._database.write("void") as connection:
            row = (
                await connection.execute(select(matches).where(matches.c.id == match).with_for_update())
            ).one_or_none()
            sheets = await archive.sheets(connection, match)
            sheet = next((sheet for sheet in sheets if sheet.hand == hand), None)
            if row is None or sheet is None:
                raise _unknown()
            fresh = sheet.why != DISPUTED
            if fresh:
                counted = [sheet for sheet in sheets if sheet.counts]
                if not counted or counted[-1].hand != hand:
                    raise FailedPrecondition("NOT_LAST_HAND", "only the last hand that counts can be taken back")
                await _take_back(connection, row, counted)
            result = await archive.result(connection, match)
        if fresh:
            metrics.VOIDED.inc()
            _log.info("hand disputed", match=match, hand=hand, totals=result.totals)
        return result


async def _take_back(connection: AsyncConnection, match: Row[tuple[object, ...]], counted: list[HandSheet]) -> None:
    """The last of the counted hands counts no more. If it had ended the match, that runs again."""
    last = counted[-1]
    if match.over:
        seats = select(match_seats.c.seat).where(match_seats.c.match_id == match.id, match_seats.c.winner)
        winners = (await connection.execute(seats)).scalars().all()
        await add_match(connection, counted, winners, times=-1)
        await connection.execute(update(matches).where(matches.c.id == match.id).values(over=False, ended_ms=None))
        await connection.execute(update(match_seats).where(match_seats.c.match_id == match.id).values(winner=False))
    await take_back_hand(connection, people_of(last))
    of_hand = (hands.c.match_id == match.id, hands.c.hand == last.hand)
    await connection.execute(update(hands).where(*of_hand).values(why=DISPUTED, counts=False))
    of_scores = (hand_scores.c.match_id == match.id, hand_scores.c.hand == last.hand)
    await connection.execute(update(hand_scores).where(*of_scores).values(points=0))


def _unknown() -> NotFound:
    return NotFound("UNKNOWN_HAND", "no such hand, or it is not counted yet")
