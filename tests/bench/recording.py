"""Script calls on their way from an engine to Redis: recorded by a proxy, and sent again without an engine."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

import hiredis

from services.cli.ports import LOOPBACK

PIPELINE: Final = 16
"""Calls in flight when they are sent again."""


class RecordingProxy:
    """A TCP proxy in front of Redis that keeps each EVALSHA that passes, in order, as its bytes."""

    def __init__(self, redis_port: int) -> None:
        self.calls: list[bytes] = []
        self.recording = False
        self._redis_port = redis_port
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """Where it listens."""
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, LOOPBACK, 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream_reader, upstream = await asyncio.open_connection(LOOPBACK, self._redis_port)
        back = asyncio.create_task(_copy(upstream_reader, writer))
        parser = hiredis.Reader()
        try:
            while data := await reader.read(1 << 16):
                upstream.write(data)
                parser.feed(data)
                while (request := parser.gets()) is not False:
                    if self.recording and request[0].upper() == b"EVALSHA":
                        self.calls.append(encode(request))
        except ConnectionError:
            pass
        finally:
            upstream.close()
            back.cancel()
            writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(1 << 16):
            writer.write(data)


def encode(request: Sequence[bytes]) -> bytes:
    """A request as Redis reads it."""
    parts = [b"*%d\r\n" % len(request)]
    parts += [b"$%d\r\n%b\r\n" % (len(word), word) for word in request]
    return b"".join(parts)


def send_again(redis_port: int, calls: Sequence[bytes]) -> float:
    """Sends the calls in pipelines of ``PIPELINE`` and reads every answer; the seconds that took.

    Raises RuntimeError if Redis answers one of them with an error.
    """
    batches = [
        (b"".join(calls[i : i + PIPELINE]), len(calls[i : i + PIPELINE])) for i in range(0, len(calls), PIPELINE)
    ]
    replies = hiredis.Reader()
    with socket.create_connection((LOOPBACK, redis_port)) as redis:
        redis.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        started = time.perf_counter()
        for batch, count in batches:
            redis.sendall(batch)
            while count:
                reply = replies.gets()
                if reply is False:
                    replies.feed(redis.recv(1 << 16))
                elif isinstance(reply, hiredis.ReplyError):
                    raise RuntimeError(f"Redis refused a recorded call: {reply}")
                else:
                    count -= 1
        return time.perf_counter() - started
