"""The direct path of one process: its streams to the engines, its calls to the lobby, what it hears of its tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeVar
from zlib import crc32

import msgspec

from services.client.frames import TableFrame
from services.client.link import Listener
from services.client.models import Table
from services.loadtest.direct.backend import Engine, Lobby, Snapshot, Taken
from services.loadtest.direct.line import DirectLine
from services.loadtest.direct.redis_feed import RedisFeed
from services.loadtest.direct.stream import Stream
from services.loadtest.messages import Addresses
from services.loadtest.place import Place
from services.runtime.errors import Fault, Unavailable

_AGAIN_S: Final = 0.25

T = TypeVar("T")


class DirectPath:
    """Makes the lines of this process, and is what they ask."""

    def __init__(self, engines: list[Engine], lobby: Lobby, feed: RedisFeed) -> None:
        self.streams = [Stream(engine.address, engine.open) for engine in engines]
        self._engines = engines
        self._lobby = lobby
        self._feed = feed
        self._tables: dict[str, _Table] = {}

    def line(self, place: Place, listener: Listener) -> DirectLine:
        """A seat's line."""
        table = self._tables.get(place.table)
        if table is None:
            table = self._tables[place.table] = _Table(place.table, self._lobby, self._feed)
        return DirectLine(place, listener, self, table)

    def stream(self, table: str) -> Stream:
        """The stream for a table's commands, always to the same engine while that is there. Raises ``Unavailable``."""
        ready = [stream for stream in self.streams if stream.ready.is_set()]
        if not ready:
            raise Unavailable("UNAVAILABLE", "no engine can be reached")
        return max(ready, key=lambda stream: crc32(f"{stream.address}|{table}".encode()))

    async def attach(self, table: str, seat: int, after_n: int) -> Taken:
        """Takes a seat."""
        return await self._any(lambda engine: engine.attach(table, seat, after_n))

    async def snapshot(self, table: str) -> Snapshot:
        """A table's public state."""
        return await self._any(lambda engine: engine.snapshot(table))

    async def ready(self, table: str, player: str, nonce: str) -> None:
        """A player is ready for the next hand."""
        await self._lobby.ready(table, player, nonce)

    async def present(self, table: str, player: str) -> None:
        """A player has come."""
        await self._lobby.present(table, player)

    async def _any(self, call: Callable[[Engine], Awaitable[T]]) -> T:
        last: Fault = Unavailable("UNAVAILABLE", "no engine")
        for engine in self._engines:
            try:
                return await call(engine)
            except Unavailable as fault:
                last = fault
        raise last


class _Table:
    """One table as its lines in this process hear it. It is asked for once per change, and told to all."""

    def __init__(self, table: str, lobby: Lobby, feed: RedisFeed) -> None:
        self.table = table
        self._lobby = lobby
        self._feed = feed
        self._lines: list[DirectLine] = []
        self._subscribing: asyncio.Task[None] | None = None
        self._refreshing: asyncio.Task[None] | None = None
        self._stale = False

    async def join(self, line: DirectLine) -> Table:
        """From now on the line is told; the table as it is now."""
        if line not in self._lines:
            self._lines.append(line)
        if self._subscribing is None or (self._subscribing.done() and self._subscribing.exception() is not None):
            self._subscribing = asyncio.create_task(self._feed.subscribe(self))
        await asyncio.shield(self._subscribing)
        return await self._lobby.table(self.table)

    def leave(self, line: DirectLine) -> None:
        """Ends that."""
        if line in self._lines:
            self._lines.remove(line)

    def published(self, payload: bytes) -> None:
        """Events, a line each."""
        frames = payload.splitlines()
        for line in tuple(self._lines):
            line.published(frames)

    def changed(self) -> None:
        """The lobby has changed the table."""
        self._stale = True
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = asyncio.create_task(self._refresh(), name="direct table")

    async def _refresh(self) -> None:
        while self._stale and self._lines:
            self._stale = False
            try:
                frame = msgspec.json.encode(TableFrame(await self._lobby.table(self.table)))
            except Fault:
                self._stale = True
                await asyncio.sleep(_AGAIN_S)
                continue
            for line in tuple(self._lines):
                line.table(frame)


@asynccontextmanager
async def direct_path(addresses: Addresses) -> AsyncIterator[DirectPath]:
    """The path, connected for as long as it is needed. Raises ``ConnectionProblem`` from within when it breaks."""
    engines, lobby = [Engine(address) for address in addresses.engines], Lobby(addresses.lobby)
    feed = RedisFeed(addresses.redis_url)
    path = DirectPath(engines, lobby, feed)
    try:
        async with asyncio.TaskGroup() as group:
            running = [group.create_task(stream.run()) for stream in path.streams]
            running.append(group.create_task(feed.run()))
            for stream in path.streams:
                await stream.ready.wait()
            yield path
            for task in running:
                task.cancel()
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    finally:
        await feed.close()
        for engine in engines:
            await engine.close()
        await lobby.close()
