"""Tables of players of this process, and what must be true of their matches afterwards."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from itertools import cycle

from services.cli import recount
from services.client import Client
from services.client.models import Match, TableState
from services.rules.events import Event, SeatEvent, parse
from services.rules.options import Options
from services.rules.verdict import Outcome
from tests.e2e.player import Answer, Player

_LOGGED = (Outcome.APPLIED, Outcome.TIED, Outcome.RETURNED)


class Played:
    """A match that is over: its sheet, the log of each of its hands, and what its players were told."""

    def __init__(self, match: Match, logs: list[list[bytes]], players: list[Player]) -> None:
        self.match = match
        self.logs = logs
        self.players = players

    def problems(self) -> list[str]:
        """What is wrong: with the logs, the sheets, the winners, or with what was acknowledged."""
        answers = [answer for player in self.players for answer in player.answers]
        return recount.problems(self.match, self.logs) + missing(answers, self.logs)


async def play_match(urls: Sequence[str], *, seats: int, target: int, seed: int = 0, pause_s: float = 0.0) -> Played:
    """One match of players of this process, who come through the gateways ``urls`` in turn."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(url)) for _, url in zip(range(seats), cycle(urls))]
        for number, client in enumerate(clients):
            await client.guest(f"Player {number}")
        table = await clients[0].create_table(seats=seats, public=False, options=Options(target=target))
        players = [Player(client, seed * 100 + number, pause_s) for number, client in enumerate(clients)]
        ended = await asyncio.gather(*(player.play(table.id, table.invite) for player in players))
        assert all(seen.state is TableState.ENDED for seen in ended)
        match = await clients[0].match(ended[0].match or "")
        logs = [await clients[0].hand_log(match.id, sheet.hand) for sheet in match.hands]
    return Played(match, logs, players)


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
