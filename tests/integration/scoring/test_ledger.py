from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import func, select, text

from services.rules.events import EndWhy, Player
from services.rules.options import RACING_DEMON, Options
from services.runtime.errors import Unavailable
from services.scoring.archive import Archive
from services.scoring.database import Database
from services.scoring.finished import Finished
from services.scoring.hand_log import read, salvage
from services.scoring.ledger import Ledger
from services.scoring.letters import Letter, Reason
from services.scoring.migrations import migrate
from services.scoring.ports import Counted, Entry, Refused
from services.scoring.schema import dead_letters, hand_logs, hand_scores, hands, match_players, match_seats, players
from tests.unit.scoring.logs import ANN, BEN, BOT, entry_of, written

TO_50 = Options(target=50)


def entry(hand: int = 1) -> Entry:
    return Entry(3, f"1700000000000-{hand}", (("hand", str(hand)),))


async def count(
    ledger: Ledger,
    points: Sequence[int],
    *,
    hand: int = 1,
    match: str = "m1",
    why: EndWhy = EndWhy.CALLED,
    players: Sequence[Player] = (ANN, BEN),
    options: Options = RACING_DEMON,
    at: int = 1_700_000_000_000,
) -> Counted:
    log = written(points, hand=hand, match=match, why=why, players=players, options=options, at=at)
    finished = entry_of(log, hand=hand, match=match)
    return await ledger.count(entry(hand), finished, read(log, finished), log)


async def rows(database: Database, query: Any) -> list[tuple[Any, ...]]:
    async with database.read("ping") as connection:
        return [tuple(row) for row in await connection.execute(query)]


async def statistics(database: Database) -> dict[str, tuple[Any, ...]]:
    p = players.c
    found = await rows(database, select(p.player, p.matches, p.won, p.hands, p.points, p.average))
    return {row[0]: row[1:] for row in found}


async def test_a_hand_changes_everything_once(database: Database) -> None:
    ledger = Ledger(database)
    first = await count(ledger, [24, -3])
    again = await count(ledger, [24, -3])
    assert (first.fresh, again.fresh) == (True, False)
    assert first.result == again.result
    assert first.result.totals == (24, -3)
    assert await statistics(database) == {"p-ann": (0, 0, 1, 24, 24.0), "p-ben": (0, 0, 1, -3, -3.0)}


async def test_a_hand_delivered_to_many_scorers_at_once_counts_once(database: Database, database_url: str) -> None:
    databases = [database, Database(database_url), Database(database_url)]
    counted = await asyncio.gather(*(count(Ledger(databases[i % 3]), [24, -3]) for i in range(12)))
    assert sum(c.fresh for c in counted) == 1
    assert {c.result.totals for c in counted} == {(24, -3)}
    assert (await statistics(database))["p-ann"] == (0, 0, 1, 24, 24.0)
    for other in databases[1:]:
        await other.close()


async def test_hands_of_one_match_counted_at_once_have_right_totals(database: Database, database_url: str) -> None:
    other = Database(database_url)
    ledgers = [Ledger(database), Ledger(other)]
    await asyncio.gather(*(count(ledgers[hand % 2], [hand, 1], hand=hand) for hand in range(1, 11)))
    known = await ledgers[0].known(entry_of(written([0, 0]), hand=10))
    assert known.result is not None
    assert known.result.totals == (55, 10)
    match = await Archive(database).match("m1")
    assert match is not None
    assert [hand.hand for hand in match.hands] == list(range(1, 11))
    await other.close()


async def test_matches_with_the_same_players_in_other_seats_do_not_wait_for_each_other_forever(
    database: Database, database_url: str
) -> None:
    other = Database(database_url)
    ledgers = [Ledger(database), Ledger(other)]
    seated = [(ANN, BEN, BOT), (BOT, BEN, ANN), (BEN, BOT, ANN)]
    await asyncio.gather(
        *(
            count(ledgers[m % 2], [1, 1, 1], hand=h, match=f"m{m}", players=seated[m % 3])
            for m in range(6)
            for h in range(1, 4)
        )
    )
    assert await statistics(database) == {p.player: (0, 0, 18, 18, 1.0) for p in (ANN, BEN, BOT)}
    await other.close()


