"""What operators do through the console reaches players, over a whole platform, by way of the command line."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from typer.testing import CliRunner

from services.cli.__main__ import app
from services.cli.local_platform import Platform
from services.cli.ops_accounts import LOGIN, add, first_operator
from services.client import Client
from services.client.errors import ClientError
from services.client.models import TableState
from services.client.session import TableSession
from services.rules.hand import Phase
from services.rules.verdict import Outcome, Verdict
from tests.e2e.log_book import LogBook
from tests.e2e.platforms import platform as running_platform
from tests.e2e.up_process import run

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("ops"), pytest.mark.timeout(300)]

PATIENCE_S = 60


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def accounts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = first_operator(tmp_path_factory.mktemp("accounts"))
    add(file, "vic", "viewer", "vic's own password")
    (file.parent / "vic.txt").write_text("vic\nvic's own password\n")
    return file


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def platform(tmp_path_factory: pytest.TempPathFactory, accounts: Path) -> AsyncIterator[Platform]:
    log = LogBook()
    folder = tmp_path_factory.mktemp("platform")
    async with running_platform(folder, log, engines=2, gateways=2, accounts=accounts) as running:
        yield running
    assert log.errors() == []


@pytest.fixture
def ops(platform: Platform, accounts: Path) -> Callable[..., Awaitable[str]]:
    async def command(*arguments: str, login: str = LOGIN, code: int = 0) -> str:
        given = ("ops", "--url", platform.ops_url, "--login", str(accounts.parent / login), *arguments)
        # In this process: starting one takes longer than all that it does.
        ended = await asyncio.to_thread(CliRunner().invoke, app, given)
        assert ended.exit_code == code, ended.output
        return ended.output

    return command


async def until(look: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not look():
        assert time.monotonic() < deadline, f"not within {PATIENCE_S} s: {what}"
        await asyncio.sleep(0.02)


async def playing(session: TableSession) -> None:
    await until(lambda: session.view.phase is Phase.PLAYING, "a hand runs")


async def test_a_table_is_found_held_still_let_go_on_and_closed(
    platform: Platform, ops: Callable[..., Awaitable[str]]
) -> None:
    async with Client(platform.url) as ada:
        await ada.guest("Ada of the ops")
        made = await ada.create_table(seats=2, public=False, bots=1)
        async with ada.table(made.id) as session:
            await session.ready()
            await playing(session)
            assert made.id in await ops("tables", "ada of the OPS")
            assert "Ada of the ops\tperson\there" in await ops("table", made.id)
            assert await ops("freeze", made.id, login="vic.txt", code=1)
            assert not session.table.frozen

            assert await ops("freeze", made.id) == "done\n"
            await until(lambda: session.table.frozen, "the page is told")
            refused = await frozen(session)
            assert refused.outcome is Outcome.REFUSED
            stood = session.view.seq

            assert await ops("thaw", made.id) == "done\n"
            assert session.view.seq == stood, "somebody played meanwhile"
            await until(lambda: not session.table.frozen, "the page is told")
            await until(lambda: session.view.seq > stood, "the bot plays on")

            assert await ops("close", made.id) == "done\n"
            await until(lambda: session.table.state is TableState.CLOSED, "the table is closed")
    entries = [json.loads(line) for line in (await ops("audit")).splitlines()]
    done = [(e["who"], e["what"], e["result"]) for e in entries if e["on"] == made.id]
    assert done == [
        ("operator", "close", "done"),
        ("operator", "close", "begun"),
        ("operator", "thaw", "done"),
        ("operator", "thaw", "begun"),
        ("operator", "freeze", "done"),
        ("operator", "freeze", "begun"),
        ("vic", "freeze", "viewers_only_look"),
    ]


async def frozen(session: TableSession) -> Verdict:
    """The verdict on a turn, once the engine holds the table still too."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        verdict = await session.turn()
        if verdict.why == "frozen":
            return verdict
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


async def test_all_players_are_told_at_every_edge_and_those_who_come_later(
    platform: Platform, ops: Callable[..., Awaitable[str]]
) -> None:
    async with Client(platform.urls[0]) as ada, Client(platform.urls[1]) as bob:
        await ada.guest("Ada")
        made = await ada.create_table(seats=2, public=True)
        async with ada.table(made.id) as here:
            await ops("announce", "Back <b>at ten</b>", "--es", "Volvemos a las diez")
            async with bob.table(made.id, seat=False) as there:
                for session in (here, there):
                    await until(lambda s=session: bool(s.notice), "the notice comes")  # type: ignore[misc]
                    assert session.notice == {"en": "Back <b>at ten</b>", "es": "Volvemos a las diez"}
                await ops("announce", "")
                for session in (here, there):
                    await until(lambda s=session: not s.notice, "the notice goes")  # type: ignore[misc]


async def test_while_paused_nobody_opens_a_table(platform: Platform, ops: Callable[..., Awaitable[str]]) -> None:
    async with Client(platform.url) as ada:
        await ada.guest("Ada")
        await ops("pause")
        try:
            with pytest.raises(ClientError, match="creation_paused"):
                await ada.create_table(seats=2, public=True)
        finally:
            await ops("resume")
        assert (await ada.create_table(seats=2, public=True)).id


async def test_a_player_who_is_removed_is_out_and_stays_out(
    platform: Platform, ops: Callable[..., Awaitable[str]]
) -> None:
    async with Client(platform.url) as ada, Client(platform.url) as bob:
        await ada.guest("Ada")
        await bob.guest("Bob")
        made = await ada.create_table(seats=2, public=True)
        await bob.join(made.id)
        await ops("remove", made.id, "1")
        with pytest.raises(ClientError, match="sent_away"):
            await bob.join(made.id)


async def test_the_log_is_followed_as_it_happens(
    platform: Platform, ops: Callable[..., Awaitable[str]], accounts: Path
) -> None:
    async with Client(platform.url) as ada:
        await ada.guest("Ada")
        made = await ada.create_table(seats=2, public=True, bots=1)
        async with ada.table(made.id) as session:
            await session.ready()
            await playing(session)
            login = str(accounts.parent / LOGIN)
            following = asyncio.ensure_future(run("ops", "--url", platform.ops_url, "--login", login, "log", made.id))
            await until(lambda: session.view.seq > 5, "the bot plays")
            await ops("close", made.id)
            said = [json.loads(line) for line in (await asyncio.wait_for(following, PATIENCE_S))[1].splitlines()]
    assert [event["seq"] for event in said] == list(range(1, len(said) + 1))
    assert [said[0]["e"], said[-1]["e"]] == ["prepare", "end"]


async def test_a_gateway_that_is_drained_is_not_ready_and_sends_its_sockets_elsewhere(
    platform: Platform, ops: Callable[..., Awaitable[str]]
) -> None:
    listed = [line.split("\t") for line in (await ops("processes")).splitlines()]
    assert {name.split("-")[0] for name, *_ in listed} == {"engine", "gateway", "lobby", "scoring"}
    second = next(name for name, address, *_ in listed if address.endswith(f":{platform.ports.gateways[1]}"))
    await ops("drain", second)
    deadline = time.monotonic() + PATIENCE_S
    while f"{second}\t" not in (states := await ops("processes")) or "draining" not in states:
        assert time.monotonic() < deadline
    assert "unknown_process" in await ops("drain", "gateway-00000000", code=1)
