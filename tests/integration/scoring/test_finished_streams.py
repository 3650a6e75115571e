from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from redis.asyncio import Redis
from sqlalchemy import func, select

from services.runtime import keys
from services.runtime.errors import Unavailable
from services.runtime.redis import blocking, connect
from services.runtime.redis_server import RedisServer
from services.scoring.counting import Counter
from services.scoring.database import Database
from services.scoring.finished import Finished
from services.scoring.judging import judge_by
from services.scoring.ledger import Ledger
from services.scoring.ports import Delivery, Entry
from services.scoring.recount import recount
from services.scoring.redis_finished import GROUP, RedisInbox
from services.scoring.result import Result
from services.scoring.schema import dead_letters, hands, players
from tests.integration.scoring.streams import finish, left, scored, until_nothing_is_left, until_scored
from tests.unit.scoring.logs import entry_of, played, trusting, written


class Killed(BaseException):
    """What nothing on the way may catch."""


class DyingInbox(RedisInbox):
    """The inbox of a scorer that is killed when it wants to publish, for the first time."""

    async def settle(self, entry: Entry, finished: Finished, result: Result) -> None:
        raise Killed


@asynccontextmanager
async def inbox(url: str, name: str, *, claim_after_ms: int = 5000, dying: bool = False) -> AsyncIterator[RedisInbox]:
    kind = DyingInbox if dying else RedisInbox
    async with connect(url) as client, blocking(url) as reader:
        yield kind(client, reader, name, claim_after_ms)


@asynccontextmanager
async def scoring(
    url: str, database: Database, name: str = "one", *, claim_after_ms: int = 5000
) -> AsyncIterator[RedisInbox]:
    """A scorer that counts while inside."""
    async with inbox(url, name, claim_after_ms=claim_after_ms) as mine:
        stopping = asyncio.Event()
        counter = Counter(mine, Ledger(database), judge_by(trusting))
        running = asyncio.create_task(counter.run(stopping))
        try:
            yield mine
        finally:
            stopping.set()
            await running


async def count_of(database: Database, table: object) -> int:
    async with database.read("ping") as connection:
        return await connection.scalar(select(func.count()).select_from(table)) or 0  # type: ignore[arg-type]


def hand(
    points: Sequence[int], number: int = 1, *, table: str = "t1", match: str = "m1"
) -> tuple[list[bytes], Finished]:
    first = 3 * number - 2
    log = written(points, hand=number, match=match, first=first)
    return log, entry_of(log, table=table, hand=number, match=match, first=first)


GOES_ON = {"over": False, "winners": [], "playoff": False, "counts": True}


async def test_a_finished_hand_is_counted_told_and_removed(redis: Redis, redis_url: str, database: Database) -> None:
    # It ended before the first scorer ever started.
    await finish(redis, *hand([24, -3]))
    async with scoring(redis_url, database):
        told = await until_scored(redis, "t1")
        await finish(redis, *hand([10, 5], 2))
        told = await until_scored(redis, "t1", hands=2)
        await until_nothing_is_left(redis)
    assert told == [
        ("m1", 1, {"points": [24, -3], "totals": [24, -3], **GOES_ON}),
        ("m1", 2, {"points": [10, 5], "totals": [34, 2], **GOES_ON}),
    ]


async def test_a_long_hand_that_was_really_played_is_read_whole_and_confirmed(
    redis: Redis, redis_url: str, database: Database
) -> None:
    log = played(7, commands=1100, seq=40)
    assert len(log) > 1000
    finished = entry_of(log, first=41)
    await finish(redis, log, finished)
    await redis.xadd(keys.log("t1"), {"e": b"the next hand's"}, id=f"{finished.last + 1}-0")
    async with inbox(redis_url, "one") as mine:
        assert await mine.log(finished) == log
        assert await Counter(mine, Ledger(database), judge_by(recount)).round()
    assert len(await scored(redis, "t1")) == 1
    assert await count_of(database, dead_letters) == 0


