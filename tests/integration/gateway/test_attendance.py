"""A gateway that can't say farewell has it said by another one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from services.gateway import attendance
from services.gateway.attendance import Sitting
from services.gateway.backend import Engine, Lobby, closing
from services.gateway.redis_attendance import RedisPeers
from services.runtime import keys
from tests.integration.gateway.place import Guest, Place, forgotten, started
from tests.integration.gateway.player import attached

pytestmark = pytest.mark.asyncio(loop_scope="session")

PATIENCE_S = 60.0


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attendance, "SILENT_SECONDS", 4.0)


class Killed:
    """A gateway as it was when it was killed: what it had told of its sockets, and left in Redis."""

    def __init__(self, engine: Engine, lobby: Lobby, log: Redis) -> None:
        self.name = "killed"
        self._engine = engine
        self._lobby = lobby
        self._peers = RedisPeers(log)

    async def had(self, table: str, player: Guest, seat: int) -> None:
        """A socket with this seat."""
        socket = f"s{seat}"
        await self._engine.attach(table, seat, 0, socket)
        await self._lobby.present(table, player.player, True, "")
        await self._peers.beat(self.name, 1, first=True)
        await self._peers.write(self.name, [Sitting(table, player.player, seat, socket)], [])

    async def present(self, table: str) -> list[bool]:
        """Whether the lobby takes the players for present, by seat."""
        return [seat.present for seat in (await self._lobby.table(table, "")).seats]


@pytest_asyncio.fixture(loop_scope="session")
async def killed(place: Place, log: Redis) -> AsyncIterator[Killed]:
    engine, lobby = Engine(place.engines), Lobby(place.lobby)
    async with closing(engine), closing(lobby):
        yield Killed(engine, lobby, log)


async def until(true: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not await true():
            await asyncio.sleep(0.05)


async def test_who_left_with_a_killed_gateway_is_away_and_who_came_back_is_not(
    place: Place, log: Redis, killed: Killed
) -> None:
    table, (ada, bob) = await place.running_hand()
    await killed.had(table, ada, 0)
    await killed.had(table, bob, 1)
    async with attached(place.port, table, ada.token) as back:
        await started(back)
        assert await killed.present(table) == [True, True]
        await until(lambda: forgotten(log, killed.name))
        assert await killed.present(table) == [True, False]


async def test_a_gateway_that_was_taken_for_dead_has_its_clients_come_again(place: Place, log: Redis) -> None:
    table, (ada, _) = await place.running_hand()
    before = await _gateways(log)
    async with place.gateway() as held_up:
        async with attached(held_up.port, table, ada.token) as player:
            await started(player)
            (name,) = await _gateways(log) - before
            assert [sitting.table for sitting in await RedisPeers(log).sittings(name)] == [table]
            await RedisPeers(log).forget(name)
            assert await player.closed() == 1001
        async with attached(held_up.port, table, ada.token) as player:
            await started(player)
            (other,) = await _gateways(log) - before
            assert other != name
            assert table in [sitting.table for sitting in await RedisPeers(log).sittings(other)]
    assert await _gateways(log) == before, "a gateway that ends in order is nobody's care"
    assert await forgotten(log, other)


async def _gateways(log: Redis) -> set[str]:
    return {name.decode() for name in await log.hkeys(keys.gateways()) if isinstance(name, bytes)}
