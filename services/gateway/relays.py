"""All relays of this process: one for each table that has a socket here, and the watch over all their heads."""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from services.gateway import metrics
from services.gateway.relay import Fetch, Head, Log, Member, Relay
from services.gateway.tasks import Tasks
from services.runtime.errors import Fault, Unavailable

COMPARE_SECONDS: Final = 1.0
TOGETHER: Final = 200
"""Heads asked for in one go, so that the loop is never held up for long."""


class Feed(Protocol):
    """The subscription to what is published about tables."""

    def subscribe(self, relay: Relay) -> None:
        """Has what is published about the relay's table given to it, from the next ``subscribed`` on."""

    def unsubscribe(self, relay: Relay) -> None:
        """Ends that."""


class Relays:
    """The relays by table."""

    def __init__(self, feed: Feed, log: Log, fetch: Fetch, tasks: Tasks) -> None:
        self._feed = feed
        self._log = log
        self._fetch = fetch
        self._tasks = tasks
        self._relays: dict[str, Relay] = {}
        self._reachable = True

    def __len__(self) -> int:
        return len(self._relays)

    async def join(self, table: str, member: Member, seconds: float) -> Relay:
        """Adds ``member``: it gets every event after the relay's head at this moment.

        Raises ``Unavailable`` if the log can't be reached within ``seconds``.
        """
        relay = self._relays.get(table)
        if relay is None:
            relay = self._relays[table] = Relay(table, self._log, self._fetch, self._tasks)
            metrics.RELAYS.set(len(self._relays))
            self._feed.subscribe(relay)
        relay.members.add(member)
        try:
            async with asyncio.timeout(seconds):
                await asyncio.shield(relay.based)
        except TimeoutError:
            self.leave(relay, member)
            raise Unavailable("REDIS_UNAVAILABLE", "the log cannot be reached") from None
        except asyncio.CancelledError:
            self.leave(relay, member)
            raise
        if relay.is_paused:
            member.paused(True)
        return relay

    def leave(self, relay: Relay, member: Member) -> None:
        """Removes ``member``; the last one ends the relay."""
        relay.members.discard(member)
        if not relay.members and not relay.ended:
            relay.end()
            del self._relays[relay.table]
            metrics.RELAYS.set(len(self._relays))
            self._feed.unsubscribe(relay)

    def pause(self, table: str, on: bool) -> None:
        """The table's commands can't be judged for now, or they can again."""
        relay = self._relays.get(table)
        if relay is not None:
            relay.pause("plays", on)

    def members(self) -> list[Member]:
        """Every socket at every table."""
        return [member for relay in self._relays.values() for member in relay.members]

    async def watch(self) -> None:
        """Compares, once a second, what every relay has told with what the log has. Never returns."""
        while True:
            await asyncio.sleep(COMPARE_SECONDS)
            await self.compare()

    async def compare(self) -> None:
        """One such comparison."""
        known = [(relay, relay.head) for relay in self._relays.values()]
        for start in range(0, len(known), TOGETHER):
            some = known[start : start + TOGETHER]
            try:
                heads = await self._log.heads([relay.table for relay, _ in some])
            except Fault:
                self._reach(False)
                return
            for (relay, before), now in zip(some, heads, strict=True):
                if before is not None and not relay.ended:
                    relay.compare(now, before)
        self._reach(True)

    def _reach(self, reachable: bool) -> None:
        if reachable and self._reachable:
            return
        self._reachable = reachable
        for relay in tuple(self._relays.values()):
            relay.pause("log", not reachable)


__all__ = ["Feed", "Head", "Log", "Member", "Relay", "Relays"]
