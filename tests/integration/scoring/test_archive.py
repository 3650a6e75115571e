from __future__ import annotations

from services.rules.events import Player
from services.scoring.archive import Archive
from services.scoring.database import Database
from services.scoring.hand_log import read
from services.scoring.ledger import Ledger
from services.scoring.pages import Place
from services.scoring.ports import Entry
from tests.unit.scoring.logs import ANN, BEN, BOT, T0, entry_of, played, written


async def count(database: Database, log: list[bytes], *, match: str = "m1", hand: int = 1) -> None:
    finished = entry_of(log, hand=hand, match=match)
    await Ledger(database).count(Entry(0, f"{T0}-0", ()), finished, read(log, finished), log)


async def test_a_hands_log_comes_back_byte_for_byte(database: Database) -> None:
    log = played(5)
    await count(database, log)
    assert await Archive(database).hand("m1", 1) == log


async def test_what_was_never_counted_is_not_there(database: Database) -> None:
    archive = Archive(database)
    await count(database, written([1, 2]))
    for match, hand in (("m1", 2), ("m2", 1), ("", 0), ("m\0", 1), ("m1", 2**32 - 1)):
        assert await archive.hand(match, hand) is None
    assert await archive.match("m2") is None
    assert await archive.match("m\0") is None
    assert await archive.matches("p\0", None, 20) == []


async def test_matches_are_listed_newest_first_page_by_page(database: Database) -> None:
    # Some begin in the same millisecond.
    started = {f"m{i:02}": T0 + 1000 * (i // 3) for i in range(10)}
    for match, at in started.items():
        await count(database, written([1, 2], match=match, at=at), match=match)
    archive = Archive(database)
    found: list[str] = []
    after = None
    while page := await archive.matches("", after, 4):
        found += [match.id for match in page]
        after = Place(page[-1].started_ms, page[-1].id)
    assert found == [f"m{i:02}" for i in reversed(range(10))]


async def test_a_players_history_has_every_match_in_which_they_sat(database: Database) -> None:
    await count(database, written([1, 2], players=(ANN, BEN), match="m1"), match="m1")
    await count(database, written([1, 2], players=(ANN, BOT), match="m1", hand=2), match="m1", hand=2)
    await count(database, written([1, 2], players=(BEN, BOT), match="m2", at=T0 + 5), match="m2")
    archive = Archive(database)
    assert [match.id for match in await archive.matches("p-ben", None, 20)] == ["m2", "m1"]
    assert [match.id for match in await archive.matches("p-ann", None, 20)] == ["m1"]
    assert [match.id for match in await archive.matches("p-ben", Place(T0 + 5, "m2"), 20)] == ["m1"]
    assert await archive.matches("p-eve", None, 20) == []


async def test_the_leaderboard_is_of_people_by_victories_then_by_average(database: Database) -> None:
    cat, dan = Player("p-cat", "Cat", False, "d"), Player("p-dan", "Dan", False, "e")
    await count(database, written([52, 10], match="m1", players=(ANN, BEN)), match="m1")
    await count(database, written([52, 30], match="m1", players=(ANN, BEN), hand=2), match="m1", hand=2)
    await count(database, written([40, 50, 40], match="m2", players=(cat, BOT, dan)), match="m2")
    leaders = await Archive(database).leaders(10)
    assert [(x.player, x.matches, x.won, x.hands, x.points_per_hand) for x in leaders] == [
        ("p-ann", 1, 1, 2, 52.0),
        ("p-cat", 0, 0, 1, 40.0),
        ("p-dan", 0, 0, 1, 40.0),
        ("p-ben", 1, 0, 2, 20.0),
    ]
    assert [x.player for x in await Archive(database).leaders(1)] == ["p-ann"]


async def test_the_leaderboard_and_histories_are_read_from_an_index(database: Database) -> None:
    if not database.sqlite:
        return
    queries = {
        "SELECT * FROM players WHERE bot = 0 ORDER BY won DESC, average DESC, player LIMIT 20": "ix_players_leaders",
        "SELECT * FROM matches ORDER BY started_ms DESC, id DESC LIMIT 20": "ix_matches_newest",
        "SELECT * FROM match_players WHERE player = 'p' ORDER BY started_ms DESC, match_id DESC LIMIT 20": "autoindex",
    }
    async with database.read("ping") as connection:
        for query, index in queries.items():
            plan = str((await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}")).all())
            assert index in plan, plan
            assert "TEMP B-TREE" not in plan, plan
