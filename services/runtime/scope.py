"""What a running service holds: things to close, background tasks, readiness checks, drain and stop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, Final, TypeVar

from services.runtime import metrics
from services.runtime.log import logger

CHECK_SECONDS: Final = 1.0
"""How often readiness is looked at, and how long one check may take."""
_CANCEL_AGAIN_SECONDS: Final = 0.5

Check = Callable[[], Awaitable[bool]]
"""Whether something that the service needs is there now; raising means no."""
Farewell = Callable[[], Awaitable[None]]
"""What a drain has to do and wait for."""

T = TypeVar("T")
_log = logger(__name__)


class Scope:
    """One service's life.

    ``draining`` is set when it shall take nothing new and hand over what it has; from then on it is not ready.
    ``stopping`` is set when it shall end: long-lived calls and tasks then finish by themselves. A stop begins with a
    drain; a drain alone leaves the process there, for whoever ordered it to end.

    Closed by :meth:`close`: first the tasks are cancelled, then what was entered is left, last first.
    """

    def __init__(self) -> None:
        self.draining = asyncio.Event()
        self.stopping = asyncio.Event()
        self.failed = False
        """Whether a background task broke; the process then ends with an error."""
        self._stack = AsyncExitStack()
        self._tasks: set[asyncio.Task[None]] = set()
        self._checks: dict[str, Check] = {}
        self._shared: set[str] = set()
        self._reached: set[str] = set()
        self._farewells: list[Farewell] = []
        self._drained: asyncio.Task[None] | None = None

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

    def health(self, name: str, check: Check, *, shared: bool = False) -> None:
        """Adds a readiness check; the service is ready while all of them pass. ``name`` is a metric's label.

        ``shared``: what all copies of the service lean on. It must have passed once; if it fails later, this process
        is degraded but stays ready, since every other copy would fail with it, and nobody would be left to say so.
        """
        self._checks[name] = check
        if shared:
            self._shared.add(name)
        metrics.READY.labels(name).set(0)

    def on_drain(self, farewell: Farewell) -> None:
        """Has ``farewell`` run once when the drain begins; a stop waits for it, so it must have an end of its own."""
        self._farewells.append(farewell)

    def drain(self) -> None:
        """Begins the drain: not ready any more, nothing new, what is here is handed over. May be called again."""
        if self._drained is None:
            self.draining.set()
            metrics.DRAINING.set(1)
            self._drained = asyncio.create_task(self._say_farewell(), name="drain")

    async def drained(self) -> None:
        """Drains, unless that was begun before, and waits until it is done."""
        self.drain()
        assert self._drained is not None
        await asyncio.wait([self._drained])

    def serves(self, answers: Mapping[str, bool]) -> bool:
        """Whether the service is ready, given the checks' ``answers``: it may be degraded, but not drain or stop."""
        lacking = any(not passed and name not in self._reached for name, passed in answers.items())
        ready = not (lacking or self.draining.is_set() or self.stopping.is_set())
        metrics.DEGRADED.set(ready and not all(answers.values()))
        return ready

    async def ready(self) -> dict[str, bool]:
        """Every check's answer now, all asked at once."""
        names = list(self._checks)
        answers = await asyncio.gather(*(self._ask(name) for name in names))
        return dict(zip(names, answers, strict=True))

    async def close(self) -> None:
        """Cancels the tasks and waits for them, then leaves everything that was entered."""
        self.stopping.set()
        if self._drained is not None:
            self._drained.cancel()
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
        if passed and name in self._shared:
            self._reached.add(name)
        metrics.READY.labels(name).set(passed)
        return passed

    async def _say_farewell(self) -> None:
        said = await asyncio.gather(*(farewell() for farewell in self._farewells), return_exceptions=True)
        for error in said:
            if isinstance(error, Exception):
                _log.error("drain failed", exc_info=error)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.error("background task failed", task=task.get_name(), exc_info=error)
            self.failed = True
            self.stopping.set()
