"""Games of Aces Up from the finished streams into the books: counted once; of each deal the first attempt counts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

import pytest
from redis.asyncio import Redis
from sqlalchemy import func, select

from services.rules.aces_up.events import AcesEndWhy
from services.rules.aces_up.moves import Action, GiveUp, Row
from services.rules.aces_up.options import LAST_NUMBER, AcesUpOptions
from services.rules.event import Player
from services.rules.replay import verify
from services.runtime import keys
from services.scoring.aces_up.archive import GameArchive
from services.scoring.aces_up.records import Statistics
from services.scoring.archive import Archive
from services.scoring.counting import Counter
from services.scoring.database import Database
from services.scoring.judging import judge_by
from services.scoring.ledger import Ledger
from services.scoring.letters import Reason
from services.scoring.pages import Place
from services.scoring.ports import Counted, Entry
from services.scoring.recount import recount
from services.scoring.schema import aces_up_games, aces_up_logs, dead_letters, hands, matches, players
from tests.integration.scoring.streams import finish, left, scored, until_nothing_is_left, until_scored
from tests.integration.scoring.test_finished_streams import Killed, inbox, scoring
from tests.unit.scoring.games import LOSES, WINS, game, straight, whole
from tests.unit.scoring.logs import ANN, BEN, T0, entry_of, played

OVER = {"points": [0], "totals": [0], "over": True, "playoff": False, "counts": True}
EVERYTHING = 100


async def counted(ledger: Ledger, log: Sequence[bytes], match: str = "m1") -> Counted:
    finished = entry_of(log, match=match)
    judged = judge_by(recount)(log, finished)
    return await ledger.count(Entry(3, f"{T0}-1", ()), finished, judged.sheet, log, judged.letter)


async def rows(database: Database, table: Any) -> int:
    async with database.read("ping") as connection:
        return await connection.scalar(select(func.count()).select_from(table)) or 0


class Career:
    """Plays games one after the other, each beginning a minute after the one before."""

    def __init__(self, database: Database, player: Player = ANN) -> None:
        self._ledger = Ledger(database)
        self._player = player
        self._games = 0

    async def plays(self, number: int, actions: Sequence[Action] | None = None, **options: bool) -> str:
        """A game of that deal, straight on unless the actions are given; its match."""
        self._games += 1
        match = f"{self._player.player}-{self._games}"
        log = game(
            straight(number) if actions is None else actions,
            AcesUpOptions(number, **options),
            player=self._player,
            match=match,
            at=T0 + 60_000 * self._games,
        )
        await counted(self._ledger, log, match)
        return match


async def test_a_game_is_counted_with_its_log_and_nothing_of_it_is_a_match(database: Database) -> None:
    log = whole(WINS[0])
    first = await counted(Ledger(database), log)
    assert (first.fresh, first.result.over, first.result.winners, first.letter) == (True, True, (0,), None)
    assert await GameArchive(database).log("m1", 1) == log
    assert verify(log).verified
    assert [await rows(database, table) for table in (matches, hands, players)] == [0, 0, 0]
    assert await Archive(database).match("m1") is None
    assert await Archive(database).leaders(10) == []


async def test_a_game_that_comes_again_changes_nothing_and_is_told_the_same(database: Database) -> None:
    ledger, log = Ledger(database), whole(WINS[0])
    first = await counted(ledger, log)
    again = await counted(ledger, whole(LOSES[0]))
    assert (again.fresh, again.result) == (False, first.result)
    known = await ledger.known(entry_of(log))
    assert (known.result, known.same, known.follows) == (first.result, True, True)
    assert not (await ledger.known(entry_of(log[:-1]))).same
    assert await rows(database, aces_up_games) == 1


async def test_one_game_counted_by_many_at_once_is_entered_once(database: Database, database_url: str) -> None:
    other, log = Database(database_url), whole(WINS[0])
    results = await asyncio.gather(*(counted(Ledger(each), log) for each in (database, other) * 4))
    assert sum(result.fresh for result in results) == 1
    assert {result.result.winners for result in results} == {(0,)}
    assert (await GameArchive(database).statistics("p-ann")).played == 1
    assert await rows(database, aces_up_logs) == 1
    await other.close()


async def test_figures_are_of_the_first_attempt_at_each_deal(database: Database) -> None:
    ann, archive = Career(database), GameArchive(database)
    assert await archive.statistics("p-ann") == Statistics()
    await ann.plays(WINS[0])
    assert await archive.statistics("p-ann") == Statistics(1, 1, 1, 1, 48, 48)
    # Won again by playing it again, and again: it counts once.
    await ann.plays(WINS[0])
    await ann.plays(WINS[0], auto_remove=True, actions=[Row(48), GiveUp()])
    assert await archive.statistics("p-ann") == Statistics(1, 1, 1, 1, 48, 48)
    await ann.plays(WINS[1], [Row(48), GiveUp()])
    once = await archive.statistics("p-ann")
    assert (once.played, once.won, once.streak, once.longest_streak, once.best) == (2, 1, 0, 1, 48)
    # It was tried before, so winning it now comes too late.
    await ann.plays(WINS[1])
    assert await archive.statistics("p-ann") == once
    await ann.plays(WINS[2])
    await ann.plays(WINS[3])
    assert (await archive.statistics("p-ann")).longest_streak == 2
    assert await archive.statistics("p-ben") == Statistics()


@pytest.mark.parametrize(
    ("actions", "options"), [([], {}), ([GiveUp()], {}), ([Row(48), GiveUp()], {"practice": True})]
)
async def test_practice_and_deals_that_were_not_touched_count_nowhere_and_are_no_first_attempt(
    database: Database, actions: list[Action], options: dict[str, bool]
) -> None:
    ann, archive = Career(database), GameArchive(database)
    match = await ann.plays(WINS[0], actions, **options)
    assert await archive.statistics("p-ann") == Statistics()
    assert await archive.attempt("p-ann", WINS[0]) is None
    assert [kept.match for kept in await archive.games("p-ann", None, EVERYTHING)] == ([match] if options else [])
    # What it was can be read all the same.
    assert await archive.log(match, 1)
    await ann.plays(WINS[0])
    assert (await archive.statistics("p-ann")).won == 1


async def test_the_first_attempt_is_the_one_that_began_first_whichever_is_counted_first(database: Database) -> None:
    ledger, archive = Ledger(database), GameArchive(database)
    lost = game([Row(48), GiveUp()], AcesUpOptions(WINS[0]), match="early", at=T0)
    await counted(ledger, whole(WINS[0], match="late", at=T0 + 60_000), "late")
    assert (await archive.statistics("p-ann")).won == 1
    await counted(ledger, lost, "early")
    assert (await archive.statistics("p-ann")).won == 0
    games = await archive.games("p-ann", None, EVERYTHING)
    assert [(kept.match, kept.counts) for kept in games] == [("late", False), ("early", True)]
    found = await archive.attempt("p-ann", WINS[0])
    assert found is not None
    assert (found.match, found.game.won) == ("early", False)


async def test_games_come_page_by_page_newest_first_and_only_ones_own(database: Database) -> None:
    ann, ben, archive = Career(database), Career(database, BEN), GameArchive(database)
    names = [await ann.plays(number, [Row(48)]) for number in (1, 2, 1, LAST_NUMBER, 5)]
    await ben.plays(1, [Row(48)])
    found: list[Any] = []
    place: Place | None = None
    for _ in names:
        page = await archive.games("p-ann", place, 2)
        found += page
        place = Place(page[-1].game.started_ms, page[-1].match) if page else place
    assert [kept.match for kept in found] == names[::-1]
    assert [kept.counts for kept in found] == [True, True, False, True, True]
    assert found[1].game.number == LAST_NUMBER
    assert [kept.counts for kept in await archive.games("p-ben", None, 2)] == [True]


@pytest.mark.parametrize("player", ["", "nobody", "p\0"])
async def test_of_a_player_who_never_played_there_is_nothing(database: Database, player: str) -> None:
    archive = GameArchive(database)
    await counted(Ledger(database), [b"?"])  # a game of nobody is left of a log without anything
    assert await archive.games(player, None, EVERYTHING) == []
    assert await archive.statistics(player) == Statistics()
    assert await archive.attempt(player, 1) is None
    assert await archive.log("nothing", 1) is None
    assert await archive.log("m\0", 1) is None


async def test_a_finished_game_is_counted_told_and_removed(redis: Redis, redis_url: str, database: Database) -> None:
    for match, number in (("won", WINS[0]), ("lost", LOSES[0])):
        log = whole(number, match=match)
        await finish(redis, log, entry_of(log, table=match, match=match))
    hand = played(3, match="hand")
    await finish(redis, hand, entry_of(hand, table="hand", match="hand"))
    async with scoring(redis_url, database):
        told = [await until_scored(redis, table) for table in ("won", "lost", "hand")]
        await until_nothing_is_left(redis)
    assert told[0] == [("won", 1, {**OVER, "winners": [0]})]
    assert told[1] == [("lost", 1, {**OVER, "winners": []})]
    assert told[2][0][2]["over"] is False
    assert await rows(database, aces_up_games) == 2
    assert await rows(database, hands) == 1


async def test_a_scorer_killed_between_commit_and_acknowledge_counts_a_game_once(
    redis: Redis, redis_url: str, database: Database
) -> None:
    log = whole(WINS[0])
    await finish(redis, log, entry_of(log))
    async with inbox(redis_url, "dying", dying=True) as dying:
        with pytest.raises(Killed):
            await Counter(dying, Ledger(database), judge_by(recount)).round()
    assert (await rows(database, aces_up_games), await scored(redis, "t1")) == (1, [])
    await redis.delete(keys.log("t1"))
    async with scoring(redis_url, database, "heir", claim_after_ms=100):
        told = await until_scored(redis, "t1")
        await until_nothing_is_left(redis)
    assert told == [("m1", 1, {**OVER, "winners": [0]})]
    assert (await rows(database, aces_up_games), await rows(database, dead_letters)) == (1, 0)
    assert await GameArchive(database).statistics("p-ann") == Statistics(1, 1, 1, 1, 48, 48)


async def test_two_scorers_at_once_count_every_game_once(
    redis: Redis, redis_url: str, database: Database, database_url: str
) -> None:
    other, games = Database(database_url), 24
    async with AsyncExitStack() as stack:
        # With so short a time, each also takes over what the other one is still counting.
        await stack.enter_async_context(scoring(redis_url, database, "one", claim_after_ms=100))
        await stack.enter_async_context(scoring(redis_url, other, "two", claim_after_ms=100))
        for number in range(games):
            log = game([Row(48)], AcesUpOptions(1 + number // 2), match=f"m{number}", at=T0 + number)
            await finish(redis, log, entry_of(log, table=f"t{number}", match=f"m{number}"))
        for number in range(games):
            await until_scored(redis, f"t{number}")
        await until_nothing_is_left(redis)
    await other.close()
    assert await rows(database, aces_up_games) == games
    assert (await GameArchive(database).statistics("p-ann")).played == games // 2
    assert await left(redis) == 0


async def test_dead_letters_of_games_are_kept_and_their_tables_told(
    redis: Redis, redis_url: str, database: Database
) -> None:
    log = whole(WINS[0])
    await finish(redis, [log[0], b"?", *log[2:]], entry_of(log, table="t1", match="m1"))
    wrong = game([Row(48)], AcesUpOptions(7), match="m2", why=AcesEndWhy.WON)
    await finish(redis, wrong, entry_of(wrong, table="t2", match="m2"))
    await redis.hset(keys.hand("t3"), "seats", "1")
    await finish(redis, [], entry_of(log, table="t3", match="m3"))
    async with scoring(redis_url, database):
        told = [(await until_scored(redis, table))[0][2] for table in ("t1", "t2", "t3")]
        await until_nothing_is_left(redis)
    assert [(result["over"], result["winners"]) for result in told] == [(True, [0]), (True, [0]), (True, [])]
    async with database.read("ping") as connection:
        found = await connection.execute(select(dead_letters.c.reason).order_by(dead_letters.c.reason))
        assert found.scalars().all() == [Reason.MISSING, Reason.SHAPE, Reason.UNVERIFIED]