async def test_the_deciding_hand_ends_the_match_once(database: Database) -> None:
    ledger = Ledger(database)
    await count(ledger, [30, 20], options=TO_50)
    decided = await count(ledger, [25, 10], hand=2, options=TO_50)
    assert decided.ended_match
    assert (decided.result.totals, decided.result.over, decided.result.winners) == ((55, 30), True, (0,))
    again = await count(ledger, [25, 10], hand=2, options=TO_50)
    assert (again.fresh, again.ended_match, again.result) == (False, False, decided.result)
    assert await statistics(database) == {"p-ann": (1, 1, 2, 55, 27.5), "p-ben": (1, 0, 2, 30, 15.0)}
    match = await Archive(database).match("m1")
    assert match is not None
    assert (match.over, match.winners) == (True, (0,))
    before = await ledger.known(entry_of(written([0, 0])))
    assert before.result is not None
    assert not before.result.over, "hand 1, told again, had not ended the match"


async def test_equal_totals_at_the_target_share_the_victory(database: Database) -> None:
    ledger = Ledger(database)
    await count(ledger, [30, 20], options=TO_50)
    decided = await count(ledger, [25, 35], hand=2, options=TO_50)
    assert (decided.result.totals, decided.result.winners) == ((55, 55), (0, 1))
    assert await statistics(database) == {"p-ann": (1, 1, 2, 55, 27.5), "p-ben": (1, 1, 2, 55, 27.5)}
    match = await Archive(database).match("m1")
    assert match is not None
    assert match.winners == (0, 1)


async def test_a_void_hand_is_in_the_sheet_and_in_no_total(database: Database) -> None:
    ledger = Ledger(database)
    await count(ledger, [30, 20])
    void = await count(ledger, [0, 0], hand=2, why=EndWhy.VOID)
    assert (void.result.points, void.result.totals, void.result.over) == ((0, 0), (30, 20), False)
    assert (await statistics(database))["p-ann"] == (0, 0, 1, 30, 30.0)
    assert await rows(database, select(hands.c.hand, hands.c.why, hands.c.counts).order_by(hands.c.hand)) == [
        (1, "called", True),
        (2, "void", False),
    ]


async def test_a_hand_after_the_end_of_its_match_is_a_dead_letter_and_changes_no_total(database: Database) -> None:
    ledger = Ledger(database)
    await count(ledger, [52, 0], options=TO_50)
    late = await count(ledger, [0, 52], hand=2, options=TO_50)
    assert late.letter is not None
    assert late.letter.reason is Reason.AFTER_END
    assert (late.result.totals, late.result.over, late.result.winners) == ((52, 0), True, (0,))
    assert (await statistics(database))["p-ben"] == (1, 0, 1, 0, 0.0)
    assert await rows(database, select(dead_letters.c.shard, dead_letters.c.reason)) == [(3, "after_end")]


async def test_each_hand_goes_to_who_played_it_and_the_victory_to_who_finished(database: Database) -> None:
    ledger = Ledger(database)
    await count(ledger, [30, 20], options=TO_50)
    decided = await count(ledger, [1, 31], hand=2, players=(ANN, BOT), options=TO_50)
    assert decided.result.winners == (1,)
    assert await statistics(database) == {
        "p-ann": (1, 0, 2, 31, 15.5),
        "p-ben": (1, 0, 1, 20, 20.0),
        "p-bot": (1, 1, 1, 31, 31.0),
    }
    seats = select(match_seats.c.seat, match_seats.c.player, match_seats.c.bot).order_by(match_seats.c.seat)
    assert await rows(database, seats) == [(0, "p-ann", False), (1, "p-bot", True)]
    history = await rows(database, select(match_players.c.player).order_by(match_players.c.player))
    assert history == [("p-ann",), ("p-ben",), ("p-bot",)]


