"""Commands over one plain, ordered connection to Redis: written as bytes, read by hiredis.

This is for what an engine does all the time: with redis-py's pipeline it takes 1.4 times the CPU for each play. Nothing
is ever sent twice, but for a call that Redis answers with NOSCRIPT, which has not run. Knows no key.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Protocol, cast

import hiredis
from redis.exceptions import RedisError

from services.engine.redis_server_at import Server, finder
from services.runtime import redis_metrics
from services.runtime.errors import Unavailable

CONNECT_SECONDS: Final = 0.5
"""How long opening the connection may take."""
REPLICAS_MS: Final = 500
"""How long replicas may take to have what was written."""
ANSWER_SECONDS: Final = 1.0
"""How long an answer may take, connecting included, before the outcome counts as unknown and the connection is cut."""

Call = tuple[Sequence[str], Sequence[str]]
"""Keys and arguments of one call."""


class Calls(Protocol):
    """Runs calls of one script: on one Redis, or over the nodes of a cluster."""

    async def run(self, calls: Sequence[Call]) -> list[Any]:
        """Each call's reply, or the error that stands for it. Raises ``Unavailable`` if all outcomes are unknown."""


def command(*words: str) -> bytes:
    """A command as Redis reads it."""
    packed: bytes = hiredis.pack_command(words)  # type: ignore[arg-type]  # its stub knows one word only
    return packed


class PlainRedis:
    """One server: the one at ``where``, a URL, or the one that ``where`` finds whenever a connection is opened.

    Connects when first used, and anew after the connection was lost.
    """

    def __init__(self, where: str | Callable[[], Awaitable[Server]]) -> None:
        self._find = finder(where) if isinstance(where, str) else where
        self._connection: _Connection | None = None
        self._connecting = asyncio.Lock()

    async def send(self, commands: Sequence[bytes]) -> list[Any]:
        """Each command's reply, or the error that Redis answered. Raises ``Unavailable`` if the outcome is unknown."""
        connection: _Connection | None = None
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                connection = await self._connected()
                return await connection.send(commands)
        except (OSError, TimeoutError, hiredis.HiredisError, RedisError) as error:
            if connection is not None:
                (redis_metrics.SILENT if isinstance(error, TimeoutError) else redis_metrics.LOST).inc()
                connection.abort()
            raise Unavailable("REDIS_UNAVAILABLE", "the log cannot be reached") from error

    def close(self) -> None:
        """Cuts the connection; what has no answer yet fails."""
        if self._connection is not None:
            self._connection.abort()

    async def _connected(self) -> _Connection:
        async with self._connecting:
            if self._connection is None or self._connection.lost:
                try:
                    async with asyncio.timeout(CONNECT_SECONDS):
                        self._connection = await _connect(await self._find())
                except (OSError, TimeoutError, hiredis.HiredisError, RedisError):
                    redis_metrics.FAILED.inc()
                    raise
                redis_metrics.OPENED.inc()
            return self._connection


