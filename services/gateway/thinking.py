"""Questions that take long to think about, answered on a thread, so that sockets go on meanwhile.

Threads share one interpreter, so one thinks at a time; few questions wait, and of each player one. Who asks must see to
it that the thinking ends by itself: a thread can't be stopped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Final, Self, TypeVar

from services.gateway import metrics
from services.runtime.errors import ResourceExhausted, Unavailable

MOST_ASKED: Final = 8
"""Questions that are thought about or wait. When so many are, further ones are refused."""

T = TypeVar("T")


class Thinking:
    """One thread and its queue; ``async with`` ends it. What is being thought about then nobody hears of any more."""

    def __init__(self, most: int = MOST_ASKED) -> None:
        self._most = most
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="thinking")
        self._asking: set[str] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def about(self, player: str, question: Callable[[], T]) -> T:
        """The answer to a player's question. Raises ``TOO_MANY_QUESTIONS``, and ``BUSY``."""
        if player in self._asking:
            metrics.QUESTIONS.labels("too_many").inc()
            raise ResourceExhausted("TOO_MANY_QUESTIONS", "one question at a time")
        if len(self._asking) >= self._most:
            metrics.QUESTIONS.labels("busy").inc()
            raise Unavailable("BUSY", "too many ask at once")
        self._asking.add(player)
        try:
            with metrics.THINKING_SECONDS.time():
                # Who goes away takes a question that waits along; one that is thought about is thought to its end.
                answer = await asyncio.get_running_loop().run_in_executor(self._thread, question)
        finally:
            self._asking.discard(player)
        metrics.QUESTIONS.labels("answered").inc()
        return answer
