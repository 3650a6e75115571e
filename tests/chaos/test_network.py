"""The network between the services and Redis is cut: packets vanish, nothing is refused."""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from services.cli.harming import Harming
from tests.chaos.loads import harmed
from tests.chaos.namespace import NoNamespaces, redis_behind_a_wire
from tests.chaos.promises import Dies, Promises, size
from tests.e2e.log_book import LogBook
from tests.e2e.platforms import platform
from tests.integration.gateway.place import place_on, started
from tests.integration.gateway.player import Turner, attached

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(300),
    pytest.mark.skipif(not os.environ.get("CHAOS"), reason="takes a while: make chaos"),
]

CUT_S = 4.0


async def test_a_cut_network_pauses_the_tables_and_everything_asked_is_answered_once_it_is_mended(
    tmp_path: Path, promises: Promises
) -> None:
    async with AsyncExitStack() as stack:
        try:
            wire = await stack.enter_async_context(redis_behind_a_wire(tmp_path))
        except NoNamespaces as reason:
            pytest.skip(str(reason))
        place = await place_on(stack, wire.url, tmp_path)
        table, (ada, _) = await place.running_hand()
        player = await stack.enter_async_context(attached(place.port, table, ada.token))
        await started(player)
        turner = Turner(player)
        await turner.turn_and_wait(4)
        loop = asyncio.get_running_loop()

        wire.cut()
        cut_at = loop.time()
        try:
            await turner.turn(4)
            await player.until(lambda: bool(player.of("paused")), 30)
            async with place.http() as http:
                assert (await http.get("/readyz")).status_code == 200, "degraded, and still there"
            await asyncio.sleep(max(0.0, cut_at + CUT_S - loop.time()))  # how long the network is away
        finally:
            wire.mend()
        mended_at = loop.time()
        await player.until(lambda: len(player.verdicts) == 8, 60)
        after_s = loop.time() - mended_at
        await player.until(lambda: bool(player.of("going_on")), 60)
        await turner.turn_and_wait(4)

        assert [verdict["n"] for verdict in player.verdicts] == list(range(1, 13))
        assert {verdict["v"] for verdict in player.verdicts} == {"applied"}
        assert not player.reading.done(), "the socket stayed open"
    found = f"everything was answered {after_s:.1f} s after it was back"
    promises.measured(Dies.NETWORK, "the wire", f"cut for {CUT_S:.0f} s", found, "1 table, 12 turns")


async def test_tables_under_load_go_on_after_a_cut_and_nothing_is_lost(tmp_path: Path, promises: Promises) -> None:
    (tmp_path / "redis").mkdir()
    async with AsyncExitStack() as stack:
        try:
            wire = await stack.enter_async_context(redis_behind_a_wire(tmp_path / "redis"))
        except NoNamespaces as reason:
            pytest.skip(str(reason))
        running = await stack.enter_async_context(
            platform(tmp_path / "platform", LogBook(), engines=2, gateways=2, bots=False, redis_url=wire.url)
        )

        async def cut() -> None:
            wire.cut()
            try:
                await asyncio.sleep(CUT_S)  # how long the network is away
            finally:
                wire.mend()
            await Harming(running).well("gateway-1")

        facts = await harmed(running, tmp_path / "run", "the wire", cut)
    found = f"longest wait {facts['harmed'][0]['waited_ms']:,} ms, the cut included"
    promises.measured(Dies.NETWORK, "the wire", f"cut for {CUT_S:.0f} s", found, size(facts))
