"""The platform's side: players at real tables of a whole platform, whose hands are known before they play."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from services.cli.local_platform import Platform
from services.cli.ports import Ports
from services.client import Client
from services.rules import transitions
from services.rules.events import Player
from services.rules.hand import Hand, Seat
from services.rules.options import Options
from services.runtime import keys
from services.runtime.redis import connect
from tests.bench.peer_crowd import START_SEQ, SeatSocket, until
from tests.bench.peer_wire import Edge
from tests.bench.scripted_hand import Step, play

SEATS: Final = 4
OPTIONS: Final = Options(tie_window_ms=250)
"""The longest window, so that who goes for the same place at the same time shares it on a busy machine too."""
_LIMITS: Final = {
    "GATEWAY_RATE_LIMIT": "0",
    "GATEWAY_GUESTS_PER_MINUTE": "0",
    "GATEWAY_TABLES_PER_MINUTE": "0",
    "GATEWAY_REQUESTS_PER_SECOND": "0",
    "GATEWAY_ADDRESS_PER_SECOND": "0",
    "LOG_LEVEL": "WARNING",
}
"""What keeps one address from being a crowd is off, and nothing else."""
_AT_ONCE: Final = 8
"""Tables that are opened at the same time."""
_ATTACH: Final = b'{"t":"attach","seat":true,"after":null,"n":0}'


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table whose seats are taken, and who sits there, by seat."""

    id: str
    players: tuple[Player, ...]
    sockets: tuple[SeatSocket, ...]


@dataclass(frozen=True, slots=True)
class ScriptedTable:
    """A table whose hand has started: the hand as it stands then, each seat's epoch, and all that will be played."""

    id: str
    sockets: tuple[SeatSocket, ...]
    hand: Hand
    epochs: tuple[int, ...]
    script: list[Step]


@asynccontextmanager
async def platform(folder: Path) -> AsyncIterator[Platform]:
    """A new platform of one process for each service, without bots."""
    async with Platform(folder, Ports.free(), say=quiet, bots=False, env=_LIMITS) as running:
        yield running


@asynccontextmanager
async def playing(running: Platform, tables: int, steps: int) -> AsyncIterator[list[ScriptedTable]]:
    """So many tables, all of whose hands have started."""
    async with Client(running.url) as client:
        turnstile = asyncio.Semaphore(_AT_ONCE)
        seated = await asyncio.gather(*(_open(client, running.url, number, turnstile) for number in range(tables)))
    sockets = [socket for table in seated for socket in table.sockets]
    try:
        await until(lambda: all(socket.seq == START_SEQ - 2 for socket in sockets), sockets)
        scripted = await _scripts(running.redis_url, seated, steps)
        for table in seated:
            for player, socket in zip(table.players, table.sockets, strict=True):
                socket.send(b'{"t":"ready","ready":true,"nonce":"%b"}' % player.nonce.encode())
        await until(lambda: all(socket.seq == START_SEQ for socket in sockets), sockets)
        yield scripted
    finally:
        for socket in sockets:
            socket.close()


async def _open(client: Client, url: str, number: int, turnstile: asyncio.Semaphore) -> SeatedTable:
    """Four guests sit down, at the seats 0 to 3 in their order, and attach."""
    async with turnstile:
        guests = [await client.guest(f"Player {number}-{seat}") for seat in range(SEATS)]
        host, *others = [client.signed_in(guest.token) for guest in guests]
        table = await host.create_table(seats=SEATS, public=False, options=OPTIONS)
        for seat, other in enumerate(others, start=1):
            seated = await other.join(table.id, table.invite or "")
            if seated.seat != seat:
                raise RuntimeError(f"{table.id}: seat {seated.seat} was given, not {seat}")
        address = f"ws{url.removeprefix('http')}/api/v1/tables/{table.id}/socket"
        sockets = []
        for guest in guests:
            socket = await SeatSocket.open(address, Edge(), subprotocols=("pandemonium.v1", f"token.{guest.token}"))
            socket.send(_ATTACH)
            sockets.append(socket)
        players = tuple(Player(g.player, g.name, False, f"nonce-{number}-{s}") for s, g in enumerate(guests))
        return SeatedTable(table.id, players, tuple(sockets))


async def _scripts(redis_url: str, tables: Sequence[SeatedTable], steps: int) -> list[ScriptedTable]:
    """What will be played, from the secrets that the hands were prepared with."""
    scripted = []
    async with connect(redis_url) as redis:
        for table in tables:
            match, secret, *epochs = await redis.hmget(
                keys.hand(table.id), "match", "secret", *(f"E{seat}" for seat in range(SEATS))
            )
            assert isinstance(match, bytes)
            assert isinstance(secret, bytes)
            known = tuple(int(epoch or 0) for epoch in epochs)
            hand = _started(table.players, match.decode(), secret.decode(), known)
            script = await asyncio.to_thread(play, hand, known, Random(table.id), steps)
            scripted.append(ScriptedTable(table.id, table.sockets, hand, known, script))
    return scripted


def _started(players: Sequence[Player], match: str, secret: str, epochs: Sequence[int]) -> Hand:
    """The hand as the engine has it when it starts."""
    seats = [Seat(epoch=epoch) for epoch in epochs]
    hand, _ = transitions.prepare(seats, match=match, number=1, secret=secret, seq=0, now_ms=0)
    hand, _ = transitions.deal(hand, options=OPTIONS, players=players, start_at=0, now_ms=0)
    hand, _ = transitions.start(hand, now_ms=0)
    return hand


def quiet(_name: str, _line: str) -> None:
    """A log that nobody reads."""
