from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest

from services.runtime.channels import TwoWay, channel
from services.runtime.errors import DeadlineExceeded, Fault, Unavailable, fault_from
from tests.unit.runtime.echo_server import SERVICE, call, echo_server


async def silent(_request: bytes) -> bytes:
    await asyncio.Event().wait()
    raise AssertionError("unreachable")


async def test_a_unary_call_without_a_deadline_gets_the_channels() -> None:
    def impatient(address: str) -> grpc.aio.Channel:
        return channel(address, deadline_seconds=0.05)

    async with echo_server(silent, [], impatient) as to_server:
        with pytest.raises(grpc.RpcError) as caught:
            await call(to_server, "Unary", timeout=None)
    assert isinstance(fault_from(caught.value), DeadlineExceeded)


async def test_a_deadline_of_the_callers_own_is_kept() -> None:
    async def slow(request: bytes) -> bytes:
        await asyncio.sleep(0.2)
        return request

    def impatient(address: str) -> grpc.aio.Channel:
        return channel(address, deadline_seconds=0.05)

    async with echo_server(slow, [], impatient) as to_server:
        assert await call(to_server, "Unary", b"hello", timeout=10) == b"hello"


async def test_a_service_that_is_not_there_is_unavailable_and_not_waited_for() -> None:
    async with channel("127.0.0.1:1") as to_server:
        with pytest.raises(grpc.RpcError) as caught:
            await call(to_server, "Unary")
    assert isinstance(fault_from(caught.value), Unavailable)


async def test_a_peer_that_is_slow_to_greet_is_waited_for() -> None:
    """As on a busy machine, or with TLS over a long way."""
    port = 0

    async def hesitate(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.4)
        from_server, to_server = await asyncio.open_connection("127.0.0.1", port)

        async def pipe(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            while data := await source.read(65536):
                sink.write(data)
            sink.close()

        await asyncio.gather(pipe(reader, to_server), pipe(from_server, writer), return_exceptions=True)

    def through(address: str) -> grpc.aio.Channel:
        nonlocal port
        port = int(address.rpartition(":")[2])
        return channel(f"127.0.0.1:{hesitant.sockets[0].getsockname()[1]}")

    async def echo(request: bytes) -> bytes:
        return request

    hesitant = await asyncio.start_server(hesitate, "127.0.0.1", 0)
    async with hesitant, echo_server(echo, [], through) as to_server:
        assert await call(to_server, "Unary", b"hello") == b"hello"


async def test_a_peer_that_falls_silent_is_noticed_though_it_never_closes() -> None:
    """Packets that vanish: the connection stays open, nothing comes back."""
    connected = asyncio.Event()

    async def swallow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Just enough of HTTP/2 to be taken for a server: an empty SETTINGS frame.
        writer.write(b"\x00\x00\x00\x04\x00\x00\x00\x00\x00")
        connected.set()
        try:
            while await reader.read(65536):
                pass
        except ConnectionError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(swallow, "127.0.0.1", 0)
    async with server, channel(f"127.0.0.1:{server.sockets[0].getsockname()[1]}") as to_server:
        started = asyncio.get_running_loop().time()
        with pytest.raises(grpc.RpcError) as caught:
            await call(to_server, "Both", timeout=60)
        assert connected.is_set()
        assert asyncio.get_running_loop().time() - started < 20
    assert isinstance(fault_from(caught.value), Unavailable)


@asynccontextmanager
async def two_way() -> AsyncIterator[tuple[TwoWay, Any]]:
    """A stream that has echoed a message, and its call. The service fails at the message ``break``."""

    async def act(request: bytes) -> bytes:
        if request == b"break":
            raise RuntimeError("broken")
        return request

    async with echo_server(act, []) as to_server:
        raw: Any = to_server
        echo_call = raw.stream_stream(f"/{SERVICE}/Both")()
        stream = TwoWay(echo_call, "the echo")
        await stream.write(b"hello")
        assert await stream.read() == b"hello"
        yield stream, echo_call


async def test_a_stream_that_has_failed_takes_no_more_and_says_so() -> None:
    async with two_way() as (stream, echo_call):
        await stream.write(b"break")
        while not echo_call.done():
            await asyncio.sleep(0)
        with pytest.raises(Fault):
            await stream.write(b"more")
        with pytest.raises(Fault):
            await stream.read()


async def test_a_stream_that_was_ended_here_is_over_for_whoever_still_reads_or_writes() -> None:
    async with two_way() as (stream, _):
        reading = asyncio.create_task(stream.read())
        await asyncio.sleep(0)
        stream.cancel()
        with pytest.raises(Unavailable):
            await reading
        with pytest.raises(Unavailable):
            await stream.read()
        with pytest.raises(Unavailable):
            await stream.write(b"more")


async def test_whoever_is_cancelled_while_it_reads_is_cancelled() -> None:
    async with two_way() as (stream, _):
        reading = asyncio.create_task(stream.read())
        await asyncio.sleep(0)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
