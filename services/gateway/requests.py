"""What happens around every REST request: it gets an id that all logs of it carry, and it is timed and counted.

Every answer tells browsers what they may do with it, which is little.

The id comes from the client's ``X-Request-ID`` if that is a short word, else it is made here; the answer names it. The
socket's requests carry an id too, but are timed by their own metrics.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Final

from fastapi import FastAPI
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from services.gateway import metrics
from services.runtime import tracing
from services.runtime.call_context import REQUEST_ID, valid_id
from services.runtime.log import logger

HEADER: Final = REQUEST_ID.encode()
_SAFE: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
"""What keeps browsers from taking an answer for anything but data; the page says otherwise of itself."""
_STRICT_TRANSPORT: Final = (b"strict-transport-security", b"max-age=31536000")

_log = logger(__name__)


class Requests:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, labels: Mapping[int, str], routes: Sequence[BaseRoute]) -> None:
        self._app = app
        self._labels = labels
        self._routes = routes  # kept, for the labels are by their identity

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or one socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        identity = request_id(scope)
        with bound_contextvars(request_id=identity):
            if scope["type"] == "http":
                await self._timed(scope, receive, send, identity)
            else:
                await self._app(scope, receive, send)

    async def _timed(self, scope: Scope, receive: Receive, send: Send, identity: str) -> None:
        started, status = time.perf_counter(), 500

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", ()), (HEADER, identity.encode())]
                message = {**message, "headers": headers + _missing(scope, headers)}
            await send(message)

        with tracing.span(scope["method"], path=scope["path"]):
            try:
                await self._app(scope, receive, answer)
            finally:
                seconds, route = (
                    time.perf_counter() - started,
                    self._labels.get(id(scope.get("route")), metrics.PAGE_ROUTE),
                )
                metrics.REQUEST_SECONDS.labels(route, f"{status // 100}xx").observe(seconds)
                tell = _log.warning if status >= 500 else _log.debug
                tell("request", method=scope["method"], route=route, status=status, seconds=round(seconds, 4))


def _missing(scope: Scope, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers of safety that the answer does not have yet."""
    there = {name.lower() for name, _ in headers}
    wanted = (*_SAFE, _STRICT_TRANSPORT) if scope["scheme"] == "https" else _SAFE
    return [header for header in wanted if header[0] not in there]


def request_id(scope: Scope) -> str:
    """The client's id of this request, or a new one."""
    given = next((value for name, value in scope["headers"] if name == HEADER), b"").decode("latin-1")
    return given if valid_id(given) else secrets.token_hex(8)


def install(app: FastAPI, prefix: str, routes: Sequence[BaseRoute]) -> None:
    """Puts it around ``app``, and makes the series of ``routes``, which are below ``prefix``, exist from the start."""
    labels = {id(route): prefix + route.path for route in routes if isinstance(route, Route)}
    for label in labels.values():
        for status in metrics.STATUS_CLASSES:
            metrics.REQUEST_SECONDS.labels(label, status)
    app.add_middleware(Requests, labels=labels, routes=routes)
