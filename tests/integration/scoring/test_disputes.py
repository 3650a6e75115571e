from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest
from sqlalchemy import select

from services.rules.events import EndWhy
from services.rules.options import Options
from services.runtime.errors import Fault, Unavailable
from services.scoring.archive import Archive
from services.scoring.database import Database
from services.scoring.disputes import Disputes
from services.scoring.ledger import Ledger
from services.scoring.schema import hand_scores, hands, matches
from tests.integration.scoring.test_ledger import count, rows, statistics
from tests.unit.scoring.logs import ANN, BEN, BOT, entry_of, written

RULES = Options(target=50, dispute="replay_hand")
PLAYOFF = Options(target=50, match_end="playoff")


async def refused(call: Awaitable[Any]) -> str:
    with pytest.raises(Fault) as fault:
        await call
    return fault.value.reason


async def test_a_disputed_hand_is_in_no_total_and_no_statistic_any_more(database: Database) -> None:
    ledger = Ledger(database)
    await count(ledger, [20, 10], options=RULES)
    before = await statistics(database)
    await count(ledger, [5, -4], hand=2, options=RULES)
    result = await Disputes(database).void("m1", 2)
    assert (result.totals, result.over, result.counts) == ((20, 10), False, False)
    assert await statistics(database) == before
    match = await Archive(database).match("m1")
    assert match is not None
    assert [(hand.why, hand.counts) for hand in match.hands] == [("called", True), ("disputed", False)]
    assert [seat.count.points for seat in match.hands[1].seats] == [0, 0]
    assert await Archive(database).hand("m1", 2) == written([5, -4], hand=2, options=RULES)
    after = await count(ledger, [7, 8], hand=3, options=RULES)
    assert after.result.totals == (27, 18)


async def test_a_match_that_the_disputed_hand_had_ended_runs_again(database: Database) -> None:
    ledger = Ledger(database)
    await count(ledger, [30, 20], options=RULES)
    # Somebody else finished it: the match is also of who played its first hand.
    ended = await count(ledger, [25, 10], hand=2, options=RULES, players=(ANN, BOT))
    assert ended.ended_match
    assert (await statistics(database))["p-ann"][:2] == (1, 1)
    assert (await statistics(database))["p-ben"][:2] == (1, 0)
    await Disputes(database).void("m1", 2)
    assert await statistics(database) == {"p-ann": (0, 0, 1, 30, 30.0), "p-ben": (0, 0, 1, 20, 20.0)}
    match = await Archive(database).match("m1")
    assert match is not None
    assert (match.over, match.winners) == (False, ())
    assert await rows(database, select(matches.c.over, matches.c.ended_ms)) == [(False, None)]
    again = await count(ledger, [1, 40], hand=3, options=RULES, players=(ANN, BOT))
    assert (again.ended_match, again.result.totals, again.result.winners) == (True, (31, 60), (1,))
    assert await statistics(database) == {
        "p-ann": (1, 0, 2, 31, 15.5),
        "p-ben": (1, 0, 1, 20, 20.0),
        "p-bot": (1, 1, 1, 40, 40.0),
    }


async def test_who_had_played_nothing_else_is_not_on_the_leaderboard(database: Database) -> None:
    await count(Ledger(database), [20, 10], options=RULES)
    result = await Disputes(database).void("m1", 1)
    assert result.totals == (0, 0)
    assert await Archive(database).leaders(10) == []


async def test_a_hand_disputed_again_changes_nothing_and_gives_the_same_answer(database: Database) -> None:
    ledger, disputes = Ledger(database), Disputes(database)
    await count(ledger, [20, 10], options=RULES)
    await count(ledger, [40, 10], hand=2, options=RULES)
    first = await disputes.void("m1", 2)
    before = await statistics(database)
    assert await disputes.void("m1", 2) == first
    assert await statistics(database) == before


