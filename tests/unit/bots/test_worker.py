"""The worker: seats are claimed while there is room, given up when they end, and leases decide who plays."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from services.bots.backend import Claim, Lease
from services.bots.guests import Guest, Guests
from services.bots.judgement import Strength
from services.bots.names import bot_name
from services.bots.pace import Pace
from services.bots.player import Parting
from services.bots.worker import Limits, Worker
from services.gateway.names import LONGEST, clean
from services.runtime.errors import FailedPrecondition, Unavailable
from tests.unit.bots.fakes import PaperGuests, PaperLobby


@dataclass
class Hall:
    """A worker between a lobby, an edge, and seats that are played until the test ends them."""

    lobby: PaperLobby = field(default_factory=PaperLobby)
    edge: PaperGuests = field(default_factory=PaperGuests)
    playing: dict[str, asyncio.Future[Parting]] = field(default_factory=dict)
    most_seats: int = 10

    def want(self, *tables: str) -> None:
        self.lobby.waiting += [Claim(Lease(t, 0, ""), Strength.HARD, Pace.FAST) for t in tables]

    async def play(self, claim: Claim, _: Guest) -> Parting:
        self.playing[claim.lease.table] = asyncio.get_running_loop().create_future()
        return await self.playing[claim.lease.table]

    @asynccontextmanager
    async def worker(self) -> AsyncIterator[Worker]:
        async with self.edge.client() as client:
            guests = Guests(client, random.Random(1))
            limits = Limits(self.most_seats, renew_s=0.01)
            async with Worker(self.lobby, guests, self.play, limits) as worker:
                tasks = [asyncio.create_task(run()) for run in (worker.offer, worker.offer, worker.renew)]
                try:
                    yield worker
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.wait(tasks)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.005)


async def test_every_waiting_seat_gets_a_player_of_its_own() -> None:
    hall = Hall()
    hall.want("t1", "t2", "t3")
    async with hall.worker() as worker:
        await until(lambda: worker.seats == 3)
        assert len({lease.player for lease in hall.lobby.given}) == 3


async def test_no_more_seats_are_claimed_than_there_is_room_for() -> None:
    hall = Hall(most_seats=2)
    hall.want("t1", "t2", "t3")
    async with hall.worker() as worker:
        await until(lambda: len(hall.playing) == 2)
        assert len(hall.lobby.waiting) == 1
        hall.playing["t1"].set_result(Parting.MATCH_OVER)
        await until(lambda: "t3" in hall.playing)
        assert worker.seats == 2


async def test_a_seat_that_ended_is_given_up_and_its_guest_plays_again() -> None:
    hall = Hall(most_seats=1)
    hall.want("t1", "t2")
    async with hall.worker():
        await until(lambda: "t1" in hall.playing)
        hall.playing["t1"].set_result(Parting.TABLE_CLOSED)
        await until(lambda: "t2" in hall.playing)
        assert hall.edge.left == ["token 1"]
        assert hall.edge.made == 1


async def test_a_lost_lease_ends_what_is_played_on_it_and_nothing_else() -> None:
    hall = Hall()
    hall.want("t1", "t2")
    async with hall.worker() as worker:
        await until(lambda: worker.seats == 2)
        hall.lobby.lost.append(next(lease for lease in hall.lobby.given if lease.table == "t1"))
        await until(lambda: worker.seats == 1)
        assert hall.playing["t1"].cancelled()
        assert not hall.playing["t2"].done()


async def test_a_worker_that_stops_gives_all_its_seats_up() -> None:
    hall = Hall()
    hall.want("t1", "t2")
    async with hall.worker() as worker:
        await until(lambda: worker.seats == 2)
    assert worker.seats == 0
    assert sorted(hall.edge.left) == ["token 1", "token 2"]


async def test_a_bot_that_breaks_takes_nobody_with_it() -> None:
    hall = Hall()
    hall.want("t1", "t2")
    async with hall.worker() as worker:
        await until(lambda: worker.seats == 2)
        hall.playing["t1"].set_exception(RuntimeError("a mistake"))
        await until(lambda: worker.seats == 1)
        assert hall.edge.left == ["token 1"] or hall.edge.left == ["token 2"]
        hall.want("t3")
        await until(lambda: "t3" in hall.playing)


async def test_a_guest_that_sits_elsewhere_is_replaced() -> None:
    hall = Hall(most_seats=1)
    hall.lobby.faults.append(FailedPrecondition("ALREADY_SEATED", ""))
    hall.want("t1")
    async with hall.worker():
        await until(lambda: "t1" in hall.playing)
        assert hall.edge.made == 2


async def test_a_lobby_that_is_gone_for_a_while_is_asked_again() -> None:
    hall = Hall(most_seats=1)
    hall.lobby.faults.append(Unavailable("UNAVAILABLE", ""))
    hall.want("t1")
    async with hall.worker():
        await until(lambda: "t1" in hall.playing)
        assert hall.edge.made == 1


async def test_an_edge_that_limits_guests_is_waited_for() -> None:
    hall = Hall()
    hall.edge.refusals += [429, 503]
    hall.want("t1")
    async with hall.worker():
        await until(lambda: "t1" in hall.playing)


def test_bots_have_names_that_the_edge_takes() -> None:
    names = {bot_name(random.Random(seed)) for seed in range(500)}
    assert len(names) > 40
    assert all(clean(name) == name and len(name) <= LONGEST for name in names)
