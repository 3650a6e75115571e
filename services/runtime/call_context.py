"""What is known of the work being done, and how it travels between services: the request's id, the table, the trace.

It is in context variables, from which every line of the log takes it (``log``).
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any, Final

import grpc
from structlog.contextvars import bound_contextvars, get_contextvars

from services.runtime import tracing
from services.runtime.handlers import surround

REQUEST_ID: Final = "x-request-id"
_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


def valid_id(text: str) -> bool:
    """Whether it may be the id of a request: a short word, so that it can't forge a log's line."""
    return _ID.fullmatch(text) is not None


def outgoing() -> Iterator[tuple[str, str]]:
    """The metadata by which the work goes on in another service."""
    if identity := get_contextvars().get("request_id"):
        yield REQUEST_ID, str(identity)
    if parent := tracing.current():
        yield tracing.TRACEPARENT, parent


class ContextInterceptor(grpc.aio.ServerInterceptor):
    """Takes up the caller's request id and trace for a unary call, and the table that its request names."""

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any]:
        """Puts the context around the handler."""
        handler = await continuation(handler_call_details)
        if handler is None or handler.request_streaming or handler.response_streaming:
            return handler  # type: ignore[return-value]  # none: gRPC answers UNIMPLEMENTED
        name = handler_call_details.method.rpartition(".")[2]

        @asynccontextmanager
        async def around(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> AsyncIterator[None]:
            told = {key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)}
            names = {}
            if valid_id(told.get(REQUEST_ID, "")):
                names["request_id"] = told[REQUEST_ID]
            if table := getattr(request, "table", ""):
                names["table"] = table
            with bound_contextvars(**names):
                parent = told.get(tracing.TRACEPARENT, "")
                if not parent:
                    yield
                    return
                with tracing.span(name, parent):
                    yield

        return surround(handler, around)
