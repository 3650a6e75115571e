"""What is left of a player who was deleted, in either database: nothing but the id itself."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import Integer, select, text

from services.rules.replay import verify
from services.runtime.errors import InvalidArgument
from services.scoring.aces_up import game_log
from services.scoring.aces_up.archive import GameArchive
from services.scoring.archive import Archive
from services.scoring.database import Database
from services.scoring.forgetting import Forgetting, hold_off
from services.scoring.hand_log import read
from services.scoring.ledger import Ledger
from services.scoring.packing import unpack
from services.scoring.ports import Entry
from services.scoring.schema import aces_up_games, forgotten, hand_logs, hand_scores, metadata
from tests.unit.scoring.games import LOSES, whole
from tests.unit.scoring.logs import ANN, BEN, entry_of, played


async def count(database: Database, seed: int, *, match: str, hand: int = 1) -> None:
    log = played(seed, match=match, hand=hand, commands=20)
    finished = entry_of(log, match=match, hand=hand)
    await Ledger(database).count(Entry(3, f"1700000000000-{seed}", ()), finished, read(log, finished), log)


async def count_game(database: Database, number: int, *, match: str) -> None:
    log = whole(number, match=match)
    finished = entry_of(log, match=match)
    await Ledger(database).count(Entry(3, "1700000000000-1", ()), finished, game_log.read(log, finished), log)


async def everything(database: Database) -> str:
    """All that the database holds but the list of those who were deleted, logs unpacked."""
    told: list[Any] = []
    async with database.read("ping") as connection:
        for table in metadata.sorted_tables:
            if table is not forgotten:
                for row in await connection.execute(select(table)):
                    told += [unpack(value) if isinstance(value, bytes) else value for value in row]
    return repr(told)


async def test_nothing_is_left_of_a_player_but_seats_and_points(database: Database) -> None:
    for number in range(3):
        await count(database, number, match=f"m{number}")
    await count_game(database, LOSES[0], match="alone")
    before = await everything(database)
    assert "p-ann" in before
    assert "Ann" in before
    assert await Forgetting(database, batch=2).forget("p-ann")
    after = await everything(database)
    assert "p-ann" not in after
    assert "Ann" not in after
    assert after.count("p-ben") == before.count("p-ben")
    match = await Archive(database).match("m1")
    assert match is not None
    assert [(seat.player, seat.name) for seat in match.hands[0].seats] == [("", "—"), (BEN.player, BEN.name)]
    async with database.read("ping") as connection:
        points = (await connection.execute(select(hand_scores.c.points).where(hand_scores.c.player == ""))).all()
    assert len(points) == 3
    assert await Archive(database).matches("p-ann", None, 10) == []
    assert [leader.player for leader in await Archive(database).leaders(10)] == ["p-ben"]
    assert (await GameArchive(database).statistics("p-ann")).played == 0
    log = await Archive(database).hand("m1", 1)
    assert log
    assert verify(log).verified
    game = await GameArchive(database).log("alone", 1)
    assert game
    assert verify(game).verified


async def test_what_is_counted_later_leaves_the_player_out(database: Database) -> None:
    await count(database, 1, match="m1")
    forgetting = Forgetting(database)
    assert await forgetting.forget("p-ann")
    await count(database, 2, match="m1", hand=2)
    await count(database, 3, match="m2")
    await count_game(database, LOSES[0], match="alone")
    assert "p-ann" not in await everything(database)
    assert [leader.player for leader in await Archive(database).leaders(10)] == ["p-ben"]
    assert await forgetting.go_on() == 0


async def test_deleting_while_hands_are_counted_leaves_nothing(database: Database, database_url: str) -> None:
    others = [Database(database_url) for _ in range(3)]
    counting = [count(others[number % 3], number, match=f"m{number}") for number in range(9)]
    await asyncio.gather(*counting[:5], Forgetting(database).forget("p-ann"), *counting[5:])
    assert "p-ann" not in await everything(database)
    async with database.read("ping") as connection:
        assert len((await connection.execute(select(hand_logs.c.match_id))).all()) == 9
    for other in others:
        await other.close()


async def test_a_deletion_waits_for_whoever_is_counting(database: Database) -> None:
    waits = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    async with database.write("count") as counting:
        await hold_off(counting)
        deleting = asyncio.create_task(Forgetting(database).forget("p-ann", patience_seconds=60))
        # In SQLite nobody else writes in any case.
        async with asyncio.timeout(30):
            while not database.sqlite and not deleting.done() and not await counting.scalar(waits):
                await asyncio.sleep(0.01)
        row = {column.name: 0 if isinstance(column.type, Integer) else "x" for column in aces_up_games.columns}
        told = {"player": "p-ann", "practice": False, "auto_remove": False, "played": True}
        await counting.execute(aces_up_games.insert().values(row | told))
    assert await deleting
    assert "p-ann" not in await everything(database)


async def test_whoever_comes_next_goes_on_where_another_stopped(database: Database) -> None:
    for number in range(4):
        await count(database, number, match=f"m{number}")
    assert not await Forgetting(database, batch=1).forget("p-ann", patience_seconds=-1)
    assert "p-ann" in await everything(database)
    later, rounds = Forgetting(database, batch=1), 0
    while await later.go_on():
        rounds += 1
    assert rounds == 4
    assert "p-ann" not in await everything(database)


async def test_a_log_that_cannot_be_read_goes_with_its_player_and_the_score_stays(database: Database) -> None:
    log = [*played(1, match="m1"), b"of p-ann \xff"]
    finished = entry_of(log[:-1], match="m1")
    await Ledger(database).count(Entry(3, "1700000000000-1", ()), finished, read(log[:-1], finished), log)
    assert await Forgetting(database).forget("p-ann")
    assert "p-ann" not in await everything(database)
    assert await Archive(database).hand("m1", 1) == []
    match = await Archive(database).match("m1")
    assert match is not None
    assert len(match.hands) == 1


@pytest.mark.parametrize("player", ["", "x" * 129, "a\0b"])
async def test_what_is_no_players_id_changes_nothing(database: Database, player: str) -> None:
    await count_game(database, LOSES[0], match="alone")
    before = await everything(database)
    with pytest.raises(InvalidArgument, match="not the id"):
        await Forgetting(database).forget(player)
    assert await everything(database) == before
    async with database.read("ping") as connection:
        assert (await connection.execute(select(forgotten))).all() == []
        assert (await connection.execute(select(aces_up_games.c.player))).scalars().all() == [ANN.player]
