"""Who sits where: guests, tables made for them or found by quick play, with a bounded number of requests at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

from services.client import Client
from services.client.errors import TooMany
from services.client.models import Guest, Seated
from services.loadtest.patience import patiently
from services.loadtest.scenario import Scenario

AT_ONCE: Final = 8
"""How many tables one process makes at a time."""
MANY: Final = 64
"""As many as there can be generator processes."""
_NAME: Final = "Load"

T = TypeVar("T")


class QuotaReached(Exception):
    """The platform limits guests; the message names the setting."""


@dataclass(frozen=True, slots=True)
class Player:
    """A guest in a seat."""

    client: Client
    player: str
    token: str
    seat: int


@dataclass(frozen=True, slots=True)
class Company:
    """The players of one table, the host first."""

    table: str
    players: tuple[Player, ...]


async def guest(edge: Client) -> tuple[Client, Guest]:
    """A new player. Raises :class:`QuotaReached`."""
    client = edge.signed_in("")
    try:
        return client, await client.guest(_NAME)
    except TooMany as error:
        raise QuotaReached(f"{error}; start the platform with GATEWAY_GUESTS_PER_MINUTE=0") from None


async def made_table(edge: Client, scenario: Scenario) -> Company:
    """A private table with all its seats taken.

    Where the edge can't be asked for a while, other guests make another one: nobody knows what came of the first.
    """
    return await patiently(partial(_made_table, edge, scenario))


async def _made_table(edge: Client, scenario: Scenario) -> Company:
    players = [await guest(edge) for _ in range(scenario.seats)]
    host = players[0][0]
    table = await host.create_table(seats=scenario.seats, public=False, options=scenario.options)
    seats = [0]
    for client, _ in players[1:]:
        seats.append((await client.join(table.id, table.invite)).seat)
    return Company(
        table.id,
        tuple(Player(c, g.player, g.token, seat) for (c, g), seat in zip(players, seats, strict=True)),
    )


async def quick_companies(edge: Client, count: int, scenario: Scenario) -> list[Company]:
    """The tables at which ``count`` players find themselves who all ask for a seat at once."""
    guests = await gathered((guest(edge) for _ in range(count)), AT_ONCE)

    async def ask(client: Client, made: Guest) -> tuple[Seated, Player]:
        seated = await client.quick_play(scenario.seats)
        return seated, Player(client, made.player, made.token, seated.seat)

    tables: dict[str, list[Player]] = {}
    for seated, player in await asyncio.gather(*(ask(client, made) for client, made in guests)):
        tables.setdefault(seated.table.id, []).append(player)
    return [Company(table, tuple(players)) for table, players in tables.items()]


async def gathered(work: Iterable[Awaitable[T]], at_once: int = MANY) -> list[T]:
    """All results, in order, of work of which at most ``at_once`` goes on at a time; no more of it is even begun.

    Of several that fail the first is raised, when all have ended.
    """
    results: dict[int, T] = {}
    left = enumerate(work)

    async def one_by_one() -> None:
        for i, part in left:
            results[i] = await part

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(at_once):
                group.create_task(one_by_one())
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return [results[i] for i in sorted(results)]
