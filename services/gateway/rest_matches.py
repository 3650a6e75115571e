"""REST: what was played. Scoring knows; nobody needs to be signed in."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from services.gateway import models
from services.gateway.doorkeeper import Anyone
from services.gateway.edge import Edge
from services.gateway.problems import responses
from services.gateway.toll import costs

MatchId = Annotated[str, Path(min_length=1, max_length=64, description="A match's id.")]


def routes(edge: Edge) -> APIRouter:
    """The routes."""
    router = APIRouter(tags=["matches"])
    scoring = edge.scoring

    @router.get("/matches", operation_id="listMatches", responses=responses("BAD_PAGE"), dependencies=[costs(3)])
    async def list_matches(
        asker: Anyone,
        player: Annotated[str, Query(max_length=64)] = "",
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
        page_token: Annotated[str, Query(max_length=512)] = "",
    ) -> models.Matches:
        """Matches, newest first; of one player, or of all. The table is told of the asker's own."""
        found = await scoring.matches(player, limit, page_token)
        if asker is not None and asker.id == player:
            return found
        return found.model_copy(update={"matches": [_without_table(match) for match in found.matches]})

    @router.get(
        "/matches/{match}", operation_id="getMatch", responses=responses("UNKNOWN_MATCH"), dependencies=[costs(2)]
    )
    async def get_match(asker: Anyone, match: MatchId) -> models.Match:
        """A match with the sheet of every hand. The table is told to who played there."""
        found = await scoring.match(match)
        played = {seat.player for hand in found.hands for seat in hand.seats}
        return found if asker is not None and asker.id in played else _without_table(found)

    @router.get(
        "/matches/{match}/hands/{hand}",
        operation_id="getHand",
        response_model=models.HandLog,
        responses=responses("UNKNOWN_MATCH", "UNKNOWN_HAND"),
        dependencies=[costs(3)],
    )
    async def get_hand(match: MatchId, hand: Annotated[int, Path(ge=1, le=1_000_000)]) -> Response:
        """A hand's full log, to the byte as it was published: for replay and verification."""
        events = await scoring.hand(match, hand)
        return Response(b'{"events":[' + b",".join(events) + b"]}", media_type="application/json")

    @router.get("/leaderboard", operation_id="getLeaderboard", responses=responses(), dependencies=[costs(3)])
    async def get_leaderboard(limit: Annotated[int, Query(ge=1, le=100)] = 20) -> models.Leaderboard:
        """Players by matches won, then by average points of a hand."""
        return await scoring.leaderboard(limit)

    return router


def _without_table(match: models.Match) -> models.Match:
    """Whoever knows a table's id may watch it, so history tells it to nobody who was not there."""
    return match.model_copy(update={"table": ""})
