"""Who is let in when descriptors run out: connections that are there stay, new ones are told to come again.

The last descriptors are kept back for what serves those that are there: Redis and engines are connected anew, metrics
are read. So it does not come to a failing ``accept``, which nobody could be told of. The system gives each connection
the lowest number that is free, hence a high number means that all below it are taken: no counting is needed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from services.gateway import metrics, problems
from services.runtime import descriptors
from services.runtime.errors import Unavailable
from services.runtime.log import logger

KEPT_BACK: Final = 64
"""Descriptors that no client gets; an eighth of them all, if that is less."""
MOST_ANSWERED: Final = 16
"""So many refused connections may wait for their answer at a time; further ones are closed at once."""
ANSWER_SECONDS: Final = 1.0
"""How long a refused connection may take to ask for anything: an answer before that might be lost."""
LOG_SECONDS: Final = 60.0

_log = logger(__name__)


class Doorway:
    """The judgement of one process, and what it has told of it."""

    def __init__(self, limit: Callable[[], int] = descriptors.limit, now: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._now = now
        self._logged_at: float | None = None
        self._answering = 0

    def has_room(self, number: int) -> bool:
        """Whether the connection with this descriptor may stay. If not, it is counted, and logged once a minute."""
        limit = self._limit()
        if number < limit - min(KEPT_BACK, limit // 8):
            return True
        metrics.OUT_OF_DESCRIPTORS.inc()
        now = self._now()
        if self._logged_at is None or now - self._logged_at >= LOG_SECONDS:
            self._logged_at = now
            _log.error("out of descriptors: new connections are refused", limit=limit)
        return False

    def refuse(self, transport: asyncio.Transport) -> None:
        """Has the connection answered, if it asks soon and not too many wait already, and closed."""
        if self._answering >= MOST_ANSWERED:
            transport.abort()
            return
        self._answering += 1
        transport.set_protocol(_Refusal(transport, self._answered))

    def _answered(self) -> None:
        self._answering -= 1


class _Refusal(asyncio.Protocol):
    """A connection that gets one answer, whatever it asks."""

    def __init__(self, transport: asyncio.Transport, done: Callable[[], None]) -> None:
        self._transport = transport
        self._done = done
        self._timer = asyncio.get_running_loop().call_later(ANSWER_SECONDS, transport.abort)

    def data_received(self, data: bytes) -> None:
        """It asks: that is enough to answer."""
        if not self._transport.is_closing():
            self._transport.write(_answer())
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._timer.cancel()
        self._done()


def _answer() -> bytes:
    problem = problems.problem(Unavailable("OUT_OF_DESCRIPTORS", "come again in a while"))
    body = problem.model_dump_json(exclude_none=True).encode()
    head = (
        "HTTP/1.1 503 Service Unavailable\r\n"
        f"content-type: {problems.MEDIA_TYPE}\r\n"
        f"content-length: {len(body)}\r\n"
        "retry-after: 1\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body


def http_protocol(doorway: Doorway) -> type[asyncio.Protocol]:
    """Uvicorn's protocol of a new connection, which asks first whether there is room."""

    class _Entering(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            opened: Any = transport.get_extra_info("socket")
            if doorway.has_room(opened.fileno()):
                super().connection_made(transport)
            else:
                doorway.refuse(transport)

    return _Entering
