"""A table to sit at, a lobby that has seats, and an edge that makes guests: all on paper."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field

import httpx2

from services.bots.backend import Claim, Lease
from services.client import Client
from services.client.errors import ClientError
from services.client.models import Table, TableSeat, TableState
from services.rules.moves import Action
from services.rules.verdict import Outcome, Verdict
from services.rules.view import TableView
from services.runtime.errors import Fault


@dataclass
class PaperSeat:
    """A session at a table: what a bot does is noted, and what it sees is set by the test."""

    view: TableView
    table: Table
    seat: int | None = 0
    done: list[Action] = field(default_factory=list)
    nonces: list[str] = field(default_factory=list)
    outcome: Outcome = Outcome.APPLIED
    ended: ClientError | None = None
    fails: ClientError | None = None
    """What the next command ends with."""

    def __post_init__(self) -> None:
        self._changed: asyncio.Event = asyncio.Event()

    async def do(self, action: Action) -> Verdict:
        await asyncio.sleep(0)
        if self.ended is not None:
            raise self.ended
        if self.fails is not None:
            error, self.fails = self.fails, None
            raise error
        self.done.append(action)
        return Verdict(len(self.done), self.outcome)

    async def ready(self, nonce: str | None = None, *, is_ready: bool = True) -> None:
        assert nonce
        assert is_ready
        self.nonces.append(nonce)

    async def changed(self) -> None:
        if self.ended is not None:
            raise self.ended
        await self._changed.wait()
        if self.ended is not None:
            raise self.ended

    def tell(self) -> None:
        """Something has changed."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def settles(self) -> None:
        """Lets the bot do all that it has to do now."""
        for _ in range(50):
            await asyncio.sleep(0)


def lobby_table(state: TableState, *, commitment: str = "", ready: bool = False, version: int = 1) -> Table:
    seats = tuple(TableSeat(i, f"p{i}", f"Bot {i}", bot=True, ready=ready) for i in range(2))
    return Table("t1", version, state, seats, commitment=commitment)


@dataclass
class PaperLobby:
    """Seats that wait for bots, and the leases that were given."""

    waiting: list[Claim] = field(default_factory=list)
    given: list[Lease] = field(default_factory=list)
    lost: list[Lease] = field(default_factory=list)
    renewals: int = 0
    faults: list[Fault] = field(default_factory=list)

    async def claim(self, player: str, name: str, wait_s: float) -> Claim | None:
        await asyncio.sleep(0)
        if self.faults:
            raise self.faults.pop()
        if not self.waiting:
            await asyncio.sleep(0.01)
            return None
        claim = self.waiting.pop(0)
        lease = Lease(claim.lease.table, claim.lease.seat, player)
        self.given.append(lease)
        return Claim(lease, claim.strength, claim.pace)

    async def renew(self, leases: Collection[Lease]) -> list[Lease]:
        self.renewals += 1
        return [lease for lease in leases if lease in self.lost]

    async def reached(self) -> bool:
        return True


@dataclass
class PaperGuests:
    """The edge's REST: makes guests, and notes who leaves what."""

    made: int = 0
    left: list[str] = field(default_factory=list)
    refusals: list[int] = field(default_factory=list)
    """Statuses of the next answers."""

    def client(self) -> Client:
        """A client whose sockets find nobody: nothing listens on its port."""
        return Client("http://127.0.0.1:9", transport=httpx2.MockTransport(self._answer))

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        if self.refusals:
            return httpx2.Response(self.refusals.pop(0), json={"code": "too_many_guests"})
        if request.url.path.endswith("/guests"):
            self.made += 1
            made = {"player": f"p{self.made}", "name": "Bot Fern", "token": f"token {self.made}"}
            return httpx2.Response(201, json=made)
        assert request.url.path.endswith("/leave")
        self.left.append(request.headers["Authorization"].removeprefix("Bearer "))
        return httpx2.Response(200, json={"id": "t1", "version": 1, "state": "closed", "seats": []})
