"""However many tables there are, the number of series stays what it was before the first one."""

from __future__ import annotations

import asyncio

import pytest
from prometheus_client import REGISTRY

from tests.integration.gateway.place import Place, welcomed
from tests.integration.gateway.player import Turner, attached

pytestmark = pytest.mark.asyncio(loop_scope="session")

TABLES = 12


def series() -> set[tuple[str, tuple[tuple[str, str], ...]]]:
    """Every series of every service, which all run in this process."""
    return {
        (sample.name, tuple(sorted(sample.labels.items())))
        for metric in REGISTRY.collect()
        if metric.name.startswith("pandemonium_")
        for sample in metric.samples
    }


async def test_no_table_no_player_and_no_path_adds_a_series(place: Place) -> None:
    before = series()
    assert len(before) > 500
    guests = [await place.guest(f"Guest {number}") for number in range(TABLES)]
    tables = [await place.table(guest) for guest in guests]
    async with place.http() as http:
        for table in tables:
            assert (await http.get(f"/api/v1/tables/{table}")).status_code == 200
            await http.get(f"/api/v1/tables/{table}x")
            await http.get(f"/{table}")
    table, (ada, _) = await place.running_hand()
    async with attached(place.port, table, ada.token) as player, asyncio.timeout(30):
        await welcomed(player)
        await Turner(player).turn_and_wait(1)
        await player.sends("no frame")
        await player.until(lambda: bool(player.of("error")))

    assert series() - before == set()
