"""The lobby's gRPC services: messages to domain and back (lobby.proto says what each call does)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

import grpc
from pandemonium.lobby.v1 import lobby_pb2, lobby_pb2_grpc, operator_pb2, operator_pb2_grpc

from services.lobby import convert
from services.lobby.bot_desk import BotDesk
from services.lobby.lobby import Lobby
from services.lobby.operator_desk import OperatorDesk
from services.lobby.seating import require_seat
from services.lobby.solo_desk import SoloDesk
from services.runtime.errors import Unavailable

LISTED: Final = 50
MOST_LISTED: Final = 100
_SPARE_MS: Final = 300
"""A waiting call is answered so long before its deadline."""


class LobbyService(lobby_pb2_grpc.LobbyServiceServicer):
    """One lobby. While ``draining`` it makes no tables."""

    def __init__(self, lobby: Lobby, solo: SoloDesk, bots: BotDesk, draining: asyncio.Event) -> None:
        self._lobby = lobby
        self._solo = solo
        self._bots = bots
        self._draining = draining

    async def CreateTable(
        self, request: lobby_pb2.CreateTableRequest, context: object
    ) -> lobby_pb2.CreateTableResponse:
        self._require_open()
        player = convert.player_id(request.player)
        table = await self._lobby.create(player, convert.display_name(request.name), convert.wish(request))
        return lobby_pb2.CreateTableResponse(table=convert.table(table, player))

    async def GetTable(self, request: lobby_pb2.GetTableRequest, context: object) -> lobby_pb2.GetTableResponse:
        table = await self._lobby.get(convert.table_id(request.table), convert.known_version(request.known_version))
        return lobby_pb2.GetTableResponse(table=convert.table(table, request.player))

    async def FindTable(self, request: lobby_pb2.FindTableRequest, context: object) -> lobby_pb2.FindTableResponse:
        table = await self._lobby.find(request.code)
        return lobby_pb2.FindTableResponse(table=table.id, invite=table.invite)

    async def ListTables(self, request: lobby_pb2.ListTablesRequest, context: object) -> lobby_pb2.ListTablesResponse:
        tables = await self._lobby.public(min(request.limit or LISTED, MOST_LISTED))
        return lobby_pb2.ListTablesResponse(tables=[convert.table(table, "") for table in tables])

    async def Join(self, request: lobby_pb2.JoinRequest, context: object) -> lobby_pb2.JoinResponse:
        player, name = convert.player_id(request.player), convert.display_name(request.name)
        table = await self._lobby.join(convert.table_id(request.table), player, name, request.invite)
        return lobby_pb2.JoinResponse(table=convert.table(table, player), seat=require_seat(table, player))

    async def Leave(self, request: lobby_pb2.LeaveRequest, context: object) -> lobby_pb2.LeaveResponse:
        player = convert.player_id(request.player)
        table = await self._lobby.leave(convert.table_id(request.table), player)
        return lobby_pb2.LeaveResponse(table=convert.table(table, player))

    async def QuickPlay(self, request: lobby_pb2.QuickPlayRequest, context: object) -> lobby_pb2.QuickPlayResponse:
        self._require_open()
        player, name = convert.player_id(request.player), convert.display_name(request.name)
        table = await self._lobby.quick_play(player, name, request.seats)
        return lobby_pb2.QuickPlayResponse(table=convert.table(table, player), seat=require_seat(table, player))

    async def PlayAcesUp(self, request: lobby_pb2.PlayAcesUpRequest, context: object) -> lobby_pb2.PlayAcesUpResponse:
        self._require_open()
        player, name = convert.player_id(request.player), convert.display_name(request.name)
        table = await self._solo.play(player, name, request.options_json)
        return lobby_pb2.PlayAcesUpResponse(table=convert.table(table, player))

    async def SetReady(self, request: lobby_pb2.SetReadyRequest, context: object) -> lobby_pb2.SetReadyResponse:
        player, table = convert.player_id(request.player), convert.table_id(request.table)
        after = await self._lobby.set_ready(table, player, request.ready, request.nonce)
        return lobby_pb2.SetReadyResponse(table=convert.table(after, player))

    async def AddBot(self, request: lobby_pb2.AddBotRequest, context: object) -> lobby_pb2.AddBotResponse:
        player = convert.player_id(request.player)
        table, seat = await self._lobby.add_bot(
            convert.table_id(request.table), player, convert.strength(request.strength), convert.pace(request.pace)
        )
        return lobby_pb2.AddBotResponse(table=convert.table(table, player), seat=seat)

    async def RemoveBot(self, request: lobby_pb2.RemoveBotRequest, context: object) -> lobby_pb2.RemoveBotResponse:
        player = convert.player_id(request.player)
        table = await self._lobby.remove_bot(convert.table_id(request.table), player, request.seat)
        return lobby_pb2.RemoveBotResponse(table=convert.table(table, player))

    async def RemovePlayer(
        self, request: lobby_pb2.RemovePlayerRequest, context: object
    ) -> lobby_pb2.RemovePlayerResponse:
        player = convert.player_id(request.player)
        table = await self._lobby.remove_player(convert.table_id(request.table), player, request.seat)
        return lobby_pb2.RemovePlayerResponse(table=convert.table(table, player))

    async def Rematch(self, request: lobby_pb2.RematchRequest, context: object) -> lobby_pb2.RematchResponse:
        player = convert.player_id(request.player)
        table = await self._lobby.rematch(convert.table_id(request.table), player)
        return lobby_pb2.RematchResponse(table=convert.table(table, player))

    async def Dispute(self, request: lobby_pb2.DisputeRequest, context: object) -> lobby_pb2.DisputeResponse:
        player = convert.player_id(request.player)
        table = await self._lobby.dispute(convert.table_id(request.table), player, request.withdraw)
        return lobby_pb2.DisputeResponse(table=convert.table(table, player))

    async def CloseTable(self, request: lobby_pb2.CloseTableRequest, context: object) -> lobby_pb2.CloseTableResponse:
        await self._lobby.close(convert.table_id(request.table), convert.player_id(request.player))
        return lobby_pb2.CloseTableResponse()

    async def SetPresence(
        self, request: lobby_pb2.SetPresenceRequest, context: object
    ) -> lobby_pb2.SetPresenceResponse:
        player, table = convert.player_id(request.player), convert.table_id(request.table)
        await self._lobby.set_presence(table, player, request.present, convert.socket_name(request.socket))
        return lobby_pb2.SetPresenceResponse()

    async def ClaimBotSeat(
        self,
        request: lobby_pb2.ClaimBotSeatRequest,
        context: grpc.aio.ServicerContext[lobby_pb2.ClaimBotSeatRequest, lobby_pb2.ClaimBotSeatResponse],
    ) -> lobby_pb2.ClaimBotSeatResponse:
        worker, player = convert.worker_id(request.worker), convert.player_id(request.player)
        left = context.time_remaining()
        wait_ms = request.wait_ms if left is None else min(request.wait_ms, int(left * 1000) - _SPARE_MS)
        found = await self._bots.claim(worker, player, convert.display_name(request.name), wait_ms)
        return lobby_pb2.ClaimBotSeatResponse(seat=convert.bot_seat(*found) if found else None)

    async def RenewBotSeats(
        self, request: lobby_pb2.RenewBotSeatsRequest, context: object
    ) -> lobby_pb2.RenewBotSeatsResponse:
        worker = convert.worker_id(request.worker)
        leases = {convert.lease(seat, worker): seat for seat in request.seats}
        lost = await self._bots.renew(list(leases))
        return lobby_pb2.RenewBotSeatsResponse(lost=[leases[lease] for lease in lost])

    def _require_open(self) -> None:
        """Raises ``Unavailable`` in a drain: another lobby is to make the table."""
        if self._draining.is_set():
            raise Unavailable("DRAINING", "this lobby makes no tables any more")


class OperatorService(operator_pb2_grpc.OperatorServiceServicer):
    """One lobby, for the console (operator.proto says what each call does)."""

    def __init__(self, desk: OperatorDesk) -> None:
        self._desk = desk

    async def SurveyTables(
        self, request: operator_pb2.SurveyTablesRequest, context: object
    ) -> AsyncIterator[operator_pb2.SurveyTablesResponse]:
        async for tables in self._desk.every():
            yield operator_pb2.SurveyTablesResponse(tables=[convert.brief(table) for table in tables])

    async def EndTable(self, request: operator_pb2.EndTableRequest, context: object) -> operator_pb2.EndTableResponse:
        await self._desk.end(convert.table_id(request.table))
        return operator_pb2.EndTableResponse()

    async def FreezeTable(
        self, request: operator_pb2.FreezeTableRequest, context: object
    ) -> operator_pb2.FreezeTableResponse:
        await self._desk.freeze(convert.table_id(request.table), request.frozen)
        return operator_pb2.FreezeTableResponse()

    async def ExpelPlayer(
        self, request: operator_pb2.ExpelPlayerRequest, context: object
    ) -> operator_pb2.ExpelPlayerResponse:
        await self._desk.expel(convert.table_id(request.table), request.seat)
        return operator_pb2.ExpelPlayerResponse()

    async def PauseCreation(
        self, request: operator_pb2.PauseCreationRequest, context: object
    ) -> operator_pb2.PauseCreationResponse:
        await self._desk.pause.set(request.paused)
        return operator_pb2.PauseCreationResponse()

    async def GetCreation(
        self, request: operator_pb2.GetCreationRequest, context: object
    ) -> operator_pb2.GetCreationResponse:
        return operator_pb2.GetCreationResponse(paused=await self._desk.pause.is_on())


def register(service: LobbyService, operators: OperatorService, server: grpc.aio.Server) -> None:
    """Has the server answer with the services."""
    lobby_pb2_grpc.add_LobbyServiceServicer_to_server(service, server)
    operator_pb2_grpc.add_OperatorServiceServicer_to_server(operators, server)