async def test_a_scorer_killed_between_commit_and_acknowledge_counts_once(
    redis: Redis, redis_url: str, database: Database
) -> None:
    await finish(redis, *hand([24, -3]))
    async with inbox(redis_url, "dying", dying=True) as dying:
        with pytest.raises(Killed):
            await Counter(dying, Ledger(database), judge_by(trusting)).round()
    assert (await count_of(database, hands), await scored(redis, "t1")) == (1, [])
    # The log may be trimmed by the time another scorer takes over.
    await redis.delete(keys.log("t1"))
    async with scoring(redis_url, database, "heir", claim_after_ms=100):
        told = await until_scored(redis, "t1")
        await until_nothing_is_left(redis)
    assert told == [("m1", 1, {"points": [24, -3], "totals": [24, -3], **GOES_ON})]
    assert (await count_of(database, hands), await count_of(database, dead_letters)) == (1, 0)
    async with database.read("ping") as connection:
        assert (await connection.execute(select(players.c.hands))).scalars().all() == [1, 1]


async def test_two_scorers_at_once_count_every_hand_once(
    redis: Redis, redis_url: str, database: Database, database_url: str
) -> None:
    other = Database(database_url)
    # With so short a time, each also takes over what the other one is still counting.
    async with (
        scoring(redis_url, database, "one", claim_after_ms=100),
        scoring(redis_url, other, "two", claim_after_ms=100),
    ):
        for number in range(1, 6):
            for table in range(8):
                await finish(redis, *hand([number, table], number, table=f"t{table}", match=f"m{table}"))
        told = [await until_scored(redis, f"t{table}", hands=5) for table in range(8)]
        await until_nothing_is_left(redis)
    await other.close()
    for table, results in enumerate(told):
        for _, number, result in results:
            assert result["totals"] == [number * (number + 1) // 2, number * table]
    assert await count_of(database, hands) == 40
    async with database.read("ping") as connection:
        statistics = await connection.execute(select(players.c.hands, players.c.points).order_by(players.c.player))
        assert [tuple(row) for row in statistics] == [(40, 8 * 15), (40, 5 * 28)]


async def test_redis_going_away_in_between_is_survived(tmp_path: Path, database: Database) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(RedisServer(tmp_path / "redis"))
        redis = await stack.enter_async_context(connect(server.url))
        await finish(redis, *hand([1, 0]))
        await stack.enter_async_context(scoring(server.url, database))
        await until_scored(redis, "t1", 1)
        for number in (2, 3):
            await server.kill()
            await server.start()
            await redis.connection_pool.disconnect()
            await finish(redis, *hand([1, 0], number))
            await until_scored(redis, "t1", number)
        await until_nothing_is_left(redis)
        assert [r["totals"] for _, _, r in await scored(redis, "t1")] == [[1, 0], [2, 0], [3, 0]]


async def test_a_redis_that_comes_back_empty_is_joined_again(redis: Redis, redis_url: str, database: Database) -> None:
    async with scoring(redis_url, database):
        await finish(redis, *hand([1, 0]))
        await until_scored(redis, "t1")
        await redis.flushall()
        await finish(redis, *hand([1, 0], 2))
        assert (await until_scored(redis, "t1"))[0][2]["totals"] == [2, 0]


async def test_the_database_failing_for_a_while_loses_no_hand(redis: Redis, redis_url: str, database: Database) -> None:
    broken = Database("postgresql+asyncpg://nobody@127.0.0.1:1/nothing")
    await finish(redis, *hand([24, -3]))
    async with inbox(redis_url, "one") as mine:
        with pytest.raises(Unavailable):
            await Counter(mine, Ledger(broken), judge_by(trusting)).round()
        assert await left(redis) == 2
        # The same scorer has it again at once, without waiting for it to be taken over.
        assert await Counter(mine, Ledger(database), judge_by(trusting)).round()
    await broken.close()
    assert [r["points"] for _, _, r in await scored(redis, "t1")] == [[24, -3]]
    assert await left(redis) == 0


async def test_an_answer_that_got_lost_is_asked_for_again(redis: Redis, redis_url: str, database: Database) -> None:
    await finish(redis, *hand([24, -3]))
    async with inbox(redis_url, "one") as first:
        assert len(await first.take()) == 1
    async with inbox(redis_url, "one") as again:
        assert len(await again.take()) == 1, "a cut connection may have taken an entry that its reader never saw"


async def test_a_hand_knows_of_an_earlier_one_of_its_match(redis: Redis, redis_url: str, database: Database) -> None:
    await finish(redis, *hand([1, 0], 1, match="other"))
    await finish(redis, *hand([1, 0], 2))
    await finish(redis, *hand([1, 0], 3))
    deliveries: list[Delivery] = []
    for name in ("a", "b", "c"):
        async with inbox(redis_url, name) as gone:
            deliveries += await gone.take()
    _, second, third = deliveries
    async with inbox(redis_url, "one", claim_after_ms=100) as mine:
        assert isinstance(second.finished, Finished)
        assert isinstance(third.finished, Finished)
        assert not await mine.earlier(second.entry, second.finished)
        assert await mine.earlier(third.entry, third.finished)
        async with asyncio.timeout(60):
            while await left(redis):
                await Counter(mine, Ledger(database), judge_by(trusting)).round()
    assert [number for _, number, _ in await scored(redis, "t1")] == [1, 2, 3]


async def test_dead_letters_are_kept_and_told(redis: Redis, redis_url: str, database: Database) -> None:
    stream = keys.finished(keys.shard("t1"))
    await redis.xadd(stream, {"table": "t1", "nonsense": b"\xff\x00"})
    log, damaged = hand([24, -3])
    await finish(redis, [b"?", *log[1:]], damaged)
    await redis.hset(keys.hand("t2"), "seats", "3")
    await finish(redis, [], Finished("t2", "m2", 1, 5, 9))
    async with scoring(redis_url, database):
        assert (await until_scored(redis, "t1"))[0][2]["totals"] == [24, -3]
        assert (await until_scored(redis, "t2"))[0][2]["totals"] == [0, 0, 0]
        await until_nothing_is_left(redis)
    async with database.read("ping") as connection:
        reasons = await connection.execute(select(dead_letters.c.reason).order_by(dead_letters.c.reason))
        assert reasons.scalars().all() == ["entry", "missing", "shape"]


async def test_the_backlog_tells_how_much_waits_and_since_when(redis: Redis, redis_url: str) -> None:
    async with inbox(redis_url, "one") as mine:
        assert (await mine.backlog()).hands == 0
        await finish(redis, *hand([1, 0]))
        await redis.xadd(keys.finished(3), {"a": "b"}, id="1700000000000-0")
        backlog = await mine.backlog()
    assert backlog.hands == 2
    seconds, _ = await redis.time()
    assert backlog.age_seconds == pytest.approx(seconds - 1_700_000_000, abs=2)


async def test_a_scorer_that_stops_leaves_no_consumer_unless_it_has_entries(redis: Redis, redis_url: str) -> None:
    async with inbox(redis_url, "stays") as stays, inbox(redis_url, "leaves") as leaves:
        await finish(redis, *hand([1, 0]))
        assert len(await stays.take()) == 1
        assert not await leaves.take()
        await leaves.retire(leave=True)
        await stays.retire(leave=True)
    names = {
        consumer["name"]
        for shard in range(keys.SHARDS)
        for consumer in await redis.xinfo_consumers(keys.finished(shard), GROUP)
    }
    assert names == {b"stays"}
    (stream,) = [s for s in range(keys.SHARDS) if await redis.xlen(keys.finished(s))]
    assert (await redis.xpending(keys.finished(stream), GROUP))["pending"] == 1
