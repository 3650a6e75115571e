"""The subscription of this process to what engines, lobby and other gateways publish about its tables.

One connection for all tables. It is made anew for as long as the process lives; each time every relay is told by
``subscribed``, which is the only sign that something may have been missed. A connection that has gone silent is noticed
by its own pings.
"""

from __future__ import annotations

import asyncio
import math
import time
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisClusterException, RedisError

from services.gateway import metrics
from services.gateway.company import Company
from services.gateway.relay import Relay
from services.gateway.tasks import until_first_ends
from services.runtime import keys
from services.runtime.log import logger
from services.runtime.redis import faults
from services.runtime.redis_nodes import own_connection

AGAIN_SECONDS: Final = 0.2
PING_SECONDS: Final = 1.0
SILENT_SECONDS: Final = 4.0

_log = logger(__name__)


class RedisFeed:
    """Subscribes relays to their tables' channels. :meth:`run` does the reading."""

    def __init__(self, client: Redis, company: Company) -> None:
        self._client = client
        self._company = company
        self._relays: dict[str, Relay] = {}
        self._kinds: dict[bytes, tuple[str, str]] = {}
        self._connection: AbstractConnection | None = None
        self._outgoing: asyncio.Queue[tuple[str, ...]] = asyncio.Queue()
        self._heard_at = 0.0

    @property
    def connected(self) -> bool:
        """Whether the subscription stands."""
        return self._connection is not None

    def subscribe(self, relay: Relay) -> None:
        """Has what is published about the relay's table given to it, from the next ``subscribed`` on."""
        self._relays[relay.table] = relay
        for kind, channel in _channels(relay.table):
            self._kinds[channel.encode()] = (kind, relay.table)
        self._outgoing.put_nowait(("SUBSCRIBE", *_names(relay.table)))

    def unsubscribe(self, relay: Relay) -> None:
        """Ends that."""
        if self._relays.get(relay.table) is not relay:
            return
        del self._relays[relay.table]
        for _, channel in _channels(relay.table):
            del self._kinds[channel.encode()]
        self._outgoing.put_nowait(("UNSUBSCRIBE", *_names(relay.table)))

    async def run(self) -> None:
        """Reads, and connects again whenever the connection breaks. Never returns."""
        while True:
            try:
                await self._session()
            except (RedisError, RedisClusterException, OSError, TimeoutError) as error:
                _log.warning("subscription lost", error=str(error))
            await asyncio.sleep(AGAIN_SECONDS)

    async def _session(self) -> None:
        """One connection, from its start to its end."""
        async with asyncio.timeout(SILENT_SECONDS):
            connection = await own_connection(self._client)
        try:
            async with asyncio.timeout(SILENT_SECONDS):
                await connection.connect()  # type: ignore[no-untyped-call]
            metrics.FEED_CONNECTIONS.inc()
            self._heard_at = time.monotonic()
            self._outgoing = asyncio.Queue()
            for table in self._relays:
                self._outgoing.put_nowait(("SUBSCRIBE", *_names(table)))
            self._connection = connection
            await until_first_ends(self._write(connection), self._ping(connection), self._read(connection))
        finally:
            self._connection = None
            for relay in self._relays.values():
                relay.deaf()
            await connection.disconnect(nowait=True)

    async def _write(self, connection: AbstractConnection) -> None:
        while True:
            command = await self._outgoing.get()
            await connection.send_command(*command)

    async def _ping(self, connection: AbstractConnection) -> None:
        while True:
            await asyncio.sleep(PING_SECONDS)
            if time.monotonic() - self._heard_at > SILENT_SECONDS:
                raise TimeoutError("nothing heard")
            self._outgoing.put_nowait(("PING",))

    async def _read(self, connection: AbstractConnection) -> None:
        while True:
            message = await connection.read_response(timeout=math.inf, disconnect_on_error=False)
            self._heard_at = time.monotonic()
            self._handle(message)

    def _handle(self, message: Any) -> None:
        what, channel, payload = message[0], message[1], message[-1]
        kind, table = self._kinds.get(channel, ("", ""))
        if not kind:
            return
        relay = self._relays[table]
        if what == b"message":
            if kind == "events":
                relay.published(payload)
            elif kind == "version":
                relay.changed()
            elif kind == "company":
                self._company.heard(table, payload)
            else:
                seat, _, epoch = payload.partition(b":")
                relay.attached(int(seat), int(epoch))
        elif what == b"subscribe" and kind == "events":
            relay.subscribed()
            self._company.missed(table)


class RedisSeats:
    """Tells every gateway that a seat was taken by a newer socket."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def taken(self, table: str, seat: int, epoch: int) -> None:
        """Publishes that the seat's epoch is ``epoch`` now."""
        async with faults():
            await self._client.publish(keys.attach_channel(table), f"{seat}:{epoch}")


def _channels(table: str) -> tuple[tuple[str, str], ...]:
    # The events come last, so that all stand once theirs is confirmed.
    return (
        ("company", keys.company_channel(table)),
        ("attached", keys.attach_channel(table)),
        ("version", keys.table_channel(table)),
        ("events", keys.events_channel(table)),
    )


def _names(table: str) -> tuple[str, ...]:
    return tuple(channel for _, channel in _channels(table))
