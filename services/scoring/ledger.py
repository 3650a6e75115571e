"""Counting a hand in the database: once per hand, all or nothing, totals from the rows of the same transaction.

The key (match, hand) is what makes it once: whatever else a hand changes, it changes only in the transaction that
inserted that row. ``disputes.py`` takes a hand back. Knows no Redis and no log format.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Row, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from services.scoring import archive
from services.scoring.aces_up import ledger as aces_up
from services.scoring.aces_up.records import Game
from services.scoring.database import Database
from services.scoring.finished import Finished
from services.scoring.forgetting import hold_off, leave_out
from services.scoring.letters import Letter, Reason
from services.scoring.packing import pack
from services.scoring.ports import Counted, Entry, Known, Sheet
from services.scoring.records import HandSheet, Points, SeatSheet
from services.scoring.result import result_after
from services.scoring.schema import (
    dead_letters,
    hand_logs,
    hand_scores,
    hands,
    match_players,
    match_seats,
    matches,
)
from services.scoring.statistics import add_hand, add_match, people_of


class Ledger:
    """The writer of matches, hands, scores and statistics."""

    def __init__(self, database: Database) -> None:
        self._database = database
        # Both dialects have the same ON CONFLICT, each in its own class.
        self._insert = sqlite.insert if database.sqlite else postgresql.insert

    async def known(self, finished: Finished) -> Known:
        """What is known of a hand before it is counted. Raises :class:`~services.runtime.errors.Unavailable`."""
        async with self._database.read("known") as connection:
            rows = await connection.execute(
                select(hands.c.hand, hands.c.first_seq, hands.c.last_seq).where(
                    hands.c.match_id == finished.match, hands.c.hand.in_((finished.hand - 1, finished.hand))
                )
            )
            found = {row.hand: (row.first_seq, row.last_seq) for row in rows}
            follows = finished.hand == 1 or finished.hand - 1 in found
            if finished.hand not in found:
                return await aces_up.known(connection, finished) or Known(None, same=True, follows=follows)
            same = found[finished.hand] == (finished.first, finished.last)
            return Known(await archive.result(connection, finished.match, finished.hand), same, follows)

    async def count(
        self, entry: Entry, finished: Finished, sheet: Sheet, log: Sequence[bytes], letter: Letter | None = None
    ) -> Counted:
        """Counts a hand or game, if that was not done before, and gives its result either way.

        With ``letter`` it is kept as a dead letter too. Raises :class:`~services.runtime.errors.Unavailable` with
        nothing changed, or :class:`~services.scoring.ports.Refused`.
        """
        sheet = replace(sheet, started_ms=sheet.started_ms or entry.at_ms, ended_ms=sheet.ended_ms or entry.at_ms)
        if isinstance(sheet, Game):
            return await self._count_game(entry, finished, sheet, log, letter)
        async with self._database.write("count") as connection:
            await hold_off(connection)
            match = await self._match(connection, finished, sheet)
            inserted = await connection.execute(
                self._insert(hands)
                .values(
                    match_id=finished.match,
                    hand=finished.hand,
                    why=sheet.why,
                    counts=sheet.counts and not match.over,
                    started_ms=sheet.started_ms,
                    ended_ms=sheet.ended_ms,
                    first_seq=finished.first,
                    last_seq=finished.last,
                    digest=sheet.digest,
                )
                .on_conflict_do_nothing()
                .returning(hands.c.hand)
            )
            if inserted.first() is None:
                return Counted(await archive.result(connection, finished.match, finished.hand), fresh=False)
            if match.over and sheet.counts:
                sheet = replace(sheet, counts=False)
                letter = letter or Letter(Reason.AFTER_END, f"match {finished.match!r} was over before")
            sheet = await self._seat(connection, finished.match, sheet)
            await self._enter(connection, match, sheet, log)
            if letter is not None:
                await self._bury(connection, entry, letter)
            result = await archive.result(connection, finished.match, finished.hand)
            ended = not match.over and sheet.counts and await self._end(connection, match, sheet.ended_ms)
            await leave_out(connection, {seat.player for seat in sheet.seats} - {""}, finished.match)
            return Counted(result, True, letter, ended)

    async def _count_game(
        self, entry: Entry, finished: Finished, game: Game, log: Sequence[bytes], letter: Letter | None
    ) -> Counted:
        async with self._database.write("count") as connection:
            await hold_off(connection)
            if not await aces_up.enter(connection, self._insert, finished, game, log):
                known = await aces_up.known(connection, finished)
                return Counted(known.result if known and known.result else game.result, fresh=False)
            if letter is not None:
                await self._bury(connection, entry, letter)
            await leave_out(connection, {game.player} - {""}, finished.match)
            return Counted(game.result, fresh=True, letter=letter)

    async def bury(self, entry: Entry, letter: Letter) -> None:
        """Keeps an entry that names no hand, or whose hand the database refuses, as a dead letter."""
        async with self._database.write("bury") as connection:
            await self._bury(connection, entry, letter)

    async def _match(
        self, connection: AsyncConnection, finished: Finished, sheet: HandSheet
    ) -> Row[tuple[object, ...]]:
        """The match's row, made if this is its first hand, and locked: hands of one match are counted one by one."""
        await connection.execute(
            self._insert(matches)
            .values(
                id=finished.match, table_id=finished.table, options_json="", started_ms=sheet.started_ms, over=False
            )
            .on_conflict_do_nothing()
        )
        if sheet.options_json:
            await connection.execute(
                update(matches)
                .where(matches.c.id == finished.match, matches.c.options_json == "")
                .values(options_json=sheet.options_json)
            )
        return (await connection.execute(select(matches).where(matches.c.id == finished.match).with_for_update())).one()

    async def _seat(self, connection: AsyncConnection, match: str, sheet: HandSheet) -> HandSheet:
        """The sheet with every seat of the match; keeps the latest players in ``match_seats``.

        Who sits where is taken from the hand before, if a damaged log doesn't tell.
        """
        before = {
            row.seat: row
            for row in await connection.execute(select(match_seats).where(match_seats.c.match_id == match))
        }
        told = {seat.seat: seat for seat in sheet.seats}
        seats = []
        for number in range(max((*before, *told), default=-1) + 1):
            seat = told.get(number) or SeatSheet(number, "", "", False, False, Points(0, 0, 0))
            if not seat.player and number in before:
                row = before[number]
                seat = replace(seat, player=row.player, name=row.name, bot=row.bot)
            seats.append(seat)
        if seats:
            latest = self._insert(match_seats)
            await connection.execute(
                latest.on_conflict_do_update(
                    index_elements=["match_id", "seat"],
                    set_={name: latest.excluded[name] for name in ("player", "name", "bot")},
                ),
                [
                    {
                        "match_id": match,
                        "seat": s.seat,
                        "player": s.player,
                        "name": s.name,
                        "bot": s.bot,
                        "winner": False,
                    }
                    for s in seats
                ],
            )
        return replace(sheet, seats=tuple(seats))

    async def _enter(
        self, connection: AsyncConnection, match: Row[tuple[object, ...]], sheet: HandSheet, log: Sequence[bytes]
    ) -> None:
        """Scores, log, history and statistics of a hand whose row was just inserted."""
        if sheet.seats:
            await connection.execute(hand_scores.insert(), [_score_row(match.id, sheet.hand, s) for s in sheet.seats])
        if log:
            values = {"match_id": match.id, "hand": sheet.hand, "events": pack(log)}
            await connection.execute(hand_logs.insert().values(values))
        # Rows that several matches share are always locked in the same order, so that no two wait for each other.
        people = people_of(sheet)
        if not people:
            return
        await connection.execute(
            self._insert(match_players).on_conflict_do_nothing(),
            [{"player": s.player, "started_ms": match.started_ms, "match_id": match.id} for s in people],
        )
        if sheet.counts:
            await add_hand(connection, self._insert, people)

    async def _end(self, connection: AsyncConnection, match: Row[tuple[object, ...]], ended_ms: int) -> bool:
        """Ends the match if its hands say so (RD-13): winners, and everyone's count of matches. True if it did."""
        sheets = await archive.sheets(connection, match.id)
        options = await connection.scalar(select(matches.c.options_json).where(matches.c.id == match.id))
        final = result_after(sheets, _seats(sheets), options or "")
        if not final.over:
            return False
        await connection.execute(update(matches).where(matches.c.id == match.id).values(over=True, ended_ms=ended_ms))
        await connection.execute(
            update(match_seats)
            .where(match_seats.c.match_id == match.id, match_seats.c.seat.in_(final.winners))
            .values(winner=True)
        )
        await add_match(connection, [sheet for sheet in sheets if sheet.counts], final.winners)
        return True

    async def _bury(self, connection: AsyncConnection, entry: Entry, letter: Letter) -> None:
        await connection.execute(
            self._insert(dead_letters)
            .values(
                shard=entry.shard,
                entry_id=entry.id,
                reason=letter.reason.value,
                # Neither texts of PostgreSQL nor of logs carry a NUL.
                detail=letter.detail.replace("\0", "\ufffd"),
                fields_json=json.dumps(dict(entry.fields)),
                at_ms=entry.at_ms,
            )
            .on_conflict_do_nothing()
        )


def _seats(sheets: Sequence[HandSheet]) -> int:
    return max((len(sheet.seats) for sheet in sheets), default=0)


def _score_row(match: str, hand: int, sheet: SeatSheet) -> dict[str, object]:
    told = sheet.told
    return {
        "match_id": match,
        "hand": hand,
        "seat": sheet.seat,
        "player": sheet.player,
        "name": sheet.name,
        "bot": sheet.bot,
        "called": sheet.called,
        "foundation": sheet.count.foundation,
        "demon": sheet.count.demon,
        "points": sheet.count.points,
        "told_foundation": told.foundation if told else None,
        "told_demon": told.demon if told else None,
        "told_points": told.points if told else None,
    }
