"""Whole matches over sockets by other rules than the usual ones: each is confirmed from its logs alone."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, NamedTuple

import pytest
from rich.console import Console

from services.cli import recount
from services.cli.local_platform import Platform
from services.cli.match import begin, see_through
from services.client import Client, TableSession
from services.client.errors import Conflict
from services.client.models import Match, Pace, Strength, Table, TableState
from services.rules.hand import Phase
from services.rules.moves import Choice
from services.rules.options import Options

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.xdist_group("platform"),
    pytest.mark.timeout(240),
]

MATCH_S = 150.0


class Played(NamedTuple):
    """A match of bots: its record, the table as it was seen at every change, and what was printed."""

    match: Match
    tables: list[Table]
    shown: str


async def bots_play(url: str, seats: int, rules: dict[str, Any]) -> Played:
    """A whole match of fast bots, confirmed from its logs."""
    shown = io.StringIO()
    seen: list[Table] = []
    async with Client(url) as client, asyncio.timeout(MATCH_S):
        table = await begin(client, seats, Options.from_mapping(rules), Pace.FAST, Strength.MEDIUM)
        async with client.table(table.id, seat=False) as watching:
            following = asyncio.create_task(_tables(watching, seen))
            confirmed = await see_through(client, table, Console(file=shown, highlight=False))
            await watching.until(lambda: watching.table.state is TableState.ENDED)
            following.cancel()
        assert confirmed, shown.getvalue()
        return Played(await client.match(watching.table.match), seen, shown.getvalue())


async def _tables(session: TableSession, seen: list[Table]) -> None:
    while True:
        if not seen or seen[-1].version != session.table.version:
            seen.append(session.table)
        await session.changed()


async def test_partners_play_a_match_and_win_it_together(platform: Platform) -> None:
    played = await bots_play(platform.url, 4, {"preset": "pairs", "target": 20})

    last = played.match.hands[-1]
    by_team = {team.seats: team.total for team in last.teams}
    assert set(by_team) == {(0, 2), (1, 3)}
    assert all(total == sum(line.total for line in last.seats if line.seat in team) for team, total in by_team.items())
    best = max(by_team.values())
    assert best >= 20
    assert played.match.winners == tuple(sorted(seat for team in by_team if by_team[team] == best for seat in team))
    assert "win together" in played.shown or "share the victory" in played.shown
    assert {team.seats: team.total for team in played.tables[-1].teams} == by_team


async def test_two_past_the_target_in_one_hand_play_one_more(platform: Platform) -> None:
    # Without a penalty and with demons so large, several have ten cards up before anyone is out.
    rules = {"preset": "classic", "demon_size": 20, "demon_penalty": 0, "target": 10}
    played = await bots_play(platform.url, 6, rules)

    *_, tied, decided = played.match.hands
    assert sum(line.total >= 10 for line in tied.seats) > 1
    best = max(line.total for line in decided.seats)
    assert played.match.winners == tuple(line.seat for line in decided.seats if line.total == best)
    during = [table for table in played.tables if table.playoff]
    assert {table.hand for table in during} == {tied.hand, decided.hand}
    assert TableState.PLAYING in {table.state for table in during}
    assert 'called "Out!"' in played.shown


async def test_one_pass_with_one_card_at_a_time_ends_after_its_hands(platform: Platform) -> None:
    played = await bots_play(platform.url, 3, {"preset": "turn_one", "hands": 2, "demon_size": [13, 5, 13]})

    assert len(played.match.hands) in (2, 3), "a third one is the playoff of two with the same total"
    assert {hand.why for hand in played.match.hands} <= {"called", "blocked"}
    assert played.match.options["demon_size"] == [13, 5, 13]


class Pair(NamedTuple):
    """Two people at a table."""

    clients: tuple[Client, Client]
    sessions: tuple[TableSession, TableSession]

    @property
    def table(self) -> Table:
        """The table as the first of them sees it."""
        return self.sessions[0].table

    async def both(self, condition: Callable[[TableSession], bool]) -> None:
        """Waits until it holds for both."""
        for session in self.sessions:
            await session.until(partial(condition, session))

    async def get_ready(self, hand: int) -> None:
        """Both are, and the hand begins."""
        await self.both(lambda session: session.table.hand == hand - 1 and session.table.awaits(session.seat or 0))
        for session in self.sessions:
            await session.ready()
        await self.both(lambda session: (session.view.hand, session.view.phase) == (hand, Phase.PLAYING))

    async def vote(self, choice: Choice, state: TableState) -> None:
        """Both do, and the hand ends with the table in this state."""
        for session in self.sessions:
            assert (await session.vote(choice)).outcome == "applied"
        await self.both(lambda session: session.table.state is state)

    async def dispute(self) -> None:
        """Both do, and the match goes on without the hand."""
        for client in self.clients:
            await client.dispute(self.table.id)
        await self.both(lambda session: session.table.state is TableState.BETWEEN and not session.table.disputable)
        await self.both(lambda session: not any(seat.dispute for seat in session.table.seats))


@asynccontextmanager
async def pair(url: str, **rules: Any) -> AsyncIterator[Pair]:
    async with Client(url) as ada, Client(url) as bob, asyncio.timeout(MATCH_S):
        await ada.guest("Ada")
        await bob.guest("Bob")
        made = await ada.create_table(seats=2, public=False, options={"dispute": "replay_hand", **rules})
        await bob.join(made.id, made.invite)
        async with ada.table(made.id) as a, bob.table(made.id) as b:
            yield Pair((ada, bob), (a, b))


async def test_a_hand_is_dealt_again_by_votes_in_it_or_by_a_dispute_after_it(platform: Platform) -> None:
    async with pair(platform.url, hands=1) as two:
        ada, _ = two.clients
        await two.get_ready(1)
        with pytest.raises(Conflict) as refused:
            await ada.dispute(two.table.id)
        assert refused.value.code == "hand_running"
        # In the hand: it ends without scores, and nothing was counted that could be disputed.
        await two.vote(Choice.REPLAY, TableState.BETWEEN)
        assert not two.table.disputable
        with pytest.raises(Conflict) as refused:
            await ada.dispute(two.table.id)
        assert refused.value.code == "nothing_to_dispute"
        # After the hand, which is the only one of its match: that was over, and goes on.
        await two.get_ready(2)
        await two.vote(Choice.END, TableState.ENDED)
        assert (two.table.disputable, [seat.total for seat in two.table.seats]) == (True, [-26, -26])
        await two.dispute()
        assert ([seat.total for seat in two.table.seats], two.table.winners) == ([0, 0], ())
        assert not (await ada.match(two.table.match)).over
        await two.get_ready(3)
        await two.vote(Choice.END, TableState.ENDED)
        match = await ada.match(two.table.match)
        logs = [await ada.hand_log(match.id, sheet.hand) for sheet in match.hands]
    assert [(sheet.why, sheet.counts) for sheet in match.hands] == [
        ("disputed", False),
        ("disputed", False),
        ("agreed", True),
    ]
    assert recount.problems(match, logs) == []


async def test_everybody_sees_who_disputes_and_a_hand_stands_if_the_next_one_is_dealt(platform: Platform) -> None:
    async with pair(platform.url) as two, Client(platform.url) as eve:
        ada, _ = two.clients
        await two.get_ready(1)
        await two.vote(Choice.END, TableState.BETWEEN)
        async with eve.table(two.table.id, seat=False) as watching:
            await ada.dispute(two.table.id)
            await two.both(lambda session: [seat.dispute for seat in session.table.seats] == [True, False])
            await watching.until(lambda: [seat.dispute for seat in watching.table.seats] == [True, False])
            await ada.dispute(two.table.id, withdraw=True)
            await watching.until(lambda: not any(seat.dispute for seat in watching.table.seats))
            await ada.dispute(two.table.id)
            await two.get_ready(2)
            await watching.until(lambda: watching.table.hand == 2)
            assert not any(seat.dispute for seat in watching.table.seats)
        assert [seat.total for seat in two.table.seats] == [-26, -26]
