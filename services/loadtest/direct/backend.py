"""What a direct run asks of engines and lobby, by gRPC. Every unary call has a deadline; what fails is a ``Fault``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pandemonium.engine.v1 import engine_pb2, engine_pb2_grpc
from pandemonium.lobby.v1 import lobby_pb2, lobby_pb2_grpc

from services.client.models import Table
from services.loadtest.direct import convert
from services.loadtest.direct.convert import Verdict
from services.runtime.channels import TwoWay, answer_of, channel, connected
from services.runtime.tls import from_environment

_CONNECT_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Request:
    """A seat's frame on its way: who sends it, and when it got to the line, in Redis' ms."""

    frame: bytes
    table: str
    seat: int
    epoch: int
    arrived_ms: int


@dataclass(frozen=True, slots=True)
class Taken:
    """A seat taken: its epoch, its last number, and the kept verdicts after the number that was named."""

    epoch: int
    last_n: int
    verdicts: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table's public state after event ``seq``, as its frame."""

    seq: int
    frame: bytes


class EngineCall:
    """One open stream of commands."""

    def __init__(self, stream: TwoWay) -> None:
        self._stream = stream

    async def write(self, requests: Sequence[Request]) -> None:
        """Sends one batch. Raises a ``Fault``."""
        commands = [convert.command(r.frame, r.table, r.seat, r.epoch, r.arrived_ms) for r in requests]
        await self._stream.write(engine_pb2.PlayStreamRequest(packed=convert.packed(commands)))

    async def read(self) -> Sequence[Verdict]:
        """The next verdicts. Raises a ``Fault``."""
        return convert.verdicts((await self._stream.read()).packed)


class Engine:
    """One engine."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._channel = channel(address, tls=from_environment())
        self._stub = engine_pb2_grpc.EngineServiceStub(self._channel)

    async def open(self) -> EngineCall:
        """Connects and opens a stream of commands. Raises ``Unavailable``."""
        await connected(self._channel, _CONNECT_S, f"the engine at {self.address} can't be reached")
        return EngineCall(TwoWay(self._stub.PlayStream(), "the engine"))

    async def attach(self, table: str, seat: int, after_n: int) -> Taken:
        """Takes a seat. Raises a ``Fault``: ``NotFound`` before the table's first hand is prepared."""
        request = engine_pb2.AttachRequest(table=table, seat=seat, after_n=after_n)
        answer = await answer_of(self._stub.Attach(request))
        return Taken(answer.epoch, answer.last_n, tuple(answer.verdicts))

    async def snapshot(self, table: str) -> Snapshot:
        """The table's public state. Raises a ``Fault``."""
        answer = await answer_of(self._stub.Snapshot(engine_pb2.SnapshotRequest(table=table)))
        return Snapshot(answer.seq, answer.frame)

    async def close(self) -> None:
        """Ends the connection."""
        await self._channel.close()


class Lobby:
    """The lobby."""

    def __init__(self, address: str) -> None:
        self._channel = channel(address, tls=from_environment())
        self._stub = lobby_pb2_grpc.LobbyServiceStub(self._channel)

    async def table(self, table: str) -> Table:
        """A table as it is now. Raises a ``Fault``."""
        return convert.table((await answer_of(self._stub.GetTable(lobby_pb2.GetTableRequest(table=table)))).table)

    async def ready(self, table: str, player: str, nonce: str) -> None:
        """The player is ready for the next hand. Raises a ``Fault``."""
        request = lobby_pb2.SetReadyRequest(table=table, player=player, ready=True, nonce=nonce)
        await answer_of(self._stub.SetReady(request))

    async def present(self, table: str, player: str) -> None:
        """The player has come. Raises a ``Fault``."""
        await answer_of(self._stub.SetPresence(lobby_pb2.SetPresenceRequest(table=table, player=player, present=True)))

    async def close(self) -> None:
        """Ends the connection."""
        await self._channel.close()
