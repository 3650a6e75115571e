"""Connections to Redis that never retry by themselves, scripts, and what Redis' errors mean as faults. Knows no key.

Redis is one server, a primary known to sentinels, or a cluster (``redis_place``). The services use the same commands of
the same client for all three, which is why nothing here or there is a transaction, or names keys of two hash tags at
once: what belongs together is a script on keys of one tag. The few things that differ are in ``redis_nodes``.
"""

from __future__ import annotations

import hashlib
import re
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, cast

from redis import exceptions
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from services.runtime.errors import Unavailable
from services.runtime.redis_cluster import ClusterClient
from services.runtime.redis_metrics import MEASURED
from services.runtime.redis_place import Cluster, Sentinels, place
from services.runtime.redis_sentinel import PrimaryPool, credentials, sentinels

CONNECT_SECONDS: Final = 1.0
"""How long a connection may take to open, or the pool to give one."""
ANSWER_SECONDS: Final = 2.0
"""How long one command may take on a connection of :func:`connect`."""
MAX_CONNECTIONS: Final = 64
"""Connections in one pool; when all are taken, a command waits ``CONNECT_SECONDS`` and then is unavailable."""

_KEEPALIVE: Final = {
    getattr(socket, name): value
    for name, value in (("TCP_KEEPIDLE", 5), ("TCP_KEEPINTVL", 2), ("TCP_KEEPCNT", 3))
    if hasattr(socket, name)
}
_NOT_NOW: Final = re.compile(
    r"(?:^|[ -])(?:OOM|LOADING|READONLY|NOREPLICAS|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY) "
)

# The library takes the code off the message of these.
_NOT_NOW_KINDS: Final = (exceptions.OutOfMemoryError, exceptions.ReadOnlyError, exceptions.TryAgainError)
_LOST: Final = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    exceptions.ClusterError,  # redirected without end, or no quorum
    exceptions.RedisClusterException,  # no node reached, or nobody has the slot
)


def connect(url: str) -> Redis:
    """A client for commands that answer at once. Nothing is sent twice: a time-out leaves the outcome open."""
    return _client(url, ANSWER_SECONDS)


def blocking(url: str) -> Redis:
    """A client for blocking reads and subscriptions, which may stay silent for as long as they like.

    A peer that vanished is noticed by TCP keep-alive within about 11 s instead of by a time-out.
    """
    return _client(url, None)


def _client(url: str, answer_seconds: float | None) -> Redis:
    options: dict[str, Any] = {
        "socket_connect_timeout": CONNECT_SECONDS,
        "socket_timeout": answer_seconds,
        "socket_keepalive": True,
        "socket_keepalive_options": _KEEPALIVE,
        "decode_responses": False,
        "protocol": 2,
        # Two commands of greeting on every new connection, of no use to anybody here.
        "driver_info": None,
    }
    where = place(url)
    if isinstance(where, Cluster):
        # Its pools give up at once instead of waiting, so they are larger.
        client = ClusterClient(where, max_connections=4 * MAX_CONNECTIONS, **options)
        return cast(Redis, client)  # not one by type, but by its commands
    options |= {
        "max_connections": MAX_CONNECTIONS,
        "timeout": CONNECT_SECONDS,
        "retry": Retry(NoBackoff(), 0),
        "retry_on_timeout": False,
    }
    pool: BlockingConnectionPool
    if isinstance(where, Sentinels):
        login = {**credentials(where.login), **(where.files.options() if where.secure else {})}
        pool = PrimaryPool(where.name, sentinels(where), ssl=where.secure, db=where.db, **login, **options)
    else:
        pool = BlockingConnectionPool.from_url(url, **options)
    pool.connection_class = MEASURED[pool.connection_class]
    return Redis.from_pool(pool)


class Script:
    """A Lua script, called by its hash, and sent whole when the server does not know it (yet, or any more)."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.sha = hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()

    async def __call__(self, client: Redis, keys: Sequence[str], args: Sequence[str | bytes | int] = ()) -> Any:
        """Runs the script once: NOSCRIPT means that it has not run, so sending it again can't run it twice."""
        values: list[Any] = [*keys, *args]
        try:
            return await client.evalsha(self.sha, len(keys), *values)
        except exceptions.NoScriptError:
            return await client.eval(self.source, len(keys), *values)


def unavailable(error: BaseException) -> Unavailable | None:
    """The fault behind an error of Redis that only means "not now"; ``None`` for every other error.

    Not now: no connection, no answer in time, still loading, memory full, read-only, too few replicas.
    """
    lost = isinstance(error, (*_LOST, *_NOT_NOW_KINDS))
    if lost or (isinstance(error, exceptions.ResponseError) and _NOT_NOW.search(str(error))):
        return Unavailable("REDIS_UNAVAILABLE", "the log cannot be reached")
    return None


@asynccontextmanager
async def faults() -> AsyncIterator[None]:
    """Inside, errors of Redis that mean "not now" leave as ``Unavailable("REDIS_UNAVAILABLE")``."""
    try:
        yield
    except (exceptions.RedisError, exceptions.RedisClusterException) as error:
        fault = unavailable(error)
        if fault is None:
            raise
        raise fault from error
