"""Who came and who went is told once, and that a player went only if the seat has no newer socket soon."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from services.gateway import presence as module
from services.gateway.attendance import Sitting
from services.gateway.presence import Farewells, Presence
from services.runtime.errors import DeadlineExceeded, FailedPrecondition, Fault, NotFound, Unavailable
from services.runtime.keys import shard

BACK_SECONDS = 0.05


ADA = Sitting("t1", "ada", 0, "s1")
AWAY = Unavailable("UNAVAILABLE", "away")
LATE = DeadlineExceeded("DEADLINE_EXCEEDED", "late")


class Rest:
    """Lobby and engines at once; ``faults`` come before the engines' answer, ``lobby_faults`` before the lobby's."""

    def __init__(self, epoch: int = 1, faults: tuple[Fault, ...] = (), lobby_faults: tuple[Fault, ...] = ()) -> None:
        self.epoch = epoch
        self.faults = list(faults)
        self.lobby_faults = list(lobby_faults)
        self.told: list[bool] = []
        self.names: list[str] = []
        self.answers = asyncio.Event()
        self.answers.set()

    async def present(self, table: str, player: str, present: bool, socket: str) -> None:
        assert (table, player) == ("t1", "ada")
        if self.lobby_faults:
            raise self.lobby_faults.pop(0)
        self.told.append(present)
        self.names.append(socket)
        await self.answers.wait()

    async def detach(self, table: str, seat: int, epoch: int, socket: str) -> bool:
        assert (table, seat, socket) == ("t1", 0, "s1")
        if self.faults:
            raise self.faults.pop(0)
        if epoch == self.epoch == 0:
            raise NotFound("NO_SOCKET", "nobody was ever there")
        return epoch == self.epoch


def presence(rest: Rest, player: str | None = "ada") -> Presence:
    return Presence(cast(Any, rest), cast(Any, rest), cast(Any, None), "t1", player, "s1", BACK_SECONDS)


async def test_who_does_not_come_back_is_told_to_be_away_after_a_while() -> None:
    rest, loop = Rest(), asyncio.get_running_loop()
    began = loop.time()
    await presence(rest).gone(0, 1)
    assert rest.told == [False]
    assert loop.time() - began >= BACK_SECONDS


async def test_of_who_is_back_by_then_nothing_is_told() -> None:
    rest = Rest()
    leaving = asyncio.ensure_future(presence(rest).gone(0, 1))
    await asyncio.sleep(0)
    rest.epoch = 2
    await leaving
    assert rest.told == []


async def test_a_socket_without_an_epoch_comes_and_goes_by_name() -> None:
    rest = Rest(epoch=0)
    socket = presence(rest)
    socket.named = True
    await socket.here()
    await socket.gone(0, 0)
    assert rest.told == [True, False]
    assert rest.names == ["s1", "s1"]


async def test_one_that_an_engine_knows_needs_no_name() -> None:
    rest = Rest(epoch=1)
    socket = presence(rest)
    await socket.here()
    await socket.gone(0, 1)
    assert rest.told == [True, False]
    assert rest.names == ["", ""]


@pytest.mark.parametrize("fault", [Unavailable("UNAVAILABLE", "away"), FailedPrecondition("NO", "no")])
async def test_where_no_engine_can_tell_the_player_counts_as_away(
    fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.gateway.presence.AGAIN_SECONDS", (0.0, 0.001))
    rest = Rest(faults=(fault, fault))
    await presence(rest).gone(0, 1)
    assert rest.told == [False]


async def test_an_engine_that_is_away_at_first_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.gateway.presence.AGAIN_SECONDS", (0.0, 0.001))
    rest = Rest(epoch=2, faults=(Unavailable("UNAVAILABLE", "away"),))
    await presence(rest).gone(0, 1)
    assert rest.told == []
    assert not rest.faults


async def test_a_watcher_is_nobody_to_be_told_of() -> None:
    rest = Rest()
    await presence(rest, None).gone(0, 1)
    assert rest.told == []


@pytest.mark.parametrize("fault", [AWAY, LATE])
async def test_a_lobby_is_told_as_soon_as_it_can_be_however_long_that_takes(
    fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = len(module.AGAIN_SECONDS)
    assert sum(module.AGAIN_SECONDS) >= 3600
    monkeypatch.setattr(module, "AGAIN_SECONDS", (0.0,) * tries)
    rest = Rest(lobby_faults=(fault,) * (tries - 1))
    await presence(rest).gone(0, 1)
    assert rest.told == [False]


@pytest.mark.parametrize("fault", [AWAY, LATE])
async def test_an_engine_that_did_not_answer_in_time_is_asked_again(
    fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "AGAIN_SECONDS", (0.0, 0.001))
    rest = Rest(epoch=2, faults=(fault,))
    await presence(rest).gone(0, 1)
    assert rest.told == []


async def test_who_is_said_to_be_away_while_it_is_told_here_is_told_here_once_more() -> None:
    rest = Rest()
    socket = presence(rest)
    rest.answers.clear()
    saying = asyncio.ensure_future(socket.here())
    await asyncio.sleep(0)
    await asyncio.gather(socket.here(), socket.here())
    assert rest.told == [True]
    rest.answers.set()
    await saying
    assert rest.told == [True, True]


async def test_nobody_is_told_to_be_here_once_the_socket_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "AGAIN_SECONDS", (0.0, 0.01, 0.01))
    rest = Rest(lobby_faults=(AWAY,))
    socket = presence(rest)
    saying = asyncio.ensure_future(socket.here())
    while rest.lobby_faults:
        await asyncio.sleep(0)
    socket.lost()
    await saying
    assert rest.told == []


def farewells(rest: Rest) -> Farewells:
    return Farewells(cast(Any, rest), cast(Any, rest), cast(Any, None))


async def test_of_a_socket_of_an_edge_that_is_dead_it_is_told_at_once_unless_another_has_the_seat() -> None:
    rest, loop = Rest(epoch=0), asyncio.get_running_loop()
    began = loop.time()
    await farewells(rest).say(ADA)
    assert rest.told == [False]
    assert loop.time() - began < BACK_SECONDS
    rest.epoch = 2
    await farewells(rest).say(ADA)
    assert rest.told == [False]


async def test_farewells_of_one_shard_take_turns() -> None:
    rest = Rest(epoch=0)
    telling = farewells(rest)
    rest.answers.clear()
    two = [asyncio.ensure_future(telling.say(ADA)) for _ in range(2)]
    async with asyncio.timeout(30):
        while not rest.told:
            await asyncio.sleep(0)
    await asyncio.sleep(0.05)
    assert rest.told == [False], "one call at a time"
    rest.answers.set()
    await asyncio.wait_for(asyncio.gather(*two), 30)
    assert rest.told == [False, False]


async def test_a_farewell_that_waits_to_be_said_again_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "AGAIN_SECONDS", (0.0, 3600.0))
    rest = Rest(epoch=0, faults=(AWAY,))
    telling = farewells(rest)
    stuck = asyncio.ensure_future(telling.say(ADA))
    while rest.faults:
        await asyncio.sleep(0)
    await asyncio.wait_for(telling.say(ADA), 30)
    assert rest.told == [False]
    assert not stuck.done()
    stuck.cancel()


async def test_a_call_that_hangs_holds_up_no_other_shard() -> None:
    other = next(f"t{number}" for number in range(1000) if shard(f"t{number}") != shard("t1"))
    detached: list[str] = []

    class Engines:
        async def detach(self, table: str, seat: int, epoch: int, socket: str) -> bool:
            if table == "t1":
                await asyncio.Event().wait()
            detached.append(table)
            return False

    telling = Farewells(cast(Any, None), cast(Any, Engines()), cast(Any, None))
    hanging = [asyncio.ensure_future(telling.say(ADA)) for _ in range(100)]
    await asyncio.sleep(0.01)
    await asyncio.wait_for(telling.say(Sitting(other, "bob", 1, "s2")), 30)
    assert detached == [other]
    for each in hanging:
        each.cancel()
