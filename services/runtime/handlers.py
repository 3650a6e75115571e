"""Puts a context manager around every kind of gRPC handler, so that an interceptor states only what comes around it."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import grpc

Around = Callable[[Any, "grpc.aio.ServicerContext[Any, Any]"], AbstractAsyncContextManager[None]]
"""Makes what is entered before a call's own code runs and left after its last message.

It gets the request (of a stream: its iterator) and the context."""


def surround(
    handler: grpc.RpcMethodHandler[Any, Any], around: Around, read: Callable[[bytes], Any] | None = None
) -> grpc.RpcMethodHandler[Any, Any]:
    """The same handler with ``around`` entered for each call, and with requests read by ``read`` if that is given.

    A streaming handler that is a coroutine and writes to its context costs nothing per message; one that yields is
    resumed through one more generator.
    """
    if handler.response_streaming:
        inner = handler.stream_stream if handler.request_streaming else handler.unary_stream
    else:
        inner = handler.stream_unary if handler.request_streaming else handler.unary_unary
    make = {
        (False, False): grpc.unary_unary_rpc_method_handler,
        (False, True): grpc.unary_stream_rpc_method_handler,
        (True, False): grpc.stream_unary_rpc_method_handler,
        (True, True): grpc.stream_stream_rpc_method_handler,
    }[handler.request_streaming, handler.response_streaming]
    yields = handler.response_streaming and not inspect.iscoroutinefunction(inner)
    wrapped = _yielding(inner, around) if yields else _awaited(inner, around)
    return make(wrapped, read or handler.request_deserializer, handler.response_serializer)


def _awaited(inner: Any, around: Around) -> Any:
    async def call(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
        async with around(request, context):
            return await inner(request, context)

    return call


def _yielding(inner: Any, around: Around) -> Any:
    async def call(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> AsyncIterator[Any]:
        async with around(request, context):
            async for response in inner(request, context):
                yield response

    return call
