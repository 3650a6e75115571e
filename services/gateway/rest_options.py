"""REST: the house rules that a table can have. Nobody needs to be signed in."""

from __future__ import annotations

from fastapi import APIRouter

from services.gateway import house_rules, models
from services.gateway.edge import Edge
from services.gateway.problems import responses


def routes(_: Edge) -> APIRouter:
    """The route."""
    router = APIRouter(tags=["tables"])
    catalogue = house_rules.catalogue()

    @router.get("/options", operation_id="listOptions", responses=responses())
    async def list_options() -> models.HouseRules:
        """Every house rule with its default and what it may be, and the presets."""
        return catalogue

    return router
