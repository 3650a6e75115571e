"""What the lobby asks of engines and scoring. Any engine may be asked, so one that does not answer is passed over.

Every call may be repeated: both know a hand by match and number.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar
from zlib import crc32

import grpc
from pandemonium.engine.v1 import engine_pb2, engine_pb2_grpc
from pandemonium.scoring.v1 import scoring_pb2, scoring_pb2_grpc

from services.lobby.dispute import Standing
from services.lobby.table import Table
from services.runtime.channels import answer_of, channel
from services.runtime.errors import DeadlineExceeded, Fault, NotFound, Unavailable, fault_from
from services.runtime.tls import Tls

CALL_SECONDS: Final = 2.0
"""The deadline of one call to one engine, and of one to scoring."""

_Answer = TypeVar("_Answer")


class Engines(Protocol):
    """The port that the driver uses. Raises faults; ``Unavailable`` when no engine answers."""

    async def prepare(self, table: Table) -> str:
        """Has the secret of the table's next hand chosen; its hash."""

    async def deal(self, table: Table) -> None:
        """Deals the hand that the table has started, to those whom ``table.deal`` names. Raises ``NOT_PREPARED``."""

    async def abandon(self, table: str) -> None:
        """Ends a running hand without a score, if there is one."""

    async def freeze(self, table: str, frozen: bool) -> None:
        """Holds the table's hand still, if there is one, or lets it go on."""

    async def forget(self, table: str) -> None:
        """Deletes what the engine keeps of the table. Raises ``HAND_RUNNING``, ``HAND_UNCOUNTED``."""


class Scoring(Protocol):
    """The port that the driver uses. Raises faults; ``Unavailable`` when scoring or its database does not answer."""

    async def void_hand(self, match: str, hand: int) -> Standing:
        """Takes a match's last hand back; what the match is without it. Raises ``NOT_LAST_HAND``, ``UNKNOWN_HAND``."""


@dataclass(frozen=True, slots=True)
class _Engine:
    address: str
    channel: grpc.aio.Channel
    stub: engine_pb2_grpc.EngineServiceAsyncStub


class GrpcEngines:
    """The engines behind fixed addresses; ``async with`` closes the channels."""

    def __init__(self, addresses: Sequence[str], tls: Tls | None = None) -> None:
        channels = [channel(address, CALL_SECONDS, tls) for address in addresses]
        self._engines = [
            _Engine(address, opened, engine_pb2_grpc.EngineServiceStub(opened))
            for address, opened in zip(addresses, channels, strict=True)
        ]

    async def __aenter__(self) -> GrpcEngines:
        return self

    async def __aexit__(self, *_exc: object) -> None:
        for engine in self._engines:
            await engine.channel.close()

    async def prepare(self, table: Table) -> str:
        """See :class:`Engines`."""
        request = engine_pb2.PrepareRequest(
            table=table.id, seats=len(table.seats), match=table.match, hand=table.hand + 1
        )
        answer = await self._ask(table.id, lambda stub: stub.Prepare(request, timeout=CALL_SECONDS))
        return answer.commitment

    async def deal(self, table: Table) -> None:
        """See :class:`Engines`."""
        request = engine_pb2.DealRequest(
            table=table.id,
            match=table.match,
            hand=table.hand,
            options_json=table.options,
            seats=[
                engine_pb2.DealSeat(player=seat.player, name=seat.name, bot=seat.bot, nonce=seat.nonce)
                for seat in table.deal
            ],
            countdown_ms=table.countdown_ms,
        )
        await self._ask(table.id, lambda stub: stub.Deal(request, timeout=CALL_SECONDS))

    async def abandon(self, table: str) -> None:
        """See :class:`Engines`."""
        request = engine_pb2.AbandonRequest(table=table)
        with suppress(NotFound):
            await self._ask(table, lambda stub: stub.Abandon(request, timeout=CALL_SECONDS))

    async def freeze(self, table: str, frozen: bool) -> None:
        """See :class:`Engines`."""
        request = engine_pb2.FreezeRequest(table=table, frozen=frozen)
        await self._ask(table, lambda stub: stub.Freeze(request, timeout=CALL_SECONDS))

    async def forget(self, table: str) -> None:
        """See :class:`Engines`."""
        request = engine_pb2.ForgetRequest(table=table)
        with suppress(NotFound):
            await self._ask(table, lambda stub: stub.Forget(request, timeout=CALL_SECONDS))

    async def _ask(
        self, table: str, call: Callable[[engine_pb2_grpc.EngineServiceAsyncStub], Awaitable[_Answer]]
    ) -> _Answer:
        fault: Fault = Unavailable("NO_ENGINE", "no engine answers")
        # The same table first asks the same engine, whose cache is warm.
        for engine in sorted(self._engines, key=lambda e: crc32(f"{table}|{e.address}".encode())):
            try:
                return await call(engine.stub)
            except grpc.aio.AioRpcError as error:
                fault = fault_from(error)
                if not isinstance(fault, Unavailable | DeadlineExceeded):
                    raise fault from error
        raise fault


class GrpcScoring:
    """Scoring behind a fixed address; ``async with`` closes the channel."""

    def __init__(self, address: str, tls: Tls | None = None) -> None:
        self._channel = channel(address, CALL_SECONDS, tls)
        self._stub = scoring_pb2_grpc.ScoringServiceStub(self._channel)

    async def __aenter__(self) -> GrpcScoring:
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self._channel.close()

    async def void_hand(self, match: str, hand: int) -> Standing:
        """See :class:`Scoring`."""
        request = scoring_pb2.VoidHandRequest(match=match, hand=hand)
        answer = await answer_of(self._stub.VoidHand(request, timeout=CALL_SECONDS))
        return Standing(tuple(answer.totals), answer.playoff)
