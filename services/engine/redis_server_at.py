"""Which server an engine's plain connection is to be opened to. Opens none but to sentinels."""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from redis.asyncio.connection import parse_url

from services.runtime.redis_place import FILES, Cluster, Files, Login, Sentinels, Single, place
from services.runtime.redis_sentinel import primary, sentinels


@dataclass(frozen=True, slots=True)
class Server:
    """A server, and how to sign in."""

    host: str
    port: int
    login: Login
    db: int | None = 0
    """None: not asked for, since there is only one."""
    path: str | None = None
    """Of its Unix socket; then host and port don't matter."""
    tls: ssl.SSLContext | None = None


def finder(url: str) -> Callable[[], Awaitable[Server]]:
    """Finds the server at ``url``: always the same one, or the primary that sentinels know then.

    The finder raises redis-py's ``ConnectionError`` while no sentinel knows a living primary.
    """
    where = place(url)
    if isinstance(where, Cluster):
        raise ValueError("a cluster is more than one server")
    return _fixed(where) if isinstance(where, Single) else _asked(where)


def at(host: str, port: int, where: Cluster) -> Callable[[], Awaitable[Server]]:
    """Finds the cluster's node at that address."""
    return _always(Server(host, port, where.login, None, tls=_tls(where.secure, where.files)))


def _fixed(where: Single) -> Callable[[], Awaitable[Server]]:
    told: dict[str, Any] = dict(parse_url(where.url))
    login = Login(told.get("username"), told.get("password"))
    secure = _tls(where.url.startswith("rediss:"), Files(*(told.get(name) for name in FILES)))
    server = Server(
        told.get("host", "localhost"), told.get("port", 6379), login, told.get("db", 0), told.get("path"), secure
    )
    return _always(server)


def _asked(where: Sentinels) -> Callable[[], Awaitable[Server]]:
    secure = _tls(where.secure, where.files)

    async def find() -> Server:
        known = sentinels(where)
        try:
            host, port = await primary(known, where.name)
        finally:
            await known.aclose()
        return Server(host, port, where.login, where.db, tls=secure)

    return find


def _always(server: Server) -> Callable[[], Awaitable[Server]]:
    async def find() -> Server:
        return server

    return find


def _tls(secure: bool, files: Files) -> ssl.SSLContext | None:
    return files.context() if secure else None
