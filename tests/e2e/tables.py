"""Tables of players of this process, and what must be true of their matches afterwards."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle

from services.cli import recount
from services.client import Client
from services.client.models import Match, Table, TableState
from services.rules.events import Event, SeatEvent, parse
from services.rules.options import Options
from services.rules.verdict import Outcome
from tests.e2e.player import Answer, Player, never

_LOGGED = (Outcome.APPLIED, Outcome.TIED, Outcome.RETURNED)


class SeatedTable:
    """A table whose players are about to play, or have played."""

    def __init__(self, table: Table, players: list[Player]) -> None:
        self.table = table
        self.players = players

    @property
    def answers(self) -> list[Answer]:
        """Everything that its players were told, by seat."""
        return [answer for player in self.players for answer in player.answers]

    async def play(self) -> Table:
        """All players play until they stop; the table as it was then."""
        ended = await asyncio.gather(*(player.play(self.table.id, self.table.invite) for player in self.players))
        return ended[0]

    async def record(self, table: Table) -> tuple[Match, list[list[bytes]]]:
        """The sheet of the match that ``table`` shows, and the log of each counted hand."""
        client = self.players[0].client
        match = await client.match(table.match or "")
        return match, [await client.hand_log(match.id, sheet.hand) for sheet in match.hands]


@asynccontextmanager
async def seated_table(
    urls: Sequence[str],
    *,
    seats: int = 4,
    target: int = 1000,
    seed: int = 0,
    pause_s: float = 0.0,
    enough: Callable[[], bool] = never,
) -> AsyncIterator[SeatedTable]:
    """A table and its players, who come through the gateways ``urls`` in turn."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(url)) for _, url in zip(range(seats), cycle(urls))]
        for number, client in enumerate(clients):
            await client.guest(f"Player {number}")
        table = await clients[0].create_table(seats=seats, public=False, options=Options(target=target))
        players = [Player(client, seed * 100 + number, pause_s, enough) for number, client in enumerate(clients)]
        yield SeatedTable(table, players)


async def play_match(urls: Sequence[str], *, seats: int, target: int, seed: int = 0) -> list[str]:
    """One whole match; what is wrong with its logs, sheets and winners, and with what was acknowledged."""
    async with seated_table(urls, seats=seats, target=target, seed=seed) as seated:
        ended = await seated.play()
        assert ended.state is TableState.ENDED
        match, logs = await seated.record(ended)
    assert len(seated.answers) > 50
    return recount.problems(match, logs) + missing(seated.answers, logs)


def missing(answers: Iterable[Answer], logs: Sequence[Sequence[bytes]]) -> list[str]:
    """Acknowledged commands that are not in the logs exactly once, where the answer said."""
    events: list[Event] = [parse(text) for log in logs for text in log]
    by_seq = {event.seq: event for event in events}
    times = Counter((event.seat, event.n) for event in events if isinstance(event, SeatEvent))
    found = [f"seat {seat}'s command {n} is logged {count} times" for (seat, n), count in times.items() if count > 1]
    for seat, verdict in answers:
        if verdict.outcome not in _LOGGED:
            if times[seat, verdict.n]:
                found.append(f"seat {seat}'s command {verdict.n} was refused and is in the log")
            continue
        event = by_seq.get(verdict.seq or 0)
        if not isinstance(event, SeatEvent) or (event.seat, event.n) != (seat, verdict.n):
            found.append(f"seat {seat}'s command {verdict.n} was acknowledged as event {verdict.seq}: {event}")
    return found
