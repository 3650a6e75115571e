"""The metrics of connections to Redis, the same in every service, and connections of redis-py that keep them.

What is asked within a trace is a span of it.
"""

from __future__ import annotations

import time
from typing import Any, Final

from prometheus_client import Counter, Histogram
from redis import exceptions
from redis.asyncio.connection import AbstractConnection, Connection, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.sentinel import SentinelManagedConnection, SentinelManagedSSLConnection

from services.runtime import tracing
from services.runtime.metrics import FINE_SECONDS

ANSWER_SECONDS: Final = Histogram(
    "pandemonium_redis_answer_seconds",
    "From a command, or a pipeline, sent to Redis until the first answer, seconds; without blocking reads.",
    buckets=FINE_SECONDS,
)
CONNECTIONS: Final = Counter(
    "pandemonium_redis_connections", "Connections to Redis that were tried, by outcome.", ("outcome",)
)
BROKEN: Final = Counter("pandemonium_redis_broken", "Connections to Redis that broke while in use, by why.", ("why",))

OPENED: Final = CONNECTIONS.labels("opened")
FAILED: Final = CONNECTIONS.labels("failed")
LOST: Final = BROKEN.labels("lost")
SILENT: Final = BROKEN.labels("silent")


class _Measured(AbstractConnection):
    """Counts what happens to it. A blocking one, which may be silent for long, has no ``socket_timeout``."""

    _sent_at: float | None = None

    async def connect(self) -> None:
        """Opens it, unless it is open."""
        if self.is_connected:
            return
        try:
            await super().connect()  # type: ignore[no-untyped-call]
        except (exceptions.RedisError, OSError):
            FAILED.inc()
            raise
        OPENED.inc()

    async def send_packed_command(self, *args: Any, **kwargs: Any) -> None:
        """Sends a command or a pipeline."""
        try:
            await super().send_packed_command(*args, **kwargs)
        except AttributeError as error:
            if self.is_connected:
                raise
            # Whoever finds that the node is none of the cluster any more closes it, though others are about to write.
            raise exceptions.ConnectionError("closed before the command was sent") from error
        if self.socket_timeout is not None:
            self._sent_at = time.perf_counter()

    async def read_response(self, *args: Any, **kwargs: Any) -> Any:
        """Reads one answer."""
        try:
            answer = await super().read_response(*args, **kwargs)
        except exceptions.TimeoutError:
            SILENT.inc()
            raise
        except exceptions.ConnectionError:
            LOST.inc()
            raise
        finally:
            sent_at, self._sent_at = self._sent_at, None
        if sent_at is not None:
            now = time.perf_counter()
            ANSWER_SECONDS.observe(now - sent_at)
            if tracing.share and (parent := tracing.current()):
                tracing.told(parent, "redis", sent_at, now, **{"db.system.name": "redis"})
        return answer


class _Plain(_Measured, Connection):
    pass


class _Secure(_Measured, SSLConnection):
    pass


class _Local(_Measured, UnixDomainSocketConnection):
    pass


class _ToPrimary(_Measured, SentinelManagedConnection):
    pass


class _SecureToPrimary(_Measured, SentinelManagedSSLConnection):
    pass


MEASURED: Final[dict[type[AbstractConnection], type[AbstractConnection]]] = {
    Connection: _Plain,
    SSLConnection: _Secure,
    UnixDomainSocketConnection: _Local,
    SentinelManagedConnection: _ToPrimary,
    SentinelManagedSSLConnection: _SecureToPrimary,
}
"""For each kind of connection the same one, measured."""
