"""REST: the table that has a short code. Whoever knows it is invited, so wrong ones are counted."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request

from services.gateway import metrics, models
from services.gateway.edge import Edge
from services.gateway.limits import network_of
from services.gateway.problems import responses
from services.runtime import keys
from services.runtime.errors import NotFound
from services.runtime.request_origin import address_of

Code = Annotated[str, Path(min_length=1, max_length=32, description="As it was typed.")]


def routes(edge: Edge) -> APIRouter:
    """The route."""
    router = APIRouter(tags=["tables"])
    limit = edge.settings.wrong_codes_per_minute

    @router.get("/codes/{code}", operation_id="findTable", responses=responses("UNKNOWN_CODE", "TOO_MANY_CODES"))
    async def find_table(code: Code, request: Request) -> models.Invitation:
        """The table that has the code. Case, blanks and dashes don't matter, nor I, L and O for digits."""
        wrong = keys.missed_codes(network_of(address_of(request)))
        # Counted before it is known, so that many at once are no way around; a right one is taken back, and one that
        # was not looked up at all, so that right ones by the dozen at once keep nobody out afterwards.
        if limit:
            tried = await edge.minutes.count(wrong)
            if fault := tried.beyond(limit, "TOO_MANY_CODES", f"at most {limit} wrong codes a minute"):
                await edge.minutes.take_back(wrong)
                metrics.CODES.labels("too_many").inc()
                raise fault
        try:
            found = await edge.lobby.find(code)
        except NotFound:
            metrics.CODES.labels("unknown").inc()
            raise
        if limit:
            await edge.minutes.take_back(wrong)
        metrics.CODES.labels("found").inc()
        return found

    return router
