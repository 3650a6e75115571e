"""What happens around every call that a gRPC server takes: faults mapped, calls measured, a deadline for each."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import grpc
from google.protobuf.message import DecodeError

from services.runtime import metrics
from services.runtime.errors import DETAILS_KEY, DeadlineExceeded, Fault, Internal, InvalidArgument, to_status
from services.runtime.handlers import surround
from services.runtime.log import logger
from services.runtime.redis import unavailable

DEADLINE_SECONDS: Final = 10.0
"""How long a unary call may take whose caller set no deadline."""

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Continuation: TypeAlias = "Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]]"

_log = logger(__name__)


class FaultInterceptor(grpc.aio.ServerInterceptor):
    """Ends a call that raised with a rich status whose ``ErrorInfo`` carries ``domain``, e.g. ``engine.pandemonium``.

    Faults go out as they are. An error of Redis that only means "not now" goes out as unavailable. Any other exception
    is ours: it is logged with its traceback and goes out as INTERNAL with nothing of it.
    """

    def __init__(self, domain: str) -> None:
        self._domain = domain

    async def intercept_service(self, continuation: Continuation, details: grpc.HandlerCallDetails) -> Handler:
        handler = await continuation(details)
        if handler is None:
            return handler  # type: ignore[return-value]  # no such method: gRPC answers UNIMPLEMENTED

        @asynccontextmanager
        async def around(_request: object, context: Context) -> AsyncIterator[None]:
            try:
                yield
            except grpc.aio.AbortError:
                raise
            except Exception as error:
                await self._abort(context, details.method, error)

        return surround(handler, around)

    async def _abort(self, context: Context, method: str, error: Exception) -> None:
        fault = error if isinstance(error, Fault) else unavailable(error)
        if fault is None:
            fault = Internal("INTERNAL")
        if isinstance(fault, Internal):
            _log.error("call failed", method=method, exc_info=error)
        status = to_status(fault, self._domain)
        await context.abort(fault.code, status.message, ((DETAILS_KEY, status.SerializeToString()),))


class MetricsInterceptor(grpc.aio.ServerInterceptor):
    """Counts calls by method and code and times unary ones. It stands outermost, to see the code that goes out."""

    async def intercept_service(self, continuation: Continuation, details: grpc.HandlerCallDetails) -> Handler:
        handler = await continuation(details)
        if handler is None:
            return handler  # type: ignore[return-value]
        service, method = method_labels(details.method)
        unary = not (handler.request_streaming or handler.response_streaming)

        @asynccontextmanager
        async def around(_request: object, context: Context) -> AsyncIterator[None]:
            started = time.perf_counter()
            metrics.GRPC_OPEN.inc()
            code = grpc.StatusCode.UNKNOWN.name
            try:
                yield
                code = _code_name(context)
            except asyncio.CancelledError:
                code = grpc.StatusCode.CANCELLED.name
                raise
            except BaseException:
                code = _code_name(context, grpc.StatusCode.UNKNOWN)
                raise
            finally:
                metrics.GRPC_OPEN.dec()
                metrics.GRPC_HANDLED.labels(service, method, code).inc()
                if unary:
                    metrics.GRPC_SECONDS.labels(service, method).observe(time.perf_counter() - started)

        return surround(handler, around)


class DeadlineInterceptor(grpc.aio.ServerInterceptor):
    """Gives unary calls without a deadline one of ``seconds``; streams may live as long as they like."""

    def __init__(self, seconds: float = DEADLINE_SECONDS) -> None:
        self._seconds = seconds

    async def intercept_service(self, continuation: Continuation, details: grpc.HandlerCallDetails) -> Handler:
        handler = await continuation(details)
        if handler is None or handler.request_streaming or handler.response_streaming:
            return handler  # type: ignore[return-value]

        @asynccontextmanager
        async def around(_request: object, context: Context) -> AsyncIterator[None]:
            if context.time_remaining() is not None:
                yield
                return
            try:
                async with asyncio.timeout(self._seconds) as limit:
                    yield
            except TimeoutError as error:
                if not limit.expired():
                    raise
                raise DeadlineExceeded("DEADLINE_EXCEEDED", f"no answer within {self._seconds:g} s") from error

        return surround(handler, around)


class ReadingInterceptor(grpc.aio.ServerInterceptor):
    """Answers bytes that are no message with ``BAD_MESSAGE``; gRPC would call them a mistake of ours. Stands innermost.

    Streams of requests are left alone: gRPC ends theirs by itself.
    """

    async def intercept_service(self, continuation: Continuation, details: grpc.HandlerCallDetails) -> Handler:
        handler = await continuation(details)
        if handler is None or handler.request_streaming or handler.request_deserializer is None:
            return handler  # type: ignore[return-value]
        read = handler.request_deserializer

        def readable(data: bytes) -> Any:
            try:
                return read(data)
            except DecodeError as error:
                return _Unreadable(error)

        @asynccontextmanager
        async def around(request: object, _context: Context) -> AsyncIterator[None]:
            if isinstance(request, _Unreadable):
                raise InvalidArgument("BAD_MESSAGE", "the bytes are no message of this call") from request.error
            yield

        return surround(handler, around, readable)


@dataclass(frozen=True, slots=True)
class _Unreadable:
    """What came instead of a request."""

    error: DecodeError


def method_labels(path: str) -> tuple[str, str]:
    """Service and method of ``/package.Service/Method``."""
    service, _, method = path.lstrip("/").rpartition("/")
    return service, method


def _code_name(context: Context, default: grpc.StatusCode = grpc.StatusCode.OK) -> str:
    """The name of the code that the call ends with; gRPC keeps it as a number, 0 while nothing was set."""
    code: Any = context.code()
    if isinstance(code, grpc.StatusCode):
        return code.name
    names = {known.value[0]: known.name for known in grpc.StatusCode}
    return names[code] if code else default.name
