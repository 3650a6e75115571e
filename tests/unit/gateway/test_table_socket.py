"""What a table socket does in the background for its session, beside a lobby that can't always be reached."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest

from services.gateway import frames, table_socket
from services.gateway.edge import Edge
from services.gateway.hearing import EMOTE_RATE
from services.gateway.limits import Buckets
from services.gateway.table_socket import TableSocket
from services.gateway.tasks import Tasks
from services.gateway.wire import Wire
from services.runtime.errors import DeadlineExceeded, FailedPrecondition, Fault, Unavailable


@dataclass
class FlakyLobby:
    """Fails as told, then takes what it is told."""

    faults: list[Fault]
    asked: int = 0
    told: list[tuple[bool, str]] = field(default_factory=list)

    async def ready(self, _table: str, _player: str, is_ready: bool, nonce: str) -> None:
        self.asked += 1
        if self.faults:
            raise self.faults.pop(0)
        self.told.append((is_ready, nonce))


@dataclass
class PaperWire:
    """Keeps what is written."""

    written: list[bytes] = field(default_factory=list)

    def write(self, payload: bytes) -> None:
        self.written.append(payload)


def socket_at(lobby: FlakyLobby, wire: PaperWire) -> TableSocket:
    edge = SimpleNamespace(
        settings=SimpleNamespace(rate_limit=0, rate_burst=1, back_seconds=0.01),
        lobby=lobby,
        engines=None,
        seats=None,
        sockets=set[Any](),
        tasks=Tasks(),
        emotes=Buckets(EMOTE_RATE),
    )
    return TableSocket(cast(Edge, edge), cast(Wire, wire), "t1", "p1")


async def until(condition: Any) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("fault", [Unavailable("UNAVAILABLE", "away"), DeadlineExceeded("DEADLINE_EXCEEDED", "late")])
async def test_a_lobby_that_was_away_is_told_again_that_the_player_is_ready(fault: Fault) -> None:
    lobby, wire = FlakyLobby([fault]), PaperWire()
    socket = socket_at(lobby, wire)
    socket.ready(frames.Ready(ready=True, nonce="abc"))
    await until(lambda: lobby.told)
    assert (lobby.asked, lobby.told, wire.written) == (2, [(True, "abc")], [])
    socket.lost()


async def test_what_the_player_says_last_counts() -> None:
    lobby, wire = FlakyLobby([Unavailable("UNAVAILABLE", "away")]), PaperWire()
    socket = socket_at(lobby, wire)
    socket.ready(frames.Ready(ready=True, nonce="abc"))
    await until(lambda: lobby.asked == 1)
    socket.ready(frames.Ready(ready=False, nonce="abc"))
    await until(lambda: lobby.told)
    await asyncio.sleep(2 * table_socket.READY_AGAIN_SECONDS[0])  # the older one would have come again by now
    assert lobby.told == [(False, "abc")]
    socket.lost()


async def test_a_refusal_of_the_lobby_is_told_at_once() -> None:
    lobby, wire = FlakyLobby([FailedPrecondition("TABLE_CLOSED", "the table is closed")]), PaperWire()
    socket = socket_at(lobby, wire)
    socket.ready(frames.Ready(ready=True, nonce="abc"))
    await until(lambda: wire.written)
    assert lobby.asked == 1
    assert b'"code":"ready_refused"' in wire.written[0]
    socket.lost()
