"""What happens in a session, events or emotes, as an async iterator with a bounded number of unread ones."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final, Generic, TypeVar

from services.client.errors import ClientError, FellBehind, Left, TableClosed

T = TypeVar("T")
UNREAD: Final = 4096
"""How much may wait for a slow reader. One more, and it gets :class:`FellBehind` after what it has; the
session itself, and its view, are not concerned."""


class Feed(Generic[T]):
    """What one reader gets, from the moment it was made. Ends when the table closes or the session is left."""

    def __init__(self) -> None:
        self._unread: deque[T] = deque()
        self._end: ClientError | None = None
        self._waiter: asyncio.Future[None] | None = None

    def put(self, item: T) -> None:
        """The next one."""
        if self._end is not None:
            return
        if len(self._unread) >= UNREAD:
            self.end(FellBehind(f"{UNREAD} were not read"))
            return
        self._unread.append(item)
        self._wake()

    def end(self, error: ClientError) -> None:
        """No more will come."""
        if self._end is None:
            self._end = error
            self._wake()

    def __aiter__(self) -> Feed[T]:
        return self

    async def __anext__(self) -> T:
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
