"""Whether a Docker engine is there for testcontainers, found out in no time: most machines that run tests have none."""

from __future__ import annotations

import os
import socket
from urllib.parse import urlsplit

ANSWER_SECONDS = 1.0


def docker_answers() -> bool:
    """Whether the engine of ``DOCKER_HOST``, or of the usual socket, answers a ping within a second."""
    address = urlsplit(os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock")
    try:
        with _connect(address.scheme, address.path, address.hostname, address.port) as connection:
            connection.sendall(b"GET /_ping HTTP/1.0\r\nHost: docker\r\n\r\n")
            return b" 200 " in connection.recv(64)
    except OSError:
        return False


def _connect(scheme: str, path: str, host: str | None, port: int | None) -> socket.socket:
    if scheme != "unix":
        return socket.create_connection((host or "127.0.0.1", port or 2375), timeout=ANSWER_SECONDS)
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.settimeout(ANSWER_SECONDS)
        connection.connect(path)
    except OSError:
        connection.close()
        raise
    return connection
