"""Who sits at which table through this gateway, kept where the others find it: if it dies, one of them says who left.

A gateway that ends says that itself (``presence``), and then has nothing here. One that is killed, or cut off, falls
silent; each of the others notices by its own watch, and the first to claim it tells lobby and engines of its seats.
Nothing is told of a seat that has a newer socket. A gateway that was only held up finds that it was written off, and
has its clients come again. Knows no Redis: only the port below.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from typing import Annotated, Final, Protocol

from msgspec import Meta, Struct

from services.gateway.tasks import Tasks, until_first_ends
from services.rules.hand import MOST_SEATS
from services.runtime.errors import Fault
from services.runtime.log import logger

BEAT_SECONDS: Final = 1.0
"""How often a gateway says that it is alive, and looks at the others."""
SILENT_SECONDS: Final = 10.0
"""A gateway whose beat has not changed for so long is written off."""
AGAIN_SECONDS: Final = 0.1
"""How soon what could not be written is tried again."""
WAIT_SECONDS: Final = 1.0
"""How long a socket waits until its seat is written; after that it plays all the same."""
ALL_AGAIN_SECONDS: Final = 60.0
"""How often everything is written again: a failover may have lost it."""

_log = logger(__name__)


class Sitting(Struct, frozen=True, array_like=True, gc=False):
    """A socket that has a seat, or is about to; ``socket`` is a name that no other has."""

    table: str
    player: str
    seat: Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
    socket: str


class Peers(Protocol):
    """What gateways leave for each other. Raises ``Unavailable`` while it can't be reached."""

    async def beat(self, gateway: str, beats: int, *, first: bool) -> Mapping[str, int] | None:
        """Says for the so-manieth time that this one lives; gives the beats of all.

        None, and nothing is said: it was claimed, or this is not the ``first`` time and it is not known any more.
        """

    async def write(self, gateway: str, come: Collection[Sitting], gone: Collection[str]) -> None:
        """Notes who has come, and which sockets are gone."""

    async def sittings(self, gateway: str) -> Collection[Sitting]:
        """All of a gateway's sittings."""

    async def claim(self, gateway: str, by: str, seconds: float) -> bool:
        """Has nobody else look after a gateway for so long; False: somebody does. From then on its own beat fails."""

    async def forget(self, gateway: str) -> None:
        """There is no such gateway any more, nor anything it has left."""


Farewell = Callable[[Sitting], Awaitable[None]]
"""Tells everyone that this socket is gone; returns when that is told."""


class Watch:
    """Which gateways have fallen silent, as this process itself has seen it.

    Only what it could see counts: while Redis is away nobody beats, and that says nothing of anybody.

    >>> watch = Watch()
    >>> [watch.silent({"a": 1, "b": now}, float(now)) for now in (0, 9, 10)]
    [[], [], []]
    >>> [watch.silent({"a": 1, "b": now}, float(now)) for now in (*range(11, 20), 20)][-1]
    ['a']
    """

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, float]] = {}
        self._looked = -SILENT_SECONDS

    def silent(self, beats: Mapping[str, int], now: float) -> list[str]:
        """Takes everyone's beats of this moment, seconds of a monotonic clock; gives those that were silent too long.

        After a gap in one's own looking everybody has the whole time again.
        """
        seen = self._seen if now - self._looked < SILENT_SECONDS / 2 else {}
        self._looked = now
        self._seen = {
            name: was if (was := seen.get(name)) and was[0] == beat else (beat, now) for name, beat in beats.items()
        }
        return [name for name, (_, since) in self._seen.items() if now - since >= SILENT_SECONDS]


