from __future__ import annotations

import asyncio

import pytest
from prometheus_client import REGISTRY

from services.rules.aces_up.events import AcesEndWhy
from services.rules.events import EndWhy
from services.runtime.errors import Unavailable
from services.scoring.counting import Counter
from services.scoring.finished import BadEntry, Finished
from services.scoring.judging import judge_by
from services.scoring.letters import Reason
from services.scoring.ports import Delivery, Entry
from tests.unit.scoring.fakes import MemoryBooks, MemoryInbox
from tests.unit.scoring.games import WINS, whole
from tests.unit.scoring.logs import entry_of, trusting, written


def counter(inbox: MemoryInbox, books: MemoryBooks) -> Counter:
    return Counter(inbox, books, judge_by(trusting))


def metric(name: str, **labels: str) -> float:
    value = REGISTRY.get_sample_value(f"pandemonium_scoring_{name}", labels)
    assert value is not None, f"no series {name} {labels}"
    return value


def deliver(inbox: MemoryInbox, points: list[int], hand: int = 1, first: int = 1) -> Finished:
    log = written(points, hand=hand, first=first)
    finished = entry_of(log, hand=hand, first=first)
    inbox.deliver(finished, log)
    return finished


async def test_a_finished_hand_is_counted_published_and_acknowledged() -> None:
    inbox, books = MemoryInbox(), MemoryBooks()
    finished = deliver(inbox, [24, -3])
    counted = metric("hands_counted_total", why="called")
    assert await counter(inbox, books).round()
    assert [(f, r.points, r.totals) for f, r in inbox.scored] == [(finished, (24, -3), (24, -3))]
    assert inbox.waiting == []
    assert metric("hands_counted_total", why="called") == counted + 1


@pytest.mark.parametrize("window", ["publish", "acknowledge"])
async def test_a_scorer_that_fails_after_the_commit_counts_once_and_publishes_again(window: str) -> None:
    inbox, books = MemoryInbox(failing=[window]), MemoryBooks()
    deliver(inbox, [24, -3])
    with pytest.raises(Unavailable):
        await counter(inbox, books).round()
    assert len(books.sheets) == 1
    again = metric("hands_redelivered_total")
    # Another scorer; by now the log may have been trimmed.
    inbox.logs.clear()
    assert await counter(inbox, books).round()
    assert {r.totals for _, r in inbox.scored} == {(24, -3)}
    assert inbox.waiting == []
    assert books.letters == []
    assert metric("hands_redelivered_total") == again + 1


async def test_a_database_that_fails_is_waited_for_and_nothing_is_lost() -> None:
    inbox, books = MemoryInbox(failing=["take", "log"]), MemoryBooks(failing=2)
    deliver(inbox, [24, -3])
    stopping = asyncio.Event()
    running = asyncio.create_task(counter(inbox, books).run(stopping))
    async with asyncio.timeout(60):
        while not inbox.scored:
            await asyncio.sleep(0)
    stopping.set()
    await running
    assert [r.points for _, r in inbox.scored] == [(24, -3)]


async def test_another_history_of_a_counted_hand_changes_nothing_and_is_reported() -> None:
    inbox, books = MemoryInbox(), MemoryBooks()
    deliver(inbox, [24, -3])
    await counter(inbox, books).round()
    conflicts = metric("hands_conflicting_total")
    deliver(inbox, [0, 40], first=50)
    await counter(inbox, books).round()
    assert [r.points for _, r in inbox.scored] == [(24, -3), (24, -3)]
    assert metric("hands_conflicting_total") == conflicts + 1


async def test_a_hand_waits_for_the_one_before_if_another_scorer_has_it() -> None:
    inbox, books = MemoryInbox(), MemoryBooks()
    inbox.elsewhere.append(Finished("t1", "m1", 1, 1, 3))
    deliver(inbox, [1, 2], hand=2, first=4)
    assert not await counter(inbox, books).round()
    assert (inbox.scored, books.sheets) == ([], {})
    inbox.elsewhere.clear()
    assert await counter(inbox, books).round()
    assert len(inbox.scored) == 1


async def test_a_hand_whose_log_is_missing_is_void_and_a_dead_letter() -> None:
    inbox, books = MemoryInbox(), MemoryBooks()
    inbox.deliver(Finished("t1", "m1", 1, 1, 9))
    dead = metric("dead_letters_total", reason="missing")
    await counter(inbox, books).round()
    assert [letter.reason for letter in books.letters] == [Reason.MISSING]
    assert metric("dead_letters_total", reason="missing") == dead + 1
    assert [(r.points, r.totals, r.over) for _, r in inbox.scored] == [((0, 0, 0), (0, 0, 0), False)]
    assert inbox.waiting == []


