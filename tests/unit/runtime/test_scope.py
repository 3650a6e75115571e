from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.runtime.scope import Scope


async def test_what_was_entered_is_left_last_first_and_after_the_tasks_have_ended() -> None:
    order: list[str] = []

    @asynccontextmanager
    async def thing(name: str) -> AsyncIterator[str]:
        yield name
        order.append(name)

    async def task() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            order.append("task")

    scope = Scope()
    assert [await scope.enter(thing(name)) for name in ("first", "second")] == ["first", "second"]
    scope.spawn(task, "task")
    await asyncio.sleep(0)
    await scope.close()
    assert order == ["task", "second", "first"]
    assert not scope.failed


async def test_a_task_that_breaks_stops_the_service_as_failed() -> None:
    async def breaks() -> None:
        raise RuntimeError("broken")

    scope = Scope()
    scope.spawn(breaks, "breaks")
    await asyncio.wait_for(scope.stopping.wait(), 10)
    assert scope.failed
    await scope.close()


async def test_a_task_that_returns_or_is_cancelled_is_no_failure() -> None:
    async def returns() -> None:
        return

    scope = Scope()
    await scope.spawn(returns, "returns")
    endless = scope.spawn(asyncio.Event().wait, "endless")  # type: ignore[arg-type]
    endless.cancel()
    await asyncio.wait([endless])
    assert not scope.stopping.is_set()
    await scope.close()
    assert not scope.failed


async def test_a_task_that_breaks_while_it_is_being_stopped_is_a_failure_too() -> None:
    async def breaks() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise RuntimeError("could not say goodbye")

    scope = Scope()
    scope.spawn(breaks, "breaks")
    await asyncio.sleep(0)
    await scope.close()
    assert scope.failed


async def test_things_are_left_even_if_leaving_one_of_them_fails() -> None:
    left: list[str] = []

    @asynccontextmanager
    async def thing(name: str) -> AsyncIterator[None]:
        try:
            yield
        finally:
            left.append(name)
            if name == "second":
                raise RuntimeError(name)

    scope = Scope()
    for name in ("first", "second"):
        await scope.enter(thing(name))
    try:
        await scope.close()
    except RuntimeError:
        left.append("raised")
    assert left == ["second", "first", "raised"]


async def test_a_drain_runs_every_farewell_once_and_is_waited_for() -> None:
    said: list[str] = []
    go_on = asyncio.Event()

    async def slow() -> None:
        await go_on.wait()
        said.append("slow")

    async def breaks() -> None:
        said.append("breaks")
        raise RuntimeError("broken")

    scope = Scope()
    scope.on_drain(slow)
    scope.on_drain(breaks)
    assert scope.serves({"redis": True})
    scope.drain()
    scope.drain()
    assert not scope.serves({"redis": True}), "from the first moment on"
    waiting = asyncio.create_task(scope.drained())
    while "breaks" not in said:
        await asyncio.sleep(0)
    assert not waiting.done()
    go_on.set()
    await asyncio.wait_for(waiting, 10)
    assert said == ["breaks", "slow"]
    assert not scope.stopping.is_set(), "a drain alone stops nothing"
    await scope.close()
