"""The events of one table on their way to its sockets at this gateway: every one, once, in order, the very bytes.

A relay subscribes for as long as a socket is there. What the subscription misses (a gap, a connection that was made
anew, a head that is further on) it reads from the log; a history that is not the one it has told is found by the
digests, and its sockets are set back. Knows no socket and no Redis: only the ports below.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final, Protocol

from msgspec import Struct

from services.gateway import metrics
from services.gateway.events import Event, NotAnEvent, Run, follows, read
from services.gateway.table_view import TableView
from services.gateway.tasks import Tasks
from services.runtime.errors import Fault, NotFound
from services.runtime.log import logger

TAIL: Final = 128
"""Recent events kept for sockets that come back at once."""
MOST_EARLY: Final = 4096
"""Events kept while the log is read; more are left for the next look at the log."""
BEHIND_SECONDS: Final = 0.1
"""How long an event that the log has may take to come by subscription."""
AGAIN_SECONDS: Final = 0.25

_log = logger(__name__)


class Head(Struct, frozen=True, gc=False):
    """The last event of a history; ``seq`` 0: none yet."""

    seq: int
    digest: str


class Log(Protocol):
    """The tables' logs. Raises ``Unavailable`` while they can't be reached."""

    async def head(self, table: str) -> Head:
        """The last event in the log."""

    async def since(self, table: str, seq: int) -> Sequence[Event]:
        """The event ``seq``, if it is still there, and what follows it."""

    async def heads(self, tables: Sequence[str]) -> Sequence[Head]:
        """The last event of each table, as its hand has it."""


class Member(Protocol):
    """A socket at the table."""

    @property
    def player(self) -> str | None:
        """Whose socket it is."""

    def told(self, run: Run) -> None:
        """The next events."""

    def table(self, view: TableView) -> None:
        """The table has changed."""

    def taken_over(self, seat: int, epoch: int) -> None:
        """A socket somewhere has taken a seat."""

    def paused(self, paused: bool) -> None:
        """The log can't be reached, or it can again."""

    def history_lost(self) -> None:
        """What was told is not in the log any more; a snapshot says where the table stands."""


Fetch = Callable[[str, str, int], Awaitable[TableView]]
"""Table, player and the newest version seen, to the table as that player may see it, in no older version."""


