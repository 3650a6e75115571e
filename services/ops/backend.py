"""What the console asks of the lobby and of engines, by gRPC. Every call has a deadline; what fails is a ``Fault``."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Final

import grpc
from pandemonium.engine.v1 import engine_pb2, engine_pb2_grpc
from pandemonium.lobby.v1 import lobby_pb2, lobby_pb2_grpc, operator_pb2, operator_pb2_grpc

from services.ops import convert, models
from services.runtime.channels import answer_of, channel
from services.runtime.errors import DeadlineExceeded, Fault, ResourceExhausted, Unavailable, fault_from
from services.runtime.tls import Tls

DEADLINE_SECONDS: Final = 3.0
SURVEY_SECONDS: Final = 10.0


class Lobby:
    """The lobby."""

    def __init__(self, address: str, tls: Tls | None = None) -> None:
        self._channel = channel(address, DEADLINE_SECONDS, tls)
        self._stub = operator_pb2_grpc.OperatorServiceStub(self._channel)
        self._tables = lobby_pb2_grpc.LobbyServiceStub(self._channel)

    async def survey(self) -> list[models.Brief]:
        """Every table there is."""
        found: list[models.Brief] = []
        try:
            async for answer in self._stub.SurveyTables(operator_pb2.SurveyTablesRequest(), timeout=SURVEY_SECONDS):
                found += map(convert.brief, answer.tables)
        except grpc.aio.AioRpcError as error:
            raise fault_from(error) from error
        return found

    async def table(self, table: str) -> models.Table:
        """One table."""
        return convert.table((await answer_of(self._tables.GetTable(lobby_pb2.GetTableRequest(table=table)))).table)

    async def end(self, table: str) -> None:
        """Closes a table."""
        await answer_of(self._stub.EndTable(operator_pb2.EndTableRequest(table=table)))

    async def freeze(self, table: str, frozen: bool) -> None:
        """Holds a table still, or lets it go on."""
        await answer_of(self._stub.FreezeTable(operator_pb2.FreezeTableRequest(table=table, frozen=frozen)))

    async def expel(self, table: str, seat: int) -> None:
        """Sends a person away."""
        await answer_of(self._stub.ExpelPlayer(operator_pb2.ExpelPlayerRequest(table=table, seat=seat)))

    async def pause(self, paused: bool) -> None:
        """Stops or resumes opening tables."""
        await answer_of(self._stub.PauseCreation(operator_pb2.PauseCreationRequest(paused=paused)))

    async def paused(self) -> bool:
        """Whether no tables are opened."""
        return (await answer_of(self._stub.GetCreation(operator_pb2.GetCreationRequest()))).paused

    async def close(self) -> None:
        """Ends the connection."""
        await self._channel.close()


class Engines:
    """All engines: any of them tells any table's events."""

    def __init__(self, addresses: Sequence[str], tls: Tls | None = None) -> None:
        self._channels = [channel(address, DEADLINE_SECONDS, tls) for address in addresses]

    async def watch(self, table: str, after: int) -> AsyncIterator[tuple[int, bool, str]]:
        """A table's events after that one, as they happen: number, whether it is a snapshot, text.

        From whichever engine answers first; ends when that one ends. Raises ``UNKNOWN_TABLE`` where no hand was.
        """
        fault: Fault = Unavailable("NO_ENGINE", "no engine answers")
        for opened in self._channels:
            request = engine_pb2.WatchRequest(table=table, after_seq=after)
            begun = False
            try:
                async for sight in engine_pb2_grpc.EngineServiceStub(opened).Watch(request):
                    begun = True
                    yield sight.seq, sight.compacted, sight.frame.decode()
                return
            except grpc.aio.AioRpcError as error:
                fault = fault_from(error)
                if begun or not isinstance(fault, Unavailable | DeadlineExceeded | ResourceExhausted):
                    raise fault from error
        raise fault

    async def close(self) -> None:
        """Ends the connections."""
        for opened in self._channels:
            await opened.close()
