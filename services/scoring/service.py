"""gRPC to the archives and the disputes and back, nothing else."""

from __future__ import annotations

from typing import Any

import grpc
from pandemonium.scoring.v1 import scoring_pb2 as pb
from pandemonium.scoring.v1 import scoring_pb2_grpc

from services.runtime.errors import NotFound
from services.scoring.aces_up.archive import GameArchive
from services.scoring.archive import Archive
from services.scoring.convert import game_message, leader_message, match_message, statistics_message
from services.scoring.disputes import Disputes
from services.scoring.forgetting import Forgetting
from services.scoring.pages import Place, page_size, read_token, write_token

_Context = grpc.aio.ServicerContext[Any, Any]


class ScoringService(scoring_pb2_grpc.ScoringServiceServicer):
    """Faults are raised; the interceptor writes them on the wire."""

    def __init__(self, archive: Archive, games: GameArchive, disputes: Disputes, forgetting: Forgetting) -> None:
        self._archive = archive
        self._games = games
        self._disputes = disputes
        self._forgetting = forgetting

    async def GetMatch(self, request: pb.GetMatchRequest, context: _Context) -> pb.GetMatchResponse:
        match = await self._archive.match(request.match)
        if match is None:
            raise NotFound("UNKNOWN_MATCH", "no such match, or none of its hands is counted yet")
        return pb.GetMatchResponse(match=match_message(match))

    async def GetHand(self, request: pb.GetHandRequest, context: _Context) -> pb.GetHandResponse:
        events = await self._archive.hand(request.match, request.hand)
        if events is None:
            events = await self._games.log(request.match, request.hand)
        if events is None:
            raise NotFound("UNKNOWN_HAND", "no such hand, or it is not counted yet")
        return pb.GetHandResponse(events=events)

    async def ListMatches(self, request: pb.ListMatchesRequest, context: _Context) -> pb.ListMatchesResponse:
        limit = page_size(request.limit)
        after = read_token(request.page_token, request.player)
        # One more than asked for tells whether there is another page.
        found = await self._archive.matches(request.player, after, limit + 1)
        page, token = found[:limit], ""
        if len(found) > limit:
            token = write_token(request.player, Place(page[-1].started_ms, page[-1].id))
        return pb.ListMatchesResponse(matches=map(match_message, page), next_page_token=token)

    async def Leaderboard(self, request: pb.LeaderboardRequest, context: _Context) -> pb.LeaderboardResponse:
        leaders = await self._archive.leaders(page_size(request.limit))
        return pb.LeaderboardResponse(entries=map(leader_message, leaders))

    async def ListAcesUpGames(
        self, request: pb.ListAcesUpGamesRequest, context: _Context
    ) -> pb.ListAcesUpGamesResponse:
        limit = page_size(request.limit)
        after = read_token(request.page_token, request.player)
        found = await self._games.games(request.player, after, limit + 1)
        page, token = found[:limit], ""
        if len(found) > limit:
            token = write_token(request.player, Place(page[-1].game.started_ms, page[-1].match))
        return pb.ListAcesUpGamesResponse(games=map(game_message, page), next_page_token=token)

    async def GetAcesUpAttempt(
        self, request: pb.GetAcesUpAttemptRequest, context: _Context
    ) -> pb.GetAcesUpAttemptResponse:
        found = await self._games.attempt(request.player, request.number)
        return pb.GetAcesUpAttemptResponse(game=game_message(found) if found else None)

    async def GetAcesUpStatistics(
        self, request: pb.GetAcesUpStatisticsRequest, context: _Context
    ) -> pb.GetAcesUpStatisticsResponse:
        return statistics_message(await self._games.statistics(request.player))

    async def VoidHand(self, request: pb.VoidHandRequest, context: _Context) -> pb.VoidHandResponse:
        result = await self._disputes.void(request.match, request.hand)
        return pb.VoidHandResponse(totals=result.totals, playoff=result.playoff)

    async def ForgetPlayer(self, request: pb.ForgetPlayerRequest, context: _Context) -> pb.ForgetPlayerResponse:
        return pb.ForgetPlayerResponse(done=await self._forgetting.forget(request.player))


def register(service: ScoringService, server: grpc.aio.Server) -> None:
    """Adds the service to a server that is not started yet."""
    scoring_pb2_grpc.add_ScoringServiceServicer_to_server(service, server)