async def test_a_hand_disputed_many_times_at_once_is_taken_back_once(database: Database, database_url: str) -> None:
    ledger, other = Ledger(database), Database(database_url)
    await count(ledger, [20, 10], options=RULES)
    await count(ledger, [40, 10], hand=2, options=RULES)
    results = await asyncio.gather(*(Disputes(each).void("m1", 2) for each in (database, other) * 4))
    assert {result.totals for result in results} == {(20, 10)}
    assert await statistics(database) == {"p-ann": (0, 0, 1, 20, 20.0), "p-ben": (0, 0, 1, 10, 10.0)}
    await other.close()


async def test_only_the_last_hand_that_counts_can_be_taken_back(database: Database) -> None:
    ledger, disputes = Ledger(database), Disputes(database)
    await count(ledger, [1, 2], options=RULES)
    await count(ledger, [3, 4], hand=2, options=RULES)
    await count(ledger, [0, 0], hand=3, why=EndWhy.VOID, options=RULES)
    before = await statistics(database)
    assert await refused(disputes.void("m1", 1)) == "NOT_LAST_HAND"
    assert await refused(disputes.void("m1", 3)) == "NOT_LAST_HAND"
    for match, hand in (("m1", 4), ("m1", 2**32 - 1), ("m2", 1), ("m\0", 1), ("", 0)):
        assert await refused(disputes.void(match, hand)) == "UNKNOWN_HAND"
    assert await statistics(database) == before
    assert (await disputes.void("m1", 2)).totals == (1, 2)
    # The one before it is now the last.
    assert (await disputes.void("m1", 1)).totals == (0, 0)


async def test_a_hand_that_ended_by_votes_to_deal_it_again_is_void_already(database: Database) -> None:
    ledger = Ledger(database)
    await count(ledger, [20, 10], options=RULES)
    void = await count(ledger, [0, 0], hand=2, why=EndWhy.DISPUTED, options=RULES)
    assert (void.result.totals, void.result.counts) == ((20, 10), False)
    assert (await Disputes(database).void("m1", 2)).totals == (20, 10)
    assert (await statistics(database))["p-ann"] == (0, 0, 1, 20, 20.0)


async def test_a_disputed_playoff_is_played_again(database: Database) -> None:
    ledger = Ledger(database)
    both = await count(ledger, [50, 50], options=PLAYOFF)
    assert (both.ended_match, both.result.playoff) == (False, True)
    decided = await count(ledger, [1, 2], hand=2, options=PLAYOFF)
    assert decided.ended_match
    again = await Disputes(database).void("m1", 2)
    assert (again.totals, again.over, again.playoff) == ((50, 50), False, True)
    tripped = await Disputes(database).void("m1", 1)
    assert (tripped.totals, tripped.playoff) == ((0, 0), False)


async def test_a_disputed_hand_that_is_delivered_again_stays_void(database: Database) -> None:
    ledger = Ledger(database)
    await count(ledger, [20, 10], options=RULES)
    await Disputes(database).void("m1", 1)
    again = await count(ledger, [20, 10], options=RULES)
    assert (again.fresh, again.result.totals, again.result.counts) == (False, (0, 0), False)
    known = await ledger.known(entry_of(written([20, 10])))
    assert known.result == again.result


async def test_what_fails_in_the_middle_leaves_everything_as_it_was(database: Database) -> None:
    ledger, disputes = Ledger(database), Disputes(database)
    await count(ledger, [52, 10], options=RULES, players=(ANN, BEN))
    before = await statistics(database)
    async with database.write("count") as connection:
        await connection.exec_driver_sql("ALTER TABLE hand_scores RENAME COLUMN points TO hidden")
    with pytest.raises(Unavailable):
        await disputes.void("m1", 1)
    async with database.write("count") as connection:
        await connection.exec_driver_sql("ALTER TABLE hand_scores RENAME COLUMN hidden TO points")
    assert await statistics(database) == before
    assert await rows(database, select(matches.c.over)) == [(True,)]
    assert await rows(database, select(hands.c.why)) == [("called",)]
    assert await rows(database, select(hand_scores.c.points).order_by(hand_scores.c.seat)) == [(52,), (10,)]
    assert (await disputes.void("m1", 1)).totals == (0, 0)
