from __future__ import annotations

import asyncio

import pytest

from services.cli.local_platform import Platform
from tests.chaos.balancer import Balancer
from tests.chaos.under_way import under_way

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
