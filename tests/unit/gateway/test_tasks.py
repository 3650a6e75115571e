"""Work that nobody waits for is waited for at the end."""

from __future__ import annotations

import asyncio

from services.gateway.tasks import Tasks


async def test_what_running_work_has_begun_is_waited_for_too() -> None:
    tasks, done = Tasks(), list[str]()

    async def farewell() -> None:
        await asyncio.sleep(0.01)
        done.append("farewell")

    async def work() -> None:
        await asyncio.sleep(0.01)
        tasks.spawn(farewell())
        done.append("work")

    tasks.spawn(work())
    await tasks.settle(30)
    assert done == ["work", "farewell"]
    assert len(tasks) == 0


async def test_what_takes_too_long_is_cancelled_with_all_that_it_begins_at_its_end() -> None:
    tasks, loop = Tasks(), asyncio.get_running_loop()

    async def for_ever() -> None:
        await asyncio.Event().wait()

    async def work() -> None:
        try:
            await for_ever()
        finally:
            tasks.spawn(for_ever())

    tasks.spawn(work())
    began = loop.time()
    await tasks.settle(0.05)
    assert len(tasks) == 0
    assert loop.time() - began < 10
