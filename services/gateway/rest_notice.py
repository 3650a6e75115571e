"""REST: what the operators tell all players, for pages that have no table socket. Nobody needs to be signed in."""

from __future__ import annotations

from fastapi import APIRouter

from services.gateway import models
from services.gateway.edge import Edge
from services.gateway.problems import responses


def routes(edge: Edge) -> APIRouter:
    """The route."""
    router = APIRouter(tags=["notice"])

    @router.get("/notice", operation_id="getNotice", responses=responses())
    async def get_notice() -> models.Notice:
        """What all players are told at present."""
        now = edge.notices.now
        return models.Notice(id=now.id, texts=now.texts, until=now.until)

    return router
