from __future__ import annotations

from services.lobby.bell import MOST, Bell
from services.lobby.table import TableId


async def test_a_table_stands_in_the_queue_once_and_again_after_its_turn() -> None:
    bell = Bell()
    for name in ("a", "b", "a"):
        bell.ring(TableId(name))
    assert len(bell) == 2
    assert await bell.next() == "a"
    bell.ring(TableId("a"))
    assert [await bell.next(), await bell.next()] == ["b", "a"]
    assert len(bell) == 0


async def test_when_it_is_full_further_rings_are_dropped() -> None:
    bell = Bell()
    for number in range(MOST + 5):
        bell.ring(TableId(f"t{number}"))
    assert len(bell) == MOST
    assert await bell.next() == "t0"
    bell.ring(TableId("late"))
    assert len(bell) == MOST
