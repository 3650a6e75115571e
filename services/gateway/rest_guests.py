"""REST: guests and who one is."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from services.gateway import metrics, models, names
from services.gateway.doorkeeper import SignedIn, credentials, drop_cookie, set_cookie
from services.gateway.edge import Edge
from services.gateway.limits import network_of
from services.gateway.problems import responses
from services.gateway.toll import costs
from services.runtime import keys
from services.runtime.errors import Fault, InvalidArgument, PermissionDenied
from services.runtime.request_origin import address_of, same_origin


def routes(edge: Edge) -> APIRouter:
    """The routes."""
    router = APIRouter(tags=["guests"])

    @router.post(
        "/guests",
        status_code=201,
        operation_id="createGuest",
        responses=responses("BAD_NAME", "BAD_ORIGIN", "TOO_MANY_GUESTS"),
    )
    async def create_guest(wish: models.GuestRequest, request: Request, response: Response) -> models.Guest:
        """Makes a guest and its session, and sets the session's cookie."""
        try:
            name = names.clean(wish.name)
        except names.BadName as bad:
            metrics.GUESTS.labels("bad_name").inc()
            raise InvalidArgument("BAD_NAME", f"the name {bad}") from None
        if not same_origin(request):
            raise PermissionDenied("BAD_ORIGIN", "guests are made on this site's own pages")
        limit = edge.settings.guests_per_minute
        if limit:
            made = await edge.minutes.count(keys.guests(network_of(address_of(request))))
            if fault := made.beyond(limit, "TOO_MANY_GUESTS", f"at most {limit} new guests a minute"):
                metrics.GUESTS.labels("too_many").inc()
                raise fault
        player, token = await edge.sessions.create(name)
        metrics.GUESTS.labels("made").inc()
        set_cookie(response, request, token, edge.sessions.lifetime_seconds)
        return models.Guest(player=player.id, name=player.name, token=token)

    @router.get("/me", operation_id="getMe", responses=responses("NOT_SIGNED_IN"))
    async def get_me(player: SignedIn) -> models.Me:
        """Who the token belongs to, and the table where the player sits."""
        return models.Me(player=player.id, name=player.name, table=await edge.sessions.table_of(player.id))

    @router.delete(
        "/me",
        status_code=204,
        operation_id="deleteMe",
        responses=responses("NOT_SIGNED_IN", "BAD_ORIGIN", "DATABASE_UNAVAILABLE"),
        dependencies=[costs(5)],
    )
    async def delete_me(player: SignedIn, request: Request) -> Response:
        """Deletes the player for good: gives the seat up, takes the name out of all results, ends the session.

        In a running hand a bot plays on. If it fails, it can be asked again.
        """
        table = await edge.sessions.table_of(player.id)
        if table is not None:
            await _leave(edge, table, player.id)
        await edge.scoring.forget(player.id)
        found = credentials(request)
        if found is not None:
            await edge.sessions.end(found.token)
        metrics.GUESTS.labels("deleted").inc()
        response = Response(status_code=204)
        drop_cookie(response, request)
        return response

    return router


async def _leave(edge: Edge, table: str, player: str) -> None:
    try:
        await edge.lobby.leave(table, player)
    except Fault as fault:
        # The player's own key outlives the seat by a little.
        if fault.reason not in ("UNKNOWN_TABLE", "NOT_SEATED"):
            raise
