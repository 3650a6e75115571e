"""Who else is at a table: how many watch it, over all edges, and what the seated say to each other in a word.

Nothing of it is part of a hand: it is in no log, and who was away has missed it. Every edge says how many watch here,
for a lifetime only, so that the watchers of an edge that dies go with it. All tables are looked at together, once in
``TELL_SECONDS``; a table that nobody watches is not. Knows no Redis: only the ports below.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

import msgspec

from services.gateway import metrics
from services.gateway.frames import EmoteOut, Watchers, encode
from services.runtime.errors import Fault
from services.runtime.log import logger

TELL_SECONDS: Final = 1.0
"""How often sockets are told of another count, at most."""
AGAIN_SECONDS: Final = 3.0
"""How often it is said again how many watch here, and found out whether the others still say so."""
LIFETIME_SECONDS: Final = 8.0
"""How long it holds. With the next look at it, a dead edge's watchers are gone for all after 12 s."""

_decoder: Final = msgspec.json.Decoder(EmoteOut | Watchers)
_log = logger(__name__)


class Member(Protocol):
    """A socket at a table."""

    def emote(self, frame: bytes) -> None:
        """A seat has sent an emote."""

    def watchers(self, count: int) -> None:
        """So many watch."""


class Others(Protocol):
    """The other edges. Raises ``Unavailable`` while they can't be reached."""

    async def tell(self, here: Mapping[str, int]) -> Mapping[str, int]:
        """Says how many watch each table here; gives how many watch it anywhere, and publishes what has changed."""

    async def say(self, table: str, frame: bytes) -> None:
        """Publishes a frame to every edge, this one too."""

    async def watchers(self, tables: Sequence[str]) -> Mapping[str, int]:
        """How many watch each of the tables, as last told; only those that somebody watches."""


class _Group:
    """The sockets at one table."""

    __slots__ = ("due", "heard", "here", "members", "told", "total")

    def __init__(self) -> None:
        self.members: set[Member] = set()
        self.here = 0
        """How many of them watch."""
        self.told = 0
        """How many the others were told."""
        self.total = 0
        """How many watch anywhere."""
        self.heard: int | None = None
        """What another edge has published meanwhile."""
        self.due = 0.0
        """When it is to be told, in seconds of the monotonic clock; 0: at once."""


class Company:
    """The tables that have a socket here. :meth:`run` does the telling."""

    def __init__(self, others: Others) -> None:
        self._others = others
        self._groups: dict[str, _Group] = {}

    def __len__(self) -> int:
        return len(self._groups)

    def arrive(self, table: str, member: Member, *, watches: bool) -> None:
        """A socket was welcomed; ``watches``: it has no seat."""
        group = self._groups.get(table)
        if group is None:
            group = self._groups[table] = _Group()
        group.members.add(member)
        if watches:
            group.here += 1
            group.due = 0.0
        member.watchers(group.total)

    def leave(self, table: str, member: Member, *, watches: bool) -> None:
        """It is gone."""
        group = self._groups[table]
        group.members.discard(member)
        if watches:
            group.here -= 1
            group.due = 0.0
        if not group.members and not group.told:
            del self._groups[table]

    async def say(self, table: str, emote: EmoteOut) -> None:
        """Tells everyone at the table, at every edge. Raises ``Unavailable``."""
        try:
            await self._others.say(table, encode(emote))
        except Fault:
            metrics.EMOTES.labels("failed").inc()
            raise
        metrics.EMOTES.labels("passed").inc()

    async def watchers(self, tables: Sequence[str]) -> Mapping[str, int]:
        """How many watch each of the tables; only those that somebody watches. Raises ``Unavailable``."""
        return await self._others.watchers(tables) if tables else {}

    # From the feed.

    def heard(self, table: str, payload: bytes) -> None:
        """An edge has published something to the company of a table."""
        group = self._groups.get(table)
        if group is None:
            return
        try:
            frame = _decoder.decode(payload)
        except msgspec.DecodeError as error:
            _log.error("no frame was published", table=table, error=str(error))
            return
        if isinstance(frame, Watchers):
            group.heard = frame.count
        else:
            for member in tuple(group.members):
                member.emote(payload)

    def missed(self, table: str) -> None:
        """The subscription was made anew: what was published before may have been missed."""
        if table in self._groups:
            self._groups[table].due = 0.0

    # The telling.

    async def run(self) -> None:
        """Tells others and sockets what has changed. Never returns."""
        while True:
            await asyncio.sleep(TELL_SECONDS)
            await self.tell()

    async def tell(self) -> None:
        """Does so once."""
        now = time.monotonic()
        for group in self._groups.values():
            if group.heard is not None:
                _count(group, group.heard, now)
                group.heard = None
        here = {table: group.here for table, group in self._groups.items() if group.due <= now}
        if not here:
            return
        for table in here:
            self._groups[table].due = now + AGAIN_SECONDS
        try:
            totals = await self._others.tell(here)
        except Fault as fault:
            _log.warning("watchers not told", fault=str(fault))
            return
        for table, total in totals.items():
            if table in self._groups:
                group = self._groups[table]
                group.told = here[table]
                _count(group, total, now)
                if not group.members and not group.told:
                    del self._groups[table]


def _count(group: _Group, total: int, now: float) -> None:
    """Notes how many watch anywhere. Where nobody does there is nothing to be said or asked again."""
    if group.due:
        watched = total or group.here or group.told
        group.due = min(group.due, now + AGAIN_SECONDS) if watched else math.inf
    if group.total != total:
        group.total = total
        for member in tuple(group.members):
            member.watchers(total)
