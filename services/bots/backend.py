"""What the bots ask of the lobby, by gRPC: seats that wait for a bot, and to keep them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Protocol

from pandemonium.common.v1 import common_pb2
from pandemonium.lobby.v1 import lobby_pb2, lobby_pb2_grpc

from services.bots.judgement import Strength
from services.bots.pace import Pace
from services.runtime.channels import answer_of, channel
from services.runtime.tls import Tls

_CALL_SECONDS: Final = 2.0
_STRENGTHS: Final = {
    common_pb2.STRENGTH_EASY: Strength.EASY,
    common_pb2.STRENGTH_MEDIUM: Strength.MEDIUM,
    common_pb2.STRENGTH_HARD: Strength.HARD,
}
_PACES: Final = {common_pb2.PACE_HUMAN: Pace.HUMAN, common_pb2.PACE_FAST: Pace.FAST}


@dataclass(frozen=True, slots=True)
class Lease:
    """A bot seat that a worker holds for a player, for as long as it renews it."""

    table: str
    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A seat that was claimed, and how it is to be played."""

    lease: Lease
    strength: Strength
    pace: Pace


class Lobby(Protocol):
    """The port that the worker uses. Raises faults."""

    async def claim(self, player: str, name: str, wait_s: float) -> Claim | None:
        """Offers a player for a waiting seat; None if none came up. Raises ``ALREADY_SEATED``."""

    async def renew(self, leases: Collection[Lease]) -> list[Lease]:
        """Keeps the leases; those that are no longer this worker's."""

    async def reached(self) -> bool:
        """Whether the lobby answers."""


class GrpcLobby:
    """The lobby at an address, asked in the name of one worker; ``async with`` closes the channel."""

    def __init__(self, address: str, worker: str, tls: Tls | None = None) -> None:
        self._worker = worker
        self._channel = channel(address, _CALL_SECONDS, tls)
        self._stub: lobby_pb2_grpc.LobbyServiceAsyncStub = lobby_pb2_grpc.LobbyServiceStub(self._channel)

    async def __aenter__(self) -> GrpcLobby:
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self._channel.close()

    async def claim(self, player: str, name: str, wait_s: float) -> Claim | None:
        """See :class:`Lobby`."""
        request = lobby_pb2.ClaimBotSeatRequest(
            worker=self._worker, player=player, name=name, wait_ms=round(wait_s * 1000)
        )
        answer = await answer_of(self._stub.ClaimBotSeat(request, timeout=wait_s + _CALL_SECONDS))
        if not answer.HasField("seat"):
            return None
        found = answer.seat
        return Claim(
            Lease(found.table, found.seat, player),
            _STRENGTHS.get(found.strength, Strength.MEDIUM),
            _PACES.get(found.pace, Pace.HUMAN),
        )

    async def renew(self, leases: Collection[Lease]) -> list[Lease]:
        """See :class:`Lobby`."""
        seats = [lobby_pb2.BotSeat(table=lease.table, seat=lease.seat, player=lease.player) for lease in leases]
        request = lobby_pb2.RenewBotSeatsRequest(worker=self._worker, seats=seats)
        answer = await answer_of(self._stub.RenewBotSeats(request, timeout=_CALL_SECONDS))
        return [Lease(lost.table, lost.seat, lost.player) for lost in answer.lost]

    async def reached(self) -> bool:
        """See :class:`Lobby`."""
        await answer_of(self._stub.ListTables(lobby_pb2.ListTablesRequest(limit=1), timeout=_CALL_SECONDS))
        return True
