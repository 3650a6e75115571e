"""Questions that take long: one at a time, few that wait, and nobody else is held up."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from services.gateway.thinking import Thinking
from services.runtime.errors import Fault, ResourceExhausted, Unavailable


class Riddle:
    """A question that nobody can answer until it is solved."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.solved = threading.Event()

    def __call__(self) -> str:
        self.begun.set()
        assert self.solved.wait(20)
        return "answer"


@pytest_asyncio.fixture
async def thinking() -> AsyncIterator[Thinking]:
    async with Thinking(most=3) as thinking:
        yield thinking


async def refused(thinking: Thinking, player: str) -> Fault:
    with pytest.raises(Fault) as fault:
        await thinking.about(player, lambda: "never")
    return fault.value


async def begun(riddle: Riddle) -> None:
    async with asyncio.timeout(20):
        while not riddle.begun.is_set():
            await asyncio.sleep(0.001)


async def test_the_loop_goes_on_while_somebody_thinks(thinking: Thinking) -> None:
    riddle = Riddle()
    asked = asyncio.create_task(thinking.about("ada", riddle))
    await begun(riddle)
    assert not asked.done()
    riddle.solved.set()
    assert await asked == "answer"
    assert await thinking.about("ada", lambda: 2) == 2


async def test_one_thinks_at_a_time_and_few_wait_of_each_player_one(thinking: Thinking) -> None:
    riddle, others = Riddle(), [Riddle(), Riddle()]
    asked = [asyncio.create_task(thinking.about(name, it)) for name, it in zip("abc", (riddle, *others), strict=True)]
    await begun(riddle)
    assert isinstance(fault := await refused(thinking, "a"), ResourceExhausted)
    assert fault.reason == "TOO_MANY_QUESTIONS"
    assert isinstance(fault := await refused(thinking, "d"), Unavailable)
    assert fault.reason == "BUSY"
    assert not any(other.begun.is_set() for other in others)
    for each in (riddle, *others):
        each.solved.set()
    assert await asyncio.gather(*asked) == ["answer"] * 3


async def test_who_goes_away_takes_a_waiting_question_along(thinking: Thinking) -> None:
    riddle, waiting = Riddle(), Riddle()
    first = asyncio.create_task(thinking.about("ada", riddle))
    await begun(riddle)
    second = asyncio.create_task(thinking.about("bob", waiting))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.wait([second])
    riddle.solved.set()
    await first
    assert await thinking.about("bob", lambda: 1) == 1
    assert not waiting.begun.is_set()


async def test_a_mistake_in_thinking_is_told_and_the_next_question_answered(thinking: Thinking) -> None:
    with pytest.raises(ZeroDivisionError):
        await thinking.about("ada", lambda: 1 // 0)
    assert await thinking.about("ada", lambda: 1) == 1
