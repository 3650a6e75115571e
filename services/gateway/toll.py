"""What is asked of every REST request before anybody looks at it: that it is small, and not one of too many.

Every request costs its session and its address a token, dear ones more (:func:`costs`). Whoever has none left is
answered 429 with the seconds until there are enough again.
"""

from __future__ import annotations

import hashlib
import math
from typing import Any, Final

from fastapi import Depends, FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.gateway import metrics, problems
from services.gateway.doorkeeper import credentials
from services.gateway.limits import Limits
from services.runtime.errors import RETRY_AFTER, InvalidArgument, ResourceExhausted
from services.runtime.log import logger
from services.runtime.request_origin import address_of

MOST_BODY_BYTES: Final = 64 * 1024
"""The largest body of a request. The largest that means anything is a table's wish, far below."""

_log = logger(__name__)


def charge(limits: Limits, connection: HTTPConnection, cost: float) -> None:
    """Takes the tokens. Raises ``TOO_MANY_REQUESTS``."""
    found = credentials(connection)
    # Not the token itself: what is kept in memory for long is of no use to whoever reads it.
    session = hashlib.sha256(found.token.encode()).hexdigest() if found else None
    wait = limits.charge(address_of(connection), session, cost)
    if wait > 0:
        metrics.LIMITED.inc()
        seconds = str(math.ceil(wait))
        raise ResourceExhausted("TOO_MANY_REQUESTS", f"come again in {seconds} s", {RETRY_AFTER: seconds})


def costs(tokens: float) -> Any:
    """A dependency of routes that cost so many tokens, one of which every request has paid by then."""

    async def pay(request: Request) -> None:
        charge(request.app.state.edge.limits, request, tokens - 1)

    return Depends(pay)


class Toll:
    """ASGI middleware for what is below ``prefix``."""

    def __init__(self, app: ASGIApp, prefix: str, limits: Limits) -> None:
        self._app = app
        self._prefix = prefix
        self._limits = limits
        self._warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or not scope["path"].startswith(self._prefix):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        self._notice_proxy(connection)
        length = connection.headers.get("content-length", "0")
        if len(length) > 9 or (length.isdecimal() and int(length) > MOST_BODY_BYTES):
            too_large = InvalidArgument("TOO_LARGE", f"a body has at most {MOST_BODY_BYTES} bytes")
            await problems.respond(too_large)(scope, receive, send)
            return
        try:
            charge(self._limits, connection, 1.0)
        except ResourceExhausted as fault:
            await problems.respond(fault)(scope, receive, send)
            return
        await self._app(scope, _bounded(receive), send)

    def _notice_proxy(self, connection: HTTPConnection) -> None:
        """A trusted proxy's word has been taken by now: the address is no proxy's any more, and has no port."""
        if self._warned or "x-forwarded-for" not in connection.headers:
            return
        if connection.client is not None and connection.client.port != 0:
            self._warned = True
            _log.warning(
                "a client came with X-Forwarded-For and is not trusted; if it is your proxy, name it in"
                " GATEWAY_FORWARDED_ALLOW_IPS, or all who come through it share one address and its limits",
                address=connection.client.host,
            )


def _bounded(receive: Receive) -> Receive:
    """Ends a body that says no length, or another one, where it gets too large."""
    taken = 0

    async def part() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > MOST_BODY_BYTES:
            raise HTTPException(413)
        return message

    return part


def install(app: FastAPI, prefix: str, limits: Limits) -> None:
    """Puts it around ``app``."""
    app.add_middleware(Toll, prefix=prefix, limits=limits)
