from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import sys
from pathlib import Path

import httpx2
import pytest

from services.cli.ports import LOOPBACK
from services.client import Client
from services.client.models import TableState
from services.rules.replay import verify
from tests.e2e.up_process import gone, run, up

pytestmark = [
    pytest.mark.xdist_group("platform"),
    pytest.mark.timeout(300),
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_up_stops_in_order_and_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    async with up(tmp_path) as running:
        children = running.children()
        assert len(children) == 7  # bots, gateway, the console, lobby, scoring, engine, Redis

        assert await running.stop(number) == 0

        await gone(children)
    log = (tmp_path / "up.log").read_text()
    assert "killed" not in log
    assert "Traceback" not in log


async def test_what_was_played_and_who_is_signed_in_survives_a_restart(tmp_path: Path) -> None:
    async with up(tmp_path) as running:
        async with Client(running.url) as client:
            guest = await client.guest("Keeper")
            table = await client.create_table(seats=2, public=True)
        code, said = await run("match", "--seats", "2", "--target", "10", "--url", running.url)
        assert code == 0, said
        await running.stop()

    async with up(tmp_path) as running, Client(running.url, guest.token) as client:
        assert (await client.me()).player == guest.player
        assert [t.id for t in await client.tables()] == [table.id]
        (match,) = (await client.matches()).matches
        assert match.over
        assert verify(await client.hand_log(match.id, 1)).verified


async def test_nothing_is_left_over_when_up_itself_is_killed_and_it_can_start_again(tmp_path: Path) -> None:
    if shutil.which("setpriv") is None:
        pytest.skip("the system has no way to end orphans")
    async with up(tmp_path) as running:
        children = running.children()
        running.process.kill()
        await running.process.wait()
        await gone(children)

    async with up(tmp_path) as running:
        assert await running.stop() == 0


async def test_a_folder_in_use_and_a_taken_port_are_refused_in_one_sentence(tmp_path: Path) -> None:
    async with up(tmp_path) as running:
        code, said = await run("up", "--data", str(tmp_path / "data"), "--port", "0")
        assert (code, said.count("\n")) == (1, 1)
        assert f"process {running.process.pid}) uses the folder" in said

    with socket.socket() as other:
        other.bind((LOOPBACK, 0))
        other.listen()
        port = other.getsockname()[1]
        code, said = await run("up", "--data", str(tmp_path / "other"), "--port", str(port))
    assert (code, said.count("\n")) == (1, 1)
    assert f"port {port}, which gateway-1 needs, is taken" in said


async def test_a_process_that_dies_is_started_again_and_that_is_said(tmp_path: Path) -> None:
    async with up(tmp_path) as running:
        children = running.children()
        gateway = next(pid for pid in children if b"services.gateway" in Path(f"/proc/{pid}/cmdline").read_bytes())
        os.kill(gateway, signal.SIGKILL)
        async with asyncio.timeout(60), httpx2.AsyncClient(trust_env=False) as http:
            while not await answers(http, f"{running.url}/readyz") or gateway in running.children():
                await asyncio.sleep(0.05)

    assert "ended by SIGKILL; starting it again" in (tmp_path / "up.log").read_text()


async def test_the_demo_keeps_a_public_table_of_four_bots_playing_by_the_rules_it_is_told(tmp_path: Path) -> None:
    async with (
        up(tmp_path, "--demo", "--rules", "nerts") as running,
        Client(running.url) as client,
        asyncio.timeout(60),
    ):
        while not (tables := await client.tables()):
            await asyncio.sleep(0.05)
        async with client.table(tables[0].id, seat=False) as session:
            await session.until(lambda: session.table is not None and session.table.state is TableState.PLAYING)
            await session.until(lambda: session.view is not None and session.view.progress > 3)
            assert session.table is not None
            assert [(seat.bot, seat.pace) for seat in session.table.seats] == [(True, "human")] * 4
            assert session.table.preset == "nerts"


async def answers(http: httpx2.AsyncClient, url: str) -> bool:
    """Whether the page answers with 200."""
    try:
        return (await http.get(url)).status_code == 200
    except httpx2.TransportError:
        return False
