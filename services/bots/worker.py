"""The bots of this process: offers guests for seats that wait for a bot, has each seat played, keeps the leases.

Each seat is one task. It ends when there is nothing more to play for, or the lease was lost; then the seat is given up
at the edge, which makes its player free for another table. A worker that is left gives all its seats up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from services.bots import metrics
from services.bots.backend import Claim, Lease, Lobby
from services.bots.guests import Guest, Guests
from services.bots.player import Parting
from services.client.errors import ClientError, Conflict, NotAllowed, NotFound
from services.runtime.errors import Fault
from services.runtime.log import logger

OFFER_S: Final = 5.0
"""How long one offer waits for a seat."""
_AFTER_FAULT_S: Final = 1.0

_log = logger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a worker takes on; times are seconds."""

    most_seats: int = 800
    renew_s: float = 3.0
    farewell_s: float = 2.5
    """How long giving up all seats may take at the end; what is left then lapses with its lease."""


Play = Callable[[Claim, Guest], Awaitable[Parting]]
"""Plays a claimed seat to its end."""


class Worker:
    """Runs while inside ``async with``; :meth:`offer` and :meth:`renew` are its background tasks."""

    def __init__(self, lobby: Lobby, guests: Guests, play: Play, limits: Limits) -> None:
        self._lobby = lobby
        self._guests = guests
        self._play = play
        self._limits = limits
        self._room = asyncio.Semaphore(limits.most_seats)
        self._seats: dict[Lease, asyncio.Task[None]] = {}
        self._lost: set[Lease] = set()

    @property
    def seats(self) -> int:
        """How many seats are played now."""
        return len(self._seats)

    async def offer(self) -> None:
        """Offers one bot after another, as long as there is room. Never returns; may run several times at once."""
        while True:
            await self._room.acquire()
            claim = None
            try:
                guest = await self._guests.take()
                claim = await self._claim(guest)
            finally:
                if claim is None:
                    self._room.release()
            if claim is not None:
                self._begin(claim, guest)

    async def renew(self) -> None:
        """Keeps the leases, and ends what is played on lost ones. Never returns."""
        pause = self._limits.renew_s
        while True:
            await asyncio.sleep(pause)
            try:
                lost = await self._lobby.renew(tuple(self._seats)) if self._seats else []
            except Fault as fault:
                _log.warning("leases not renewed", reason=fault.reason)
                pause = self._limits.renew_s / 4  # leases run out soon
                continue
            pause = self._limits.renew_s
            for lease in lost:
                task = self._seats.get(lease)
                if task is not None:
                    self._lost.add(lease)
                    task.cancel()

    async def __aenter__(self) -> Worker:
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self.give_all_up()

    async def give_all_up(self) -> None:
        """Leaves every seat, so that other workers get them; what takes longer than the farewell lapses."""
        tasks = list(self._seats.values())
        for task in tasks:
            task.cancel()
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=self._limits.farewell_s)
            for task in late:
                task.cancel()

    async def _claim(self, guest: Guest) -> Claim | None:
        try:
            claim = await self._lobby.claim(guest.player, guest.name, OFFER_S)
        except Fault as fault:
            if fault.reason == "ALREADY_SEATED":
                metrics.CLAIMS.labels("seated_elsewhere").inc()
                self._guests.forget(guest)
                return None
            metrics.CLAIMS.labels("fault").inc()
            _log.warning("no claim", reason=fault.reason)
            self._guests.give_back(guest)
            await asyncio.sleep(_AFTER_FAULT_S)
            return None
        metrics.CLAIMS.labels("none" if claim is None else "claimed").inc()
        if claim is None:
            self._guests.give_back(guest)
        return claim

    def _begin(self, claim: Claim, guest: Guest) -> None:
        metrics.SEATS.inc()
        task = asyncio.create_task(self._sit(claim, guest), name="bot")
        self._seats[claim.lease] = task
        task.add_done_callback(lambda _: self._ended(claim.lease))

    def _ended(self, lease: Lease) -> None:
        del self._seats[lease]
        self._lost.discard(lease)
        self._room.release()
        metrics.SEATS.dec()

    async def _sit(self, claim: Claim, guest: Guest) -> None:
        """Plays a seat, then gives it up and the guest back."""
        cause = "broken"
        try:
            cause = (await self._play(claim, guest)).value
        except asyncio.CancelledError:
            cause = "lease_lost" if claim.lease in self._lost else "stopping"
        except Exception as error:
            _log.error("a bot broke", exc_info=error)
        metrics.PARTINGS.labels(cause).inc()
        if await self._give_up(claim.lease.table, guest):
            self._guests.give_back(guest)
        else:
            self._guests.forget(guest)

    async def _give_up(self, table: str, guest: Guest) -> bool:
        """Leaves the table; whether the guest is free for another one."""
        try:
            await guest.client.leave(table)
        except (NotFound, Conflict, NotAllowed):
            return True  # no such table any more, or no seat there
        except ClientError:
            return False
        return True
