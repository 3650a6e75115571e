from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack

import pytest

from services.cli.local_platform import Platform
from services.client import Client
from tests.chaos.balancer import Balancer
from tests.chaos.promises import KILLED, Dies, Promises
from tests.chaos.under_way import under_way
from tests.doorway import LOOPBACK

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.xdist_group("platform"),
    pytest.mark.timeout(600),
]


async def test_clients_of_a_killed_gateway_go_on_through_another_and_miss_nothing(platform: Platform) -> None:
    async with Balancer(platform.ports.gateways) as balancer, under_way([balancer.url], tables=4) as running:
        await platform["gateway-1"].hold()
        try:
            await running.more_answers(20)
        finally:
            await platform["gateway-1"].start()
        await platform["gateway-1"].ready(within_s=60)

        # Some are on each gateway from here on, and see the same.
        await platform["gateway-2"].hold()
        try:
            await running.more_answers(20)
        finally:
            await platform["gateway-2"].start()
        problems = await running.finish()
        async with asyncio.timeout(60):
            await platform["gateway-2"].ready(within_s=60)

    assert problems == []
    assert all(player.set_back_at == [] for player in running.players)


async def test_who_left_with_a_killed_gateway_is_soon_known_to_be_away(platform: Platform, promises: Promises) -> None:
    one, other = (f"http://{LOOPBACK}:{port}" for port in platform.ports.gateways)
    async with AsyncExitStack() as stack:
        ada, bob = [await stack.enter_async_context(Client(url)) for url in (one, other)]
        for client in (ada, bob):
            await client.guest("A player")
        table = await ada.create_table(seats=2, public=True)
        await bob.join(table.id)

        async def present() -> list[bool]:
            return [seat.present for seat in (await bob.get_table(table.id)).seats]

        bobs = await stack.enter_async_context(bob.table(table.id))
        async with ada.table(table.id) as adas:
            async with asyncio.timeout(60):
                # The lobby hears of a socket after the socket itself.
                while not (adas.attached and bobs.attached and await present() == [True, True]):
                    await asyncio.sleep(0.01)
            await platform["gateway-1"].hold()
        began = time.monotonic()
        try:
            async with asyncio.timeout(60):
                while await present() != [False, True]:
                    await asyncio.sleep(0.1)
            found = f"away for all after {time.monotonic() - began:.1f} s"
            promises.measured(Dies.GATEWAY, "gateway-1", KILLED, found, "1 player who does not come back")
        finally:
            await platform["gateway-1"].start()
        await platform["gateway-1"].ready(within_s=60)
