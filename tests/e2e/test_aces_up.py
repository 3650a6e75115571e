"""Games of Aces Up on a whole platform: won, counted and replayed; resumed on the way, and in two tabs at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from urllib.parse import urlsplit

import pytest

from services.cli.local_platform import Platform
from services.client import Client
from services.client.frames import command
from services.client.models import AcesUpGame, AcesUpStatistics, Table, TableState
from services.rules.aces_up.deal import deal
from services.rules.aces_up.moves import Action, Row
from services.rules.aces_up.solver import Won, solve
from services.rules.replay import verify
from tests.e2e.log_book import LogBook
from tests.integration.gateway.player import Player, attached

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.xdist_group("platform"),
    pytest.mark.timeout(120),
]

NUMBER = 222
SOLVED = solve(deal(NUMBER), budget=3_000)
assert isinstance(SOLVED, Won)
LINE = SOLVED.line
TAKEN_OVER = 4009


async def plays(player: Player, actions: Sequence[Action], first: int) -> None:
    """Sends these commands, the first one under this number, and waits for their verdicts."""
    for n, action in enumerate(actions, first):
        last = player.last or {"seq": 0, "digest": ""}
        await player.sends(command(n, 1, last["seq"], last["digest"], action).decode())
        await player.until(lambda: bool(player.verdicts) and player.verdicts[-1]["n"] == n)  # noqa: B023 - awaited at once
        assert player.verdicts[-1]["v"] == "applied"


async def until_counted(client: Client, table: Table) -> AcesUpGame:
    """The game of a table, as it is in the books."""
    async with asyncio.timeout(30):
        while True:
            games = [game for game in (await client.aces_up_games()).games if game.table == table.id]
            if games:
                return games[0]
            await asyncio.sleep(0.02)


async def test_a_game_is_won_across_two_sockets_and_two_tabs_counted_and_replayed(
    platform: Platform, log: LogBook
) -> None:
    half = 40
    first_port, second_port = (urlsplit(url).port or 0 for url in platform.urls[:2])
    async with Client(platform.url) as client:
        await client.guest("Ada")
        table = await client.aces_up(NUMBER)
        async with attached(first_port, table.id, client.token) as first:
            await first.until(lambda: any(e["e"] == "start" for e in first.events) or _playing(first))
            await plays(first, LINE[:half], 1)
            last = first.last
            # The network is gone; whoever comes back misses nothing and goes on where it was.
            await first.drops()
        async with attached(second_port, table.id, client.token, after=last, n=half) as second:
            await second.until(lambda: bool(second.of("welcome")))
            assert (second.welcome["resumed"], second.welcome["seat"], second.welcome["n"]) == (True, 0, half)
            await plays(second, LINE[half : half + 5], half + 1)
            # Another tab: it has the seat now, and the older one is told.
            async with attached(first_port, table.id, client.token) as tab:
                assert await second.closed() == TAKEN_OVER
                await tab.until(lambda: bool(tab.of("snapshot")))
                assert tab.welcome["n"] == half + 5
                await plays(tab, LINE[half + 5 :], half + 6)
                await tab.until(lambda: bool(tab.events) and tab.events[-1]["e"] == "aces_end")
                end = tab.events[-1]
                assert (end["why"], end["removed"]) == ("won", 48)
                await tab.until(lambda: any(f["table"]["state"] == "ended" for f in tab.of("table")))
                assert tab.of("table")[-1]["table"]["winners"] == [0]
        game = await until_counted(client, table)
        assert (game.match, game.number, game.why, game.removed, game.counts) == (
            table.match,
            NUMBER,
            "won",
            48,
            True,
        )
        events = await client.hand_log(game.match, game.hand)
        assert verify(events).problems == ()
        assert len(events) == len(LINE) + 4
        assert await client.aces_up_statistics() == AcesUpStatistics(
            played=1, won=1, win_rate=1.0, streak=1, longest_streak=1, removed=48, average=48.0, best=48
        )
    assert log.errors() == []


async def test_the_same_deal_again_gives_the_same_cards_and_its_win_counts_once(platform: Platform) -> None:
    async with Client(platform.url) as client:
        await client.guest("Bob")
        shown = []
        for _ in range(2):
            table = await client.aces_up(NUMBER)
            async with client.table(table.id) as session:
                await session.until(lambda: session.view.phase == "playing")
                assert session.view.game is not None
                shown.append(session.view.game.tops)
                await asyncio.gather(*map(session.do, LINE))
                await session.until(lambda: session.table.state is TableState.ENDED)
                assert session.table.winners == (0,)
        assert shown[0] == shown[1]
        assert len((await client.aces_up_games()).games) == 2
        found = await client.aces_up_statistics()
        assert (found.played, found.won, found.win_rate) == (1, 1, 1.0)


async def test_a_deal_left_untouched_is_no_game_and_a_touched_one_is_given_up(platform: Platform) -> None:
    async with Client(platform.url) as client:
        await client.guest("Cy")
        untouched = await client.aces_up(1)
        touched = await client.aces_up(2)
        async with client.table(touched.id) as session:
            await session.until(lambda: session.view.phase == "playing")
            await session.do(Row(48))
        await client.leave(touched.id)
        game = await until_counted(client, touched)
        assert (game.why, game.counts) == ("given_up", True)
        assert [game.table for game in (await client.aces_up_games()).games] == [touched.id]
        assert (await client.get_table(untouched.id)).state is TableState.CLOSED
        assert (await client.me()).table is None
        assert (await client.aces_up_statistics()).played == 1


def _playing(player: Player) -> bool:
    return any(snapshot["phase"] == "playing" for snapshot in player.of("snapshot"))
