"""What a running service holds: things to close, background tasks, readiness checks, and the wish to stop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, Final, TypeVar

from services.runtime import metrics
from services.runtime.log import logger

CHECK_SECONDS: Final = 1.0
"""How often readiness is looked at, and how long one check may take."""
_CANCEL_AGAIN_SECONDS: Final = 0.5

Check = Callable[[], Awaitable[bool]]
"""Whether something that the service needs is there now; raising means no."""

T = TypeVar("T")
_log = logger(__name__)


class Scope:
    """One service's life. ``stopping`` is set when it shall end: long-lived calls and tasks then finish by themselves.

    Closed by :meth:`close`: first the tasks are cancelled, then what was entered is left, last first.
    """

    def __init__(self) -> None:
        self.stopping = asyncio.Event()
        self.failed = False
        """Whether a background task broke; the process then ends with an error."""
        self._stack = AsyncExitStack()
        self._tasks: set[asyncio.Task[None]] = set()
        self._checks: dict[str, Check] = {}

    async def enter(self, manager: AbstractAsyncContextManager[T]) -> T:
        """Enters ``manager`` now and leaves it when the service ends."""
        return await self._stack.enter_async_context(manager)

    def spawn(self, start: Callable[[], Coroutine[Any, Any, None]], name: str) -> asyncio.Task[None]:
        """Runs ``start()`` in the background. If it raises, that is logged and the whole process ends with an error.

        It may return at any time; when the service ends it is cancelled.
        """
        task = asyncio.create_task(start(), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def health(self, name: str, check: Check) -> None:
        """Adds a readiness check; the service is ready while all of them pass. ``name`` is a metric's label."""
        self._checks[name] = check
        metrics.READY.labels(name).set(0)

    async def ready(self) -> dict[str, bool]:
        """Every check's answer now, all asked at once."""
        names = list(self._checks)
        answers = await asyncio.gather(*(self._ask(name) for name in names))
        return dict(zip(names, answers, strict=True))

    async def close(self) -> None:
        """Cancels the tasks and waits for them, then leaves everything that was entered."""
        self.stopping.set()
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            # Once is not enough: up to Python 3.11 asyncio.wait_for, through which Redis commands go, swallows a
            # cancellation that comes in the very moment in which what it waits for is done.
            await asyncio.wait(self._tasks, timeout=_CANCEL_AGAIN_SECONDS)
        await self._stack.aclose()

    async def _ask(self, name: str) -> bool:
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                passed = await self._checks[name]()
        except Exception as error:
            _log.debug("check failed", check=name, error=repr(error))
            passed = False
        metrics.READY.labels(name).set(passed)
        return passed

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.error("background task failed", task=task.get_name(), exc_info=error)
            self.failed = True
            self.stopping.set()