async def test_a_damaged_log_is_a_dead_letter_and_its_end_is_told() -> None:
    inbox, books = MemoryInbox(), MemoryBooks()
    log = written([24, -3])
    inbox.deliver(entry_of(log), [b"?", *log[1:]])
    await counter(inbox, books).round()
    assert [letter.reason for letter in books.letters] == [Reason.SHAPE]
    assert [r.points for _, r in inbox.scored] == [(24, -3)]


async def test_an_entry_that_names_no_hand_is_a_dead_letter_and_holds_nobody_up() -> None:
    inbox, books = MemoryInbox(), MemoryBooks()
    inbox.waiting.append(Delivery(Entry(0, "1-1", ()), BadEntry("table is not an identifier")))
    deliver(inbox, [24, -3])
    await counter(inbox, books).round()
    assert [letter.reason for letter in books.letters] == [Reason.ENTRY]
    assert len(inbox.scored) == 1
    assert inbox.waiting == []


async def test_what_the_database_refuses_becomes_a_void_hand() -> None:
    inbox, books = MemoryInbox(), MemoryBooks(refused=frozenset({"Ann"}))
    deliver(inbox, [24, -3])
    await counter(inbox, books).round()
    assert [letter.reason for letter in books.letters] == [Reason.REFUSED]
    assert [sheet.why for sheet in books.sheets.values()] == ["void"]
    assert [(r.points, r.totals) for _, r in inbox.scored] == [((0, 0), (0, 0))]


async def test_a_hand_that_the_database_refuses_altogether_is_buried_and_told_as_void() -> None:
    inbox, books = MemoryInbox(), MemoryBooks(refuses_all=True)
    deliver(inbox, [24, -3])
    await counter(inbox, books).round()
    assert [letter.reason for letter in books.letters] == [Reason.REFUSED]
    assert [(r.points, r.over) for _, r in inbox.scored] == [((), False)]
    assert inbox.waiting == []


@pytest.mark.parametrize("window", ["publish", "acknowledge"])
async def test_a_game_for_one_is_counted_once_and_told_as_over_also_again(window: str) -> None:
    inbox, books = MemoryInbox(failing=[window]), MemoryBooks()
    log = whole(WINS[0])
    inbox.deliver(entry_of(log), log)
    before = metric("games_counted_total", why="won")
    with pytest.raises(Unavailable):
        await counter(inbox, books).round()
    inbox.logs.clear()
    assert await counter(inbox, books).round()
    assert {(r.totals, r.over, r.winners) for _, r in inbox.scored} == {((0,), True, (0,))}
    assert [game.player for game in books.games.values()] == ["p-ann"]
    assert (books.sheets, books.letters, inbox.waiting) == ({}, [], [])
    assert metric("games_counted_total", why="won") == before + 1


async def test_a_game_whose_log_is_missing_is_known_by_its_one_seat_and_over() -> None:
    inbox, books = MemoryInbox(table_seats=1), MemoryBooks()
    inbox.deliver(Finished("t1", "m1", 1, 1, 9))
    await counter(inbox, books).round()
    assert [letter.reason for letter in books.letters] == [Reason.MISSING]
    assert [(game.why, game.played) for game in books.games.values()] == [("void", False)]
    assert [(r.totals, r.over, r.winners) for _, r in inbox.scored] == [((0,), True, ())]


@pytest.mark.parametrize("all_", [True, False])
async def test_a_game_that_the_database_refuses_is_over_and_void(all_: bool) -> None:
    inbox, books = MemoryInbox(), MemoryBooks(refused=frozenset({"p-ann"}), refuses_all=all_)
    log = whole(WINS[0])
    inbox.deliver(entry_of(log), log)
    await counter(inbox, books).round()
    assert [letter.reason for letter in books.letters] == [Reason.REFUSED]
    assert [(r.totals, r.over, r.winners) for _, r in inbox.scored] == [((0,), True, ())]
    assert [game.why for game in books.games.values()] == ([] if all_ else ["void"])
    assert inbox.waiting == []


def test_every_series_is_there_from_the_start() -> None:
    for how in AcesEndWhy:
        metric("games_counted_total", why=how.value)
    for why in EndWhy:
        metric("hands_counted_total", why=why.value)
    for reason in Reason:
        metric("dead_letters_total", reason=reason.value)
    for needed in ("database", "redis"):
        metric("retries_total", needed=needed)
    for name in (
        "hands_redelivered_total",
        "hands_voided_total",
        "disagreements_total",
        "backlog_hands",
        "backlog_age_seconds",
    ):
        metric(name)
