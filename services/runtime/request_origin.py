"""Where an HTTP request, or a socket's handshake, comes from: whose page, which address, encrypted or not.

A trusted proxy's word is in the scope already.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection


def is_secure(connection: HTTPConnection) -> bool:
    """Whether the client speaks TLS, to us or to a trusted proxy."""
    return connection.scope["scheme"] in ("https", "wss")


def same_origin(connection: HTTPConnection) -> bool:
    """Whether the page that made the browser ask is this site's own, with https one of https; programs send none."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    try:
        asked = urlsplit(origin)
    except ValueError:
        return False
    if is_secure(connection) and asked.scheme != "https":
        return False
    return asked.netloc == connection.headers.get("host")


def address_of(connection: HTTPConnection) -> str:
    """The client's address, as the trusted proxies say."""
    return connection.client.host if connection.client else "unknown"
