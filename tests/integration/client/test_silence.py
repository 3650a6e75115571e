"""A session on a network that vanishes and comes back, on a clock that runs fast: what is told here are its seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from services.client.errors import ConnectionProblem
from services.client.session import TableSession
from services.rules.verdict import Outcome
from tests.integration.client.hurried_loop import HurriedLoop
from tests.integration.client.paper_server import PaperServer, paper_server
from tests.integration.network import Network

HURRY = 20.0
BUSY_S = 0.4 * HURRY
"""What a machine that does other work meanwhile may take for a step."""


def hurried(work: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=lambda: HurriedLoop(HURRY)) as runner:
        runner.run(work)


def session(server: PaperServer, network: Network) -> TableSession:
    return TableSession(server.url.replace(str(server.port), str(network.port)), "secret", seat=True)


@pytest.mark.parametrize("away_s", [15, 55])
def test_what_was_sent_into_a_silent_network_counts_once_when_it_is_back(away_s: float) -> None:
    async def play() -> None:
        loop = asyncio.get_running_loop()
        async with paper_server() as server, Network(server.port) as network, session(server, network) as table:
            await table.turn()
            network.falls_silent()
            since = loop.time()
            unheard = table.turn()
            await table.until(lambda: not table.attached)
            noticed = loop.time() - since
            await asyncio.sleep(since + away_s - loop.time())
            network.is_back()
            verdict = await unheard

            assert 7 < noticed < 8 + BUSY_S
            assert (verdict.outcome, verdict.n, verdict.seq) == (Outcome.APPLIED, 2, 5)
            assert server.edge.hand.seats[0].last_n == 2
            assert server.attaches[-1]["after"] is not None
            assert table.view.seats[0].stock_count == 29

    hurried(play())


def test_a_network_that_stays_silent_ends_the_session_when_patience_does() -> None:
    async def play() -> None:
        loop = asyncio.get_running_loop()
        async with paper_server() as server, Network(server.port) as network, session(server, network) as table:
            network.falls_silent()
            since = loop.time()
            with pytest.raises(ConnectionProblem):
                await table.turn()
            assert 60 < loop.time() - since < 60 + 8 + 10 + BUSY_S

    hurried(play())


def test_a_quiet_table_is_not_taken_for_a_silent_network() -> None:
    async def play() -> None:
        async with paper_server() as server, Network(server.port) as network, session(server, network) as table:
            await asyncio.sleep(30)
            assert (await table.turn()).outcome is Outcome.APPLIED
            assert len(server.attaches) == 1

    hurried(play())
