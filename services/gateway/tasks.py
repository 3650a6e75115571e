"""Small pieces of work that nobody waits for: kept alive until they end, their failures logged, stopped together."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import Context
from typing import Any

from services.runtime.log import logger

_log = logger(__name__)


class Tasks:
    """A bag of running tasks."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._running)

    def spawn(self, work: Coroutine[Any, Any, None], context: Context | None = None) -> asyncio.Task[None]:
        """Runs ``work`` beside everything else. An exception is logged and ends nothing but itself.

        ``context``: the variables that it runs with; none: those that are set here.
        """
        task = asyncio.get_running_loop().create_task(work, context=context)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def settle(self, seconds: float) -> None:
        """Waits for what runs, and for what that begins, for so long at most; what is left is cancelled."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while self._running and (left := until - loop.time()) > 0:
            await asyncio.wait(set(self._running), timeout=left)
        await self.cancel()

    async def cancel(self) -> None:
        """Cancels what runs, and what that begins, and waits for its end."""
        while running := set(self._running):
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("background work failed", exc_info=error)


async def until_first_ends(*works: Coroutine[Any, Any, None]) -> None:
    """Runs all together until one ends; the others are cancelled, and what it raised is raised."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
