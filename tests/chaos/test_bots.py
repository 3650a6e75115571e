"""The bots of a table are gone during a hand: their seats are offered, and played on; other tables don't notice."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx2
import pytest

from services.cli import recount
from services.cli.harming import Harming
from services.cli.local_platform import START_S, Platform
from services.cli.plan import STOP_S, Plan
from services.cli.ports import LOOPBACK, Ports
from services.cli.process import Process
from services.client import Client, TableSession
from services.client.models import Pace, TableSeat, TableState
from services.rules.event import SeatEvent
from services.rules.options import Options
from tests.chaos.loads import harmed
from tests.chaos.promises import KILLED, PAUSED, Dies, Promises, size
from tests.e2e.log_book import LogBook
from tests.e2e.platforms import UNLIMITED, platform
from tests.e2e.player import Player

pytestmark = [
    pytest.mark.xdist_group("platform"),
    pytest.mark.timeout(600),
    pytest.mark.skipif(not os.environ.get("CHAOS"), reason="takes a while: make chaos"),
]

BOT = 1
PATIENCE_S = 120.0
PAUSE_S = 13.0
"""Longer than a lease (10 s): the seat goes to somebody else, who here is the same worker, once it goes on."""


@pytest.mark.parametrize("how", [KILLED, PAUSED, "replaced"])
async def test_the_seat_of_the_only_worker_is_played_again(how: str, tmp_path: Path, promises: Promises) -> None:
    async with platform(tmp_path / "platform", LogBook(), engines=1) as running, BotTable.at(running.url) as table:
        harm = {KILLED: "kill", PAUSED: "pause", "replaced": "restart"}[how]

        async def do() -> None:
            await table.played_by_another(Harming(running).harm("bots", harm, PAUSE_S))

        facts = await harmed(running, tmp_path / "run", "bots", do)
        expired = await leases_expired(running)
        problems = await table.finish()

    assert problems == []
    assert expired == (how != "replaced"), "who ends in order leaves no lease to run out"
    told(promises, "bots", how, table.gap_s, facts)


async def test_the_seat_of_a_worker_that_is_ended_is_played_by_another(tmp_path: Path, promises: Promises) -> None:
    book = LogBook()
    async with (
        platform(tmp_path / "platform", book, engines=1) as running,
        BotTable.at(running.url) as table,
        second_worker(running, book),
    ):

        async def do() -> None:
            await table.played_by_another(running["bots"].stop(STOP_S))

        facts = await harmed(running, tmp_path / "run", "bots", do)
        expired = await leases_expired(running)
        problems = await table.finish()

    assert problems == []
    assert expired == 0
    told(promises, "bots (one of two workers)", "ended", table.gap_s, facts)


def told(promises: Promises, what: str, how: str, gap_s: float, facts: dict[str, object]) -> None:
    waited_ms = facts["harmed"][0]["waited_ms"]  # type: ignore[index]
    found = f"its seat was played again after {gap_s:.1f} s, longest wait at other tables {waited_ms:,} ms"
    promises.measured(Dies.BOTS, what, how, found, size(facts))


class BotTable:
    """A person and a bot at a table, and how long the bot's seat was empty."""

    def __init__(self, client: Client, session: TableSession) -> None:
        self.gap_s = 0.0
        self._client = client
        self._session = session
        self._enough = False
        self._moves: list[float] = []
        """When the bot's seat has moved."""

    @classmethod
    @asynccontextmanager
    async def at(cls, url: str) -> AsyncIterator[BotTable]:
        """In the middle of its first hand."""
        async with Client(url) as client:
            await client.guest("Ada")
            rules = Options(target=1000)
            made = await client.create_table(seats=2, bots=1, pace=Pace.FAST, public=False, options=rules)
            async with client.signed_in("").table(made.id, seat=False) as session:
                table = cls(client, session)
                player = Player(client, seed=1, pause_s=0.1, enough=lambda: table._enough)
                tasks = [asyncio.create_task(player.go_on(made.id)), asyncio.create_task(table._watch())]
                try:
                    async with asyncio.timeout(PATIENCE_S):
                        while len(table._moves) < 5:
                            await asyncio.sleep(0.02)
                    yield table
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def bot(self) -> TableSeat:
        """The bot's seat."""
        return self._session.table.seats[BOT]

    async def played_by_another(self, harm: Coroutine[Any, Any, object]) -> None:
        """Until the seat is another bot's, which has moved, and the harm to its worker is done.

        Notes the longest pause between two moves meanwhile.
        """
        player, first = self.bot.player, len(self._moves) - 1
        doing = asyncio.create_task(harm)
        async with asyncio.timeout(PATIENCE_S):
            while self.bot.player in ("", player):
                await asyncio.sleep(0.01)
            seated = len(self._moves)
            while len(self._moves) < seated + 2:
                await asyncio.sleep(0.01)
        self.gap_s = max(later - earlier for earlier, later in pairwise(self._moves[first:]))
        await doing

    async def finish(self) -> list[str]:
        """Has the hand played to its end; what is wrong with the match."""
        self._enough = True
        await self._session.until(lambda: self._session.table.state is TableState.BETWEEN)
        match = await self._client.match(self._session.table.match or "")
        return recount.so_far(match, [await self._client.hand_log(match.id, sheet.hand) for sheet in match.hands])[1]

    async def _watch(self) -> None:
        async for event in self._session:
            if isinstance(event, SeatEvent) and event.seat == BOT:
                self._moves.append(asyncio.get_running_loop().time())


@asynccontextmanager
async def second_worker(running: Platform, book: LogBook) -> AsyncIterator[None]:
    """Another process of bots at the same platform, which offers its players."""
    plan = Plan(running.ports, running.redis_url, running.folder.database_url, env=UNLIMITED)
    spec = next(spec for spec in plan.services() if spec.name == "bots")
    port = Ports.free().metrics_of("bots")
    worker = Process(replace(spec, name="bots-2", env={**spec.env, "BOTS_METRICS_PORT": str(port)}), book)
    await worker.start()
    try:
        async with asyncio.timeout(START_S):
            while not await figure(port, "pandemonium_bots_guests"):
                await asyncio.sleep(0.05)
        yield
    finally:
        await worker.stop(STOP_S)


async def leases_expired(running: Platform) -> float:
    return await figure(running.ports.metrics_of("lobby"), "pandemonium_lobby_leases_expired_total")


async def figure(port: int, name: str) -> float:
    """A metric without labels; 0 while nobody answers."""
    async with httpx2.AsyncClient(trust_env=False) as http:
        try:
            text = (await http.get(f"http://{LOOPBACK}:{port}/metrics")).text
        except httpx2.TransportError:
            return 0.0
    found = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0
