"""The events of a session as an async iterator, with a bounded number of unread ones."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

from services.client.errors import ClientError, FellBehind, Left, TableClosed
from services.rules.events import Event

UNREAD: Final = 4096
"""How many events may wait for a slow reader. One more, and it gets :class:`FellBehind` after what it has; the
session itself, and its view, are not concerned."""


class Feed:
    """One reader's events, from the moment it was made. Ends when the table closes or the session is left."""

    def __init__(self) -> None:
        self._unread: deque[Event] = deque()
        self._end: ClientError | None = None
        self._waiter: asyncio.Future[None] | None = None

    def put(self, event: Event) -> None:
        """The next event."""
        if self._end is not None:
            return
        if len(self._unread) >= UNREAD:
            self.end(FellBehind(f"{UNREAD} events were not read"))
            return
        self._unread.append(event)
        self._wake()

    def end(self, error: ClientError) -> None:
        """No more will come."""
        if self._end is None:
            self._end = error
            self._wake()

    def __aiter__(self) -> Feed:
        return self

    async def __anext__(self) -> Event:
        while not self._unread:
            if isinstance(self._end, Left | TableClosed):
                raise StopAsyncIteration
            if self._end is not None:
                raise self._end
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._unread.popleft()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
