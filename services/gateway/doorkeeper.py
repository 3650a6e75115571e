"""Who is asking: the session's token in a request, from a header, a cookie, or a socket's subprotocol.

A cookie comes by itself, whoever made the browser send it; so with a cookie the ``Origin`` must be this site's own
(for reading requests the browser keeps the answer from other sites by itself).

Over HTTPS the cookie is called ``__Host-session``: browsers take one of that name only from this very host, secure and
for all paths, so that no neighbour can plant another. They would not take it over plain HTTP, where it is ``session``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Depends, Request
from fastapi.security import APIKeyCookie, HTTPBearer
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.websockets import WebSocket

from services.gateway.redis_sessions import Player, RedisSessions
from services.runtime.errors import PermissionDenied, Unauthenticated
from services.runtime.request_origin import is_secure, same_origin

COOKIE: Final = "session"
SECURE_COOKIE: Final = "__Host-session"
PROTOCOL: Final = "pandemonium.v1"
_TOKEN_PROTOCOL: Final = "token."
_SAFE_METHODS: Final = frozenset(["GET", "HEAD", "OPTIONS"])

# For the OpenAPI description only; the token itself is read by the doorkeeper.
_bearer: Final = HTTPBearer(auto_error=False, description="A guest's token.")
_cookie: Final = APIKeyCookie(
    name=COOKIE, auto_error=False, description="The same, set by the edge for browsers; `__Host-session` over HTTPS."
)


@dataclass(frozen=True, slots=True)
class Credentials:
    """A token and whether a cookie brought it."""

    token: str
    from_cookie: bool


def credentials(connection: HTTPConnection) -> Credentials | None:
    """The token in a request or a socket's handshake; what was sent on purpose goes before a cookie."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return Credentials(token.strip(), from_cookie=False)
    if isinstance(connection, WebSocket):
        for protocol in connection.scope["subprotocols"]:
            if protocol.startswith(_TOKEN_PROTOCOL):
                return Credentials(protocol.removeprefix(_TOKEN_PROTOCOL), from_cookie=False)
    cookie = connection.cookies.get(_cookie_name(connection))
    return Credentials(cookie, from_cookie=True) if cookie else None


def set_cookie(response: Response, request: Request, token: str, lifetime_seconds: int) -> None:
    """Has the browser keep the token so long, where scripts can't read it."""
    response.set_cookie(
        _cookie_name(request),
        token,
        max_age=lifetime_seconds,
        httponly=True,
        samesite="strict",
        secure=is_secure(request),
        path="/",
    )


def _cookie_name(connection: HTTPConnection) -> str:
    return SECURE_COOKIE if is_secure(connection) else COOKIE


def drop_cookie(response: Response, request: Request) -> None:
    """Has the browser forget the token."""
    response.delete_cookie(_cookie_name(request), path="/", httponly=True, samesite="strict", secure=is_secure(request))


async def signed_in(
    request: Request, _b: Annotated[object, Depends(_bearer)], _c: Annotated[object, Depends(_cookie)]
) -> Player:
    """The player who asks. Raises ``Unauthenticated`` or, for a cookie from elsewhere, ``PermissionDenied``."""
    player = await anyone(request)
    if player is None:
        raise Unauthenticated("NOT_SIGNED_IN", "a guest's token is needed: POST /api/v1/guests")
    return player


async def anyone(request: Request) -> Player | None:
    """The player who asks, if anyone is signed in."""
    found = credentials(request)
    if found is None:
        return None
    if found.from_cookie and request.method not in _SAFE_METHODS and not same_origin(request):
        raise PermissionDenied("BAD_ORIGIN", "a cookie counts only on this site's own pages")
    sessions: RedisSessions = request.app.state.edge.sessions
    return await sessions.find(found.token)


SignedIn = Annotated[Player, Depends(signed_in)]
Anyone = Annotated[Player | None, Depends(anyone)]
