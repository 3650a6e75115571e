"""Where Redis is, read from ``REDIS_URL``: one server, a primary that sentinels know, or a cluster. Connects nothing.

==============================================================  =================================================
``redis://[user:password@]host:port/db``, ``rediss://``,        one server
``unix:///path``
``redis+sentinel://[user:password@]host:port,host:port/name/db``  the primary called ``name``, asked of these sentinels
``redis+cluster://[user:password@]host:port,host:port``           the cluster that any of these nodes belongs to
==============================================================  =================================================

With ``rediss+sentinel://`` and ``rediss+cluster://`` every connection is encrypted. User and password are the servers';
those of the sentinels, if they have any, are ``?sentinel_username=…&sentinel_password=…``.

Encrypted connections check the server's certificate and its name. ``?ssl_ca_certs=FILE`` names the authority, if it is
none that the system knows, ``&ssl_certfile=FILE&ssl_keyfile=FILE`` the certificate that is shown to the server.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

Address = tuple[str, int]
"""Host and port."""

SENTINEL_PORT: Final = 26379
CLUSTER_PORT: Final = 6379


class BadRedisUrl(ValueError):
    """The URL names no Redis; the message says what is wrong with it, and not what it contains."""


@dataclass(frozen=True, slots=True)
class Login:
    """Who asks; both absent: nobody in particular."""

    username: str | None = None
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Files:
    """The files with certificates, by the names that redis-py has for them; None: the system's, or none."""

    ssl_ca_certs: str | None = None
    ssl_certfile: str | None = None
    ssl_keyfile: str | None = None

    def options(self) -> dict[str, Any]:
        """Those that are named, as redis-py's options."""
        return {name: value for name in FILES if (value := getattr(self, name)) is not None}

    def context(self) -> ssl.SSLContext:
        """The same for a connection of one's own. Raises OSError (ssl.SSLError too) if they can't be used."""
        made = ssl.create_default_context(cafile=self.ssl_ca_certs)
        if self.ssl_certfile is not None:
            made.load_cert_chain(self.ssl_certfile, self.ssl_keyfile)
        return made


FILES: Final = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")


@dataclass(frozen=True, slots=True)
class Single:
    """One server."""

    url: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Sentinels:
    """The primary of a name, as the sentinels at ``addresses`` know it."""

    addresses: tuple[Address, ...]
    name: str
    db: int
    secure: bool
    login: Login
    sentinel_login: Login
    files: Files = Files()


@dataclass(frozen=True, slots=True)
class Cluster:
    """The cluster to which the nodes at ``addresses`` belong."""

    addresses: tuple[Address, ...]
    secure: bool
    login: Login
    files: Files = Files()


Place = Single | Sentinels | Cluster


def place(url: str) -> Place:
    """What the URL names. Raises :class:`BadRedisUrl`."""
    parts = urlsplit(url)
    if parts.scheme in ("redis", "rediss", "unix"):
        if not (parts.netloc or parts.path):
            raise BadRedisUrl("no address in it")
        return Single(url)
    protocol, _, kind = parts.scheme.partition("+")
    if protocol not in ("redis", "rediss") or kind not in ("sentinel", "cluster"):
        raise BadRedisUrl("it begins with redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://")
    user, _, hosts = parts.netloc.rpartition("@")
    name, _, password = user.partition(":")
    login = Login(unquote(name) or None, unquote(password) or None)
    secure = protocol == "rediss"
    steps = [unquote(step) for step in parts.path.split("/") if step]
    asked = parse_qs(parts.query)
    known = {*FILES} if secure else set[str]()
    if kind == "sentinel":
        known |= {"sentinel_username", "sentinel_password"}
    if asked.keys() - known:
        raise BadRedisUrl("it asks for something unknown after the question mark")
    files = Files(*(_first(asked, name) for name in FILES))
    if kind == "cluster":
        if steps not in ([], ["0"]):
            raise BadRedisUrl("a cluster has no other database than 0")
        return Cluster(_addresses(hosts, CLUSTER_PORT), secure, login, files)
    if not 1 <= len(steps) <= 2 or not (steps[1:] or ["0"])[0].isdecimal():
        raise BadRedisUrl("after the sentinels come the primary's name and the number of a database: /name/0")
    of_sentinels = Login(_first(asked, "sentinel_username"), _first(asked, "sentinel_password"))
    db = int(steps[1]) if steps[1:] else 0
    return Sentinels(_addresses(hosts, SENTINEL_PORT), steps[0], db, secure, login, of_sentinels, files)


def _first(asked: Mapping[str, Sequence[str]], name: str) -> str | None:
    return asked[name][0] if name in asked else None


def _addresses(hosts: str, port: int) -> tuple[Address, ...]:
    return tuple(_address(text, port) for text in hosts.split(","))


def _address(text: str, port: int) -> Address:
    try:
        parts = urlsplit(f"//{text}")
        host, own_port = parts.hostname, parts.port
    except ValueError:
        raise BadRedisUrl("one of its ports is no number from 0 to 65535") from None
    if not host:
        raise BadRedisUrl("one of its addresses is empty")
    return host, port if own_port is None else own_port