class Attendance:
    """This gateway's sittings, and the look after the other gateways. :meth:`run` does the telling."""

    def __init__(self, peers: Peers, tasks: Tasks, farewell: Farewell, written_off: Callable[[], object]) -> None:
        """``written_off``: the others have said of everyone here that they left; the clients are to come again."""
        self._peers = peers
        self._tasks = tasks
        self._farewell = farewell
        self._written_off = written_off
        self._sitting: dict[str, Sitting] = {}
        self._unwritten: dict[str, Sitting | None] = {}
        self._writing: frozenset[str] = frozenset()
        self._wake = asyncio.Event()
        self._written = asyncio.Condition()
        self._name = _name()
        self._beats = 0
        self._known = False
        self._watch = Watch()
        self._heir = _name()
        self._looked_after: set[str] = set()
        self._idle = asyncio.Event()
        self._idle.set()
        self._ending = asyncio.Event()

    def __len__(self) -> int:
        return len(self._sitting)

    def sits(self, sitting: Sitting) -> None:
        """This socket has this seat, or is about to."""
        self._sitting[sitting.socket] = sitting
        self._note(sitting.socket, sitting)

    async def written(self, socket: str) -> None:
        """Returns when the others would find what was said of this socket, or when that takes too long."""
        try:
            async with asyncio.timeout(WAIT_SECONDS), self._written:
                await self._written.wait_for(lambda: socket not in self._unwritten and socket not in self._writing)
        except TimeoutError:
            _log.warning("a seat is not written yet")

    def left(self, socket: str) -> None:
        """It has none any more, and everyone who is to know has been told."""
        if self._sitting.pop(socket, None) is not None:
            self._note(socket, None)

    async def run(self) -> None:
        """Writes, beats and looks after the others, until :meth:`close`."""
        self._idle.clear()
        try:
            await until_first_ends(self._keep_written(), self._keep_beating())
        finally:
            self._idle.set()

    async def close(self) -> None:
        """The gateway ends: if all farewells are told nothing is left here, else another one tells the rest."""
        self._ending.set()
        await self._idle.wait()
        try:
            if self._sitting:
                if not self._known:
                    await self._peers.beat(self._name, 1, first=True)
                await self._write()
            else:
                await self._peers.forget(self._name)
        except Fault as fault:
            _log.warning("the other gateways were not told of the end", fault=str(fault))

    # Within.

    def _note(self, socket: str, sitting: Sitting | None) -> None:
        self._unwritten[socket] = sitting
        self._wake.set()

    async def _keep_written(self) -> None:
        while not self._ending.is_set():
            await self._wake.wait()
            # Before the first beat nobody would look for it.
            if not self._known or not await self._write():
                await asyncio.sleep(AGAIN_SECONDS)

    async def _write(self) -> bool:
        """Writes what is not written yet; meanwhile more may come. False: it can't be for now."""
        self._wake.clear()
        unwritten, self._unwritten = self._unwritten, {}
        self._writing = frozenset(unwritten)
        come = [sitting for sitting in unwritten.values() if sitting is not None]
        gone = [socket for socket, sitting in unwritten.items() if sitting is None]
        try:
            await self._peers.write(self._name, come, gone)
        except BaseException as error:
            self._unwritten = unwritten | self._unwritten
            self._wake.set()
            if not isinstance(error, Fault):
                raise
            _log.warning("seats not written", fault=str(error))
            return False
        finally:
            self._writing = frozenset()
        async with self._written:
            self._written.notify_all()
        return True

    async def _keep_beating(self) -> None:
        while not self._ending.is_set():
            try:
                await self._beat()
            except Fault as fault:
                _log.warning("no beat", fault=str(fault))
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT_SECONDS):
                    await self._ending.wait()

    async def _beat(self) -> None:
        self._beats += 1
        beats = await self._peers.beat(self._name, self._beats, first=not self._known)
        if beats is None:
            self._begin_anew()
            beats = await self._peers.beat(self._name, self._beats, first=True) or {}
        self._known = True
        if self._beats % round(ALL_AGAIN_SECONDS / BEAT_SECONDS) == 0 and self._sitting:
            self._write_all()
        for gateway in self._watch.silent(beats, time.monotonic()):
            if gateway == self._name or gateway in self._looked_after:
                continue
            if await self._peers.claim(gateway, self._heir, SILENT_SECONDS):
                self._looked_after.add(gateway)
                self._tasks.spawn(self._look_after(gateway))
        for gateway in tuple(self._looked_after):
            await self._peers.claim(gateway, self._heir, SILENT_SECONDS)

    def _write_all(self) -> None:
        self._unwritten = {**self._sitting, **self._unwritten}
        self._wake.set()

    def _begin_anew(self) -> None:
        """Under another name: what the old one had is being told of, or was."""
        _log.warning("written off by the other gateways", gateway=self._name, seats=len(self))
        self._name = _name()
        self._known = False
        self._write_all()
        self._written_off()

    async def _look_after(self, gateway: str) -> None:
        """Says who left with a gateway that is gone."""
        told = 0
        try:
            while sittings := await self._peers.sittings(gateway):
                # Each for itself: one of a table that can't be reached does not keep the others waiting.
                async with asyncio.TaskGroup() as group:
                    telling = [group.create_task(self._tell(gateway, sitting)) for sitting in sittings]
                if untold := [fault for each in telling if (fault := each.result()) is not None]:
                    raise untold[0]  # again soon: it stays claimed
                told += len(sittings)
            await self._peers.forget(gateway)
            _log.warning("a gateway is gone", gateway=gateway, seats=told)
        except Fault as fault:
            _log.warning("a gateway is gone, not all is told yet", gateway=gateway, fault=str(fault))
        finally:
            self._looked_after.discard(gateway)

    async def _tell(self, gateway: str, sitting: Sitting) -> Fault | None:
        """Why it could not be told, or not noted that it was; raised, it would end what is said of the others."""
        try:
            await self._farewell(sitting)
            await self._peers.write(gateway, [], [sitting.socket])
        except Fault as fault:
            return fault
        return None


def _name() -> str:
    return secrets.token_hex(6)