class Relay:
    """One table's relay. Made and ended by ``relays.Relays``."""

    def __init__(self, table: str, log: Log, fetch: Fetch, tasks: Tasks) -> None:
        self.table = table
        self.members: set[Member] = set()
        self.based: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the relay knows where the log stands: from then on no event is missed."""
        self.ended = False
        self._log = log
        self._fetch = fetch
        self._tasks = tasks
        self._head: Head | None = None
        self._tail: deque[Event] = deque(maxlen=TAIL)
        self._early: deque[Event] = deque(maxlen=MOST_EARLY)
        self._filling = False
        self._pauses: set[str] = set()
        self._deaf = False
        self._view: TableView | None = None
        self._newest = 0
        self._fetching = False
        self._stale = False

    @property
    def head(self) -> Head | None:
        """The last event told; None while that is being found out."""
        return self._head

    @property
    def is_paused(self) -> bool:
        """Whether the table's log can't be reached."""
        return bool(self._pauses)

    def after(self, seq: int, digest: str) -> Sequence[Event] | None:
        """The events told after that one, if they are all at hand and that one is of the same history."""
        head = self._head
        if head is None or self._filling:
            return None
        if head == Head(seq, digest):
            return ()
        for i, event in enumerate(self._tail):
            if event.seq == seq:
                return tuple(self._tail)[i + 1 :] if event.digest == digest else None
        return None

    def digest_of(self, seq: int) -> str | None:
        """The digest of event ``seq``; None: it is none of the last ones that were told."""
        tail = self._tail
        index = seq - tail[0].seq if tail else -1
        return tail[index].digest if 0 <= index < len(tail) else None

    async def view(self, player: str | None, *, seated: bool) -> TableView:
        """The table for a socket of this player that has joined; ``seated``: the player says to sit there.

        What is at hand will do unless the table has changed, or may have, or it lacks what is the player's: who has
        just sat down may be here before the news of it. Raises the faults of fetching it, ``NotFound`` among them.
        """
        at_hand = None if self._deaf or self._stale or self._fetching else self._view
        if at_hand is not None and at_hand.serves(player) and (not seated or at_hand.seat_of(player) is not None):
            return at_hand
        fetched = await self._fetched(player or "")
        newest = self._view
        if newest is None or (fetched.version, True) > (newest.version, newest.serves(player)):
            self._view = fetched
        return fetched

    # From the feed.

    def subscribed(self) -> None:
        """The subscription stands, for the first time or again: whatever came before it may have been missed."""
        self._deaf = False
        self._fill()
        if self.based.done():
            self.changed()

    def deaf(self) -> None:
        """The subscription is broken: what comes before it stands again is missed."""
        self._deaf = True

    def published(self, payload: bytes) -> None:
        """Events have come, a line each."""
        try:
            events = [read(line) for line in payload.split(b"\n")]
        except NotAnEvent as error:
            _log.error("no event was published", table=self.table, payload=str(error))
            return
        if self._filling or self._head is None:
            self._early.extend(events)
        elif not self._accept(events):
            self._fill()

    def changed(self) -> None:
        """The table has another version."""
        self._stale = True
        if not self._fetching and not self.ended:
            self._fetching = True
            self._tasks.spawn(self._refresh())

    def attached(self, seat: int, epoch: int) -> None:
        """A socket somewhere has taken a seat."""
        for member in tuple(self.members):
            member.taken_over(seat, epoch)

    # From the watch.

    def compare(self, now: Head, before: Head) -> None:
        """The log's head was ``now`` at some moment after this relay's was ``before``."""
        head = self._head
        if head is None or self._filling:
            return
        if now.seq < before.seq:
            self._lose()
        elif now.seq > head.seq:
            asyncio.get_running_loop().call_later(BEHIND_SECONDS, self._fill_if_behind, now.seq)
        elif self._differs(now):
            self._lose()

    def pause(self, why: str, on: bool) -> None:
        """The table's log can't be reached for the reason ``why``, or that reason is gone."""
        was = self.is_paused
        (self._pauses.add if on else self._pauses.discard)(why)
        if was is not self.is_paused:
            for member in tuple(self.members):
                member.paused(self.is_paused)

    def end(self) -> None:
        """No socket is left."""
        self.ended = True
        if not self.based.done():
            self.based.cancel()

    # Within.

    def _accept(self, events: Iterable[Event]) -> bool:
        """Tells those that come next. False: something is missing, or the history is another one."""
        accepted: list[Event] = []
        whole = all(self._continues(event, accepted) for event in events)
        if accepted:
            run = Run.of(accepted)
            for member in tuple(self.members):
                member.told(run)
        return whole

    def _continues(self, event: Event, accepted: list[Event]) -> bool:
        """Whether ``event`` is the next one, and so goes to the ``accepted`` ones, or one that was told before."""
        head = self._head
        if head is None:
            return False
        if event.seq <= head.seq:
            return not self._differs(Head(event.seq, event.digest))
        if event.seq != head.seq + 1 or not follows(event, head.digest):
            return False
        self._head = Head(event.seq, event.digest)
        self._tail.append(event)
        accepted.append(event)
        return True

    def _differs(self, other: Head) -> bool:
        """Whether ``other``, at or below the head, is known to be of another history."""
        if self._head is not None and other.seq == self._head.seq:
            return other.digest != self._head.digest
        return any(event.seq == other.seq and event.digest != other.digest for event in self._tail)

    def _fill_if_behind(self, seq: int) -> None:
        if self._head is not None and self._head.seq < seq and not self.ended:
            self._fill()

    def _fill(self) -> None:
        if not self._filling and not self.ended:
            self._filling = True
            self._tasks.spawn(self._read_log())

    async def _read_log(self) -> None:
        """Reads what is missing until nothing is; then what came meanwhile."""
        while not self.ended:
            try:
                if self._head is None:
                    self._base(await self._log.head(self.table))
                elif not self._take(self._head, await self._log.since(self.table, self._head.seq)):
                    self._forget()
                    continue
            except Fault as fault:
                _log.warning("log not read", table=self.table, fault=str(fault))
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            early = tuple(self._early)
            self._early.clear()
            if self._accept(early):
                self._filling = False
                return

    def _base(self, head: Head) -> None:
        self._head = head
        if not self.based.done():
            self.based.set_result(None)
            return
        for member in tuple(self.members):
            member.history_lost()

    def _take(self, head: Head, events: Sequence[Event]) -> bool:
        """Tells the events after ``head``. False: the log does not continue it."""
        rest = events
        if head.seq:
            if not events or events[0].seq != head.seq or events[0].digest != head.digest:
                return False
            rest = events[1:]
        if rest:
            metrics.GAPS_FILLED.inc()
        return self._accept(rest)

    def _lose(self) -> None:
        self._forget()
        self._fill()

    def _forget(self) -> None:
        metrics.HISTORIES_LOST.inc()
        _log.warning("history lost", table=self.table, head=self._head and self._head.seq)
        self._head = None
        self._tail.clear()
        self._early.clear()

    async def _refresh(self) -> None:
        """Fetches the table until it is not stale; asks as someone who may see the invite, if such a one is here."""
        try:
            while self._stale and not self.ended:
                self._stale = False
                try:
                    self._view = await self._fetched(self._who_asks())
                except NotFound:
                    self._view = None
                    return
                except Fault as fault:
                    _log.warning("table not fetched", table=self.table, fault=str(fault))
                    self._stale = True
                    await asyncio.sleep(AGAIN_SECONDS)
                    continue
                if not all(self._view.serves(member.player) for member in self.members):
                    self._stale = True  # who asked has left the table; the next one is chosen by what is known now
                    continue
                for member in tuple(self.members):
                    member.table(self._view)
        finally:
            self._fetching = False

    async def _fetched(self, player: str) -> TableView:
        # What was seen before it is asked for was stored: if it is not there any more, a failover has lost it.
        fetched = await self._fetch(self.table, player, self._newest)
        self._newest = max(self._newest, fetched.version)
        return fetched

    def _who_asks(self) -> str:
        players = sorted(member.player for member in self.members if member.player is not None)
        if self._view is not None:
            for player in players:
                if self._view.sees_invite(player):
                    return player
        return players[0] if players else ""
