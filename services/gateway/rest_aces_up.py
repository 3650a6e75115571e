"""REST: games of Aces Up. The lobby begins them, scoring remembers them; which deal it is to be is chosen here."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query

from services.gateway import models
from services.gateway.aces_up_advice import winnable_number
from services.gateway.doorkeeper import SignedIn
from services.gateway.edge import Edge
from services.gateway.problems import responses
from services.gateway.quota import may_open
from services.gateway.toll import costs
from services.rules.aces_up.deal import daily
from services.rules.aces_up.options import LAST_NUMBER, AcesUpOptions
from services.rules.options import OptionError
from services.runtime.errors import InvalidArgument, Unavailable

_SIGNED = ("NOT_SIGNED_IN", "BAD_ORIGIN")


def routes(edge: Edge) -> APIRouter:
    """The routes."""
    router = APIRouter(prefix="/aces-up", tags=["aces up"])

    async def number(wish: models.AcesUpRequest, player: str) -> int:
        if sum([wish.number is not None, wish.daily, wish.winnable]) > 1:
            raise _bad(OptionError("number", "it is one of: a number, the deal of the day, or a winnable one"))
        if wish.number is not None:
            return wish.number
        if wish.daily:
            return daily(today(edge))
        if not wish.winnable:
            return secrets.randbelow(LAST_NUMBER) + 1
        found = await edge.thinking.about(player, lambda: winnable_number(auto_remove=wish.auto_remove))
        if found is None:
            raise Unavailable("BUSY", "no winnable deal was found in time; try again")
        return found

    @router.post(
        "",
        status_code=201,
        operation_id="playAcesUp",
        responses=responses(*_SIGNED, "BAD_OPTION", "ALREADY_SEATED", "TOO_MANY_TABLES", "TOO_MANY_QUESTIONS", "BUSY"),
        dependencies=[costs(5)],
    )
    async def play_aces_up(player: SignedIn, wish: models.AcesUpRequest | None = None) -> models.Table:
        """Begins a game at a table of its own, and ends the one that the player has; a random deal unless one is named.

        A game that was touched is given up by that.
        """
        await may_open(edge, player)
        wish = wish or models.AcesUpRequest()
        return await edge.lobby.play_aces_up(player, _options(wish, await number(wish, player.id)))

    @router.get(
        "/statistics",
        operation_id="getAcesUpStatistics",
        responses=responses("NOT_SIGNED_IN"),
        dependencies=[costs(3)],
    )
    async def get_statistics(player: SignedIn) -> models.AcesUpStatistics:
        """The player's own figures: of each deal the first attempt counts, practice aside."""
        return await edge.scoring.aces_up_statistics(player.id)

    @router.get("/games", operation_id="listAcesUpGames", responses=responses("NOT_SIGNED_IN", "BAD_PAGE"))
    async def list_games(
        player: SignedIn,
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
        page_token: Annotated[str, Query(max_length=512)] = "",
    ) -> models.AcesUpGames:
        """The player's own games, newest first. A deal that was not touched is no game."""
        return await edge.scoring.aces_up_games(player.id, limit, page_token)

    @router.get("/daily", operation_id="getAcesUpDaily", responses=responses("NOT_SIGNED_IN"))
    async def get_daily(player: SignedIn) -> models.AcesUpDaily:
        """The deal of this day (UTC), the same for all, and the player's game of it that counts, once there is one."""
        day = today(edge)
        number = daily(day)
        return models.AcesUpDaily(date=day, number=number, game=await edge.scoring.aces_up_attempt(player.id, number))

    return router


def today(edge: Edge) -> str:
    """The day in UTC, as YYYY-MM-DD, by the clock that the whole platform goes by."""
    return datetime.fromtimestamp(edge.clock.now_ms() / 1000, UTC).date().isoformat()


def _options(wish: models.AcesUpRequest, number: int) -> AcesUpOptions:
    try:
        return AcesUpOptions(number, practice=wish.practice, auto_remove=wish.auto_remove)
    except OptionError as error:
        raise _bad(error) from None


def _bad(error: OptionError) -> InvalidArgument:
    return InvalidArgument("BAD_OPTION", str(error), {"option": error.option})
