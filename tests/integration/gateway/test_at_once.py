"""All seats of a table connect at the same moment, at two gateways."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from tests.integration.gateway.place import Place, started, welcomed
from tests.integration.gateway.player import attached

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_four_seats_that_connect_at_the_same_moment_are_all_connected(place: Place) -> None:
    guests = [await place.guest(f"Guest {number}") for number in range(4)]
    table = await place.table(*guests)
    async with place.gateway() as other, AsyncExitStack() as stack:
        sockets = [
            attached(port, table, guest.token) for port, guest in zip([place.port, other.port] * 2, guests, strict=True)
        ]
        players = await asyncio.gather(*map(stack.enter_async_context, sockets))
        for player in players:
            await welcomed(player)
        assert sorted(player.welcome["seat"] for player in players) == [0, 1, 2, 3]
        await asyncio.gather(*(player.sends({"t": "ready", "ready": True}) for player in players))
        await asyncio.gather(*map(started, players))
        async with attached(place.port, table, seat=False) as watcher:
            await watcher.until(lambda: bool(watcher.of("snapshot")))
            assert watcher.of("snapshot")[0]["away"] == []
        assert [player.close_code for player in players] == [None] * 4