async def test_a_hand_of_which_only_the_end_is_left_counts_for_who_sat_there_before(database: Database) -> None:
    ledger = Ledger(database)
    await count(ledger, [30, 20])
    log = written([1, 2], hand=2)[-1:]
    finished = Finished("t1", "m1", 2, 1, 3)
    letter = Letter(Reason.SHAPE, "a gap")
    counted = await ledger.count(entry(2), finished, salvage(log, finished), log, letter)
    assert counted.result.totals == (31, 22)
    assert (await statistics(database))["p-ann"] == (0, 0, 2, 31, 15.5)
    assert await rows(database, select(dead_letters.c.reason, dead_letters.c.detail)) == [("shape", "a gap")]
    assert await Archive(database).hand("m1", 2) == log


async def test_a_hand_of_which_nothing_is_left_keeps_the_match_going(database: Database) -> None:
    ledger = Ledger(database)
    await count(ledger, [30, 20])
    finished = Finished("t1", "m1", 2, 0, 0)
    lost = await ledger.count(entry(2), finished, salvage([], finished), [], Letter(Reason.MISSING, "no events"))
    assert (lost.result.points, lost.result.totals) == ((0, 0), (30, 20))
    assert await Archive(database).hand("m1", 2) == []
    after = await count(ledger, [1, 1], hand=3)
    assert after.result.totals == (31, 21)


async def test_a_database_that_fails_in_the_middle_leaves_nothing_and_counts_later(database: Database) -> None:
    ledger = Ledger(database)
    await count(ledger, [30, 20])
    async with database.write("count") as connection:
        await connection.execute(text("ALTER TABLE hand_logs RENAME TO hidden"))
    with pytest.raises(Unavailable):
        await count(ledger, [1, 2], hand=2)
    assert await rows(database, select(func.count()).select_from(hands)) == [(1,)]
    assert await rows(database, select(func.count()).select_from(hand_scores)) == [(2,)]
    assert (await statistics(database))["p-ann"] == (0, 0, 1, 30, 30.0)
    async with database.write("count") as connection:
        await connection.execute(text("ALTER TABLE hidden RENAME TO hand_logs"))
    counted = await count(ledger, [1, 2], hand=2)
    assert (counted.fresh, counted.result.totals) == (True, (31, 22))
    assert await rows(database, select(func.count()).select_from(hand_logs)) == [(2,)]


async def test_a_connection_cut_in_the_middle_leaves_nothing_and_counts_later(postgres_url: str) -> None:
    database = Database(postgres_url)
    await migrate(database)
    ledger = Ledger(database)
    await count(ledger, [30, 20])
    waiting = text("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    async with database.engine.connect() as holder, database.engine.connect() as watcher:
        await holder.execute(text("SELECT * FROM players FOR UPDATE"))
        counting = asyncio.create_task(count(ledger, [1, 2], hand=2))
        async with asyncio.timeout(60):
            while (pid := await watcher.scalar(waiting)) is None:
                await watcher.rollback()
        await watcher.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": pid})
        with pytest.raises(Unavailable):
            await counting
    assert await rows(database, select(func.count()).select_from(hands)) == [(1,)]
    assert (await count(ledger, [1, 2], hand=2)).result.totals == (31, 22)
    await database.close()


async def test_a_lock_that_is_held_too_long_is_waited_for_again(database: Database, database_url: str) -> None:
    impatient = Database(database_url, lock_seconds=0.2)
    await count(Ledger(database), [30, 20])
    async with database.write("count") as connection:
        await connection.execute(text("UPDATE matches SET ended_ms = NULL"))
        with pytest.raises(Unavailable):
            await count(Ledger(impatient), [1, 2], hand=2)
    assert (await count(Ledger(impatient), [1, 2], hand=2)).result.totals == (31, 22)
    await impatient.close()


async def test_what_postgres_has_no_text_for_is_refused(postgres_url: str) -> None:
    database = Database(postgres_url)
    await migrate(database)
    finished = Finished("t1", "m\0", 1, 0, 0)
    with pytest.raises(Refused):
        await Ledger(database).count(entry(), finished, salvage([], finished), [])
    await database.close()


async def test_a_dead_letter_is_kept_once(database: Database) -> None:
    for _ in range(2):
        await Ledger(database).bury(entry(), Letter(Reason.ENTRY, "no\0 hand"))
    assert await rows(database, select(dead_letters.c.entry_id, dead_letters.c.detail, dead_letters.c.fields_json)) == [
        ("1700000000000-1", "no\ufffd hand", '{"hand": "1"}')
    ]