class ScriptCalls:
    """Runs calls of one script, in the order in which they are given.

    A reply is given out only when so many ``replicas`` have what was written; without them the outcome is unknown.
    """

    def __init__(self, redis: PlainRedis, source: str, replicas: int = 0) -> None:
        self._redis = redis
        self._source = source
        self._replicas = replicas
        self._sha = _sha(source)

    async def run(self, calls: Sequence[Call]) -> list[Any]:
        """Each call's reply, or the error that Redis answered. Raises ``Unavailable`` if the outcome is unknown."""
        replies = await self._send([self._encoded(call) for call in calls])
        errors = [i for i, reply in enumerate(replies) if isinstance(reply, hiredis.ReplyError)]
        if errors:
            await self._put_right(calls, replies, errors)
        return replies

    async def ask(self, call: Call) -> Any:
        """The call's reply by a node that is just being given its keys."""
        load = command("SCRIPT", "LOAD", self._source)
        *_, reply = await self._send([load, command("ASKING"), self._encoded(call)])
        return reply

    async def _send(self, commands: list[bytes]) -> list[Any]:
        if not self._replicas:
            return await self._redis.send(commands)
        # WAIT counts those that have everything up to here: also what somebody else wrote, and is only asked for again.
        *replies, copies = await self._redis.send([*commands, command("WAIT", str(self._replicas), str(REPLICAS_MS))])
        if not isinstance(copies, int) or copies < self._replicas:
            raise Unavailable("REDIS_UNAVAILABLE", "too few replicas have it")
        return replies

    async def _put_right(self, calls: Sequence[Call], replies: list[Any], errors: Sequence[int]) -> None:
        missed = [i for i in errors if str(replies[i]).startswith("NOSCRIPT")]
        if missed:
            _, *again = await self._send(
                [command("SCRIPT", "LOAD", self._source), *(self._encoded(calls[i]) for i in missed)]
            )
            for i, reply in zip(missed, again, strict=True):
                replies[i] = reply
        if any("READONLY" in str(replies[i]) for i in errors):
            # It is no primary any more; who is, is asked when the connection is opened again.
            self._redis.close()

    def _encoded(self, call: Call) -> bytes:
        keys, args = call
        return command("EVALSHA", self._sha, str(len(keys)), *keys, *args)


@cache
def _sha(source: str) -> str:
    return hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()


@dataclass(slots=True)
class _Waiting:
    """Someone who waits for the next ``wanted`` replies."""

    wanted: int
    answered: asyncio.Future[list[Any]]
    replies: list[Any] = field(default_factory=list)


class _Connection(asyncio.Protocol):
    """Commands out, replies in, in the same order."""

    def __init__(self) -> None:
        self.lost = False
        self._reader = hiredis.Reader()
        self._waiting: deque[_Waiting] = deque()
        self._transport: asyncio.Transport | None = None

    async def send(self, commands: Sequence[bytes]) -> list[Any]:
        """The replies to these commands. Raises OSError if the connection is lost before they are all there."""
        if self.lost or self._transport is None:
            raise ConnectionError("not connected")
        waiting = _Waiting(len(commands), asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._transport.write(b"".join(commands))
        return await waiting.answered

    def abort(self) -> None:
        """Cuts the connection at once: after a silence nobody knows which reply belongs to what."""
        self.lost = True
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Called by asyncio."""
        try:
            self._reader.feed(data)
            while self._waiting:
                reply = self._reader.gets()
                if reply is False:
                    return
                first = self._waiting[0]
                first.replies.append(reply)
                if len(first.replies) == first.wanted:
                    self._waiting.popleft()
                    if not first.answered.done():
                        first.answered.set_result(first.replies)
        except hiredis.ProtocolError:
            self.abort()

    def connection_lost(self, error: Exception | None) -> None:
        """Called by asyncio."""
        self.lost = True
        while self._waiting:
            answered = self._waiting.popleft().answered
            if not answered.done():
                answered.set_exception(ConnectionError("connection lost"))


async def _connect(server: Server) -> _Connection:
    """A connection that is signed in and has the right database."""
    loop = asyncio.get_running_loop()
    connection: _Connection
    if server.path is not None:
        _, connection = await loop.create_unix_connection(_Connection, server.path)
    else:
        _, connection = await loop.create_connection(_Connection, server.host, server.port, ssl=server.tls)
    greeting = []
    if server.login.password is not None:
        greeting.append(command("AUTH", *filter(None, (server.login.username, server.login.password))))
    if server.db is not None:
        greeting.append(command("SELECT", str(server.db)))
    try:
        for reply in await connection.send(greeting) if greeting else ():
            if isinstance(reply, hiredis.ReplyError):
                raise ConnectionError(str(reply))
    except BaseException:
        connection.abort()
        raise
    return connection
