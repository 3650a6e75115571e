"""A gRPC service made of plain functions over bytes, one of each kind, for the tests of what surrounds every call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc

from services.runtime.channels import channel

Act = Callable[[bytes], Awaitable[bytes]]
SERVICE = "test.v1.EchoService"


def handlers(act: Act) -> dict[str, grpc.RpcMethodHandler[Any, Any]]:
    """One handler of each kind; each passes every message through ``act``."""

    async def unary(request: bytes, _context: Any) -> bytes:
        return await act(request)

    async def collect(requests: AsyncIterator[bytes], _context: Any) -> bytes:
        return b"".join([await act(request) async for request in requests])

    async def yields(request: bytes, _context: Any) -> AsyncIterator[bytes]:
        yield b"first"
        yield await act(request)

    async def writes(requests: AsyncIterator[bytes], context: Any) -> None:
        async for request in requests:
            await context.write(await act(request))

    async def both(requests: AsyncIterator[bytes], _context: Any) -> AsyncIterator[bytes]:
        async for request in requests:
            yield await act(request)

    return {
        "Unary": grpc.unary_unary_rpc_method_handler(unary),
        "Collect": grpc.stream_unary_rpc_method_handler(collect),
        "Yields": grpc.unary_stream_rpc_method_handler(yields),
        "Writes": grpc.stream_stream_rpc_method_handler(writes),
        "Both": grpc.stream_stream_rpc_method_handler(both),
    }


def add_echo(server: grpc.aio.Server, act: Act) -> None:
    """Registers the service as generated code does."""
    methods = handlers(act)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, methods),))
    server.add_registered_method_handlers(SERVICE, methods)


@asynccontextmanager
async def echo_server(
    act: Act,
    interceptors: Sequence[grpc.aio.ServerInterceptor],
    open_channel: Callable[[str], grpc.aio.Channel] = channel,
) -> AsyncIterator[grpc.aio.Channel]:
    """The service behind ``interceptors`` on a free port; gives a channel to it."""
    server = grpc.aio.server(interceptors=interceptors)
    add_echo(server, act)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with open_channel(f"127.0.0.1:{port}") as to_server:
            yield to_server
    finally:
        await server.stop(None)


async def call(to_server: grpc.aio.Channel, method: str, request: bytes = b"x", timeout: float | None = 10) -> bytes:
    """Calls ``method`` with one message and gives all that came back, joined."""
    path = f"/{SERVICE}/{method}"
    raw: Any = to_server

    async def one() -> AsyncIterator[bytes]:
        yield request

    if method == "Unary":
        return bytes(await raw.unary_unary(path)(request, timeout=timeout))
    if method == "Collect":
        return bytes(await raw.stream_unary(path)(one(), timeout=timeout))
    if method == "Yields":
        return b"".join([part async for part in raw.unary_stream(path)(request, timeout=timeout)])
    return b"".join([part async for part in raw.stream_stream(path)(one(), timeout=timeout)])


KINDS = ("Unary", "Collect", "Yields", "Writes", "Both")
