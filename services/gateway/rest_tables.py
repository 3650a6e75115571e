"""REST: tables and seats. The lobby decides; here is only who asks."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from services.gateway import models
from services.gateway.doorkeeper import Anyone, SignedIn
from services.gateway.edge import Edge
from services.gateway.problems import responses
from services.gateway.quota import may_open
from services.gateway.toll import costs

TableId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="A table's id.")]
_SIGNED = ("NOT_SIGNED_IN", "BAD_ORIGIN")
_AT_TABLE = (*_SIGNED, "UNKNOWN_TABLE")


def routes(edge: Edge) -> APIRouter:
    """The routes."""
    router = APIRouter(tags=["tables"])
    lobby = edge.lobby

    @router.post(
        "/tables",
        status_code=201,
        operation_id="createTable",
        responses=responses(
            *_SIGNED, "BAD_OPTION", "BAD_SEATS", "ALREADY_SEATED", "TOO_MANY_TABLES", "TOO_MANY_HOSTED"
        ),
        dependencies=[costs(5)],
    )
    async def create_table(player: SignedIn, wish: models.TableRequest) -> models.Table:
        """Creates a table; who asks is its host."""
        await may_open(edge, player)
        return await lobby.create(player, wish)

    @router.get("/tables", operation_id="listTables", responses=responses(), dependencies=[costs(2)])
    async def list_tables(limit: Annotated[int, Query(ge=1, le=100)] = 50) -> models.Tables:
        """Public tables that are not closed, newest first."""
        tables = await lobby.tables(limit)
        watchers = await edge.company.watchers([table.id for table in tables])
        return models.Tables(tables=tables, watchers=dict(watchers))

    @router.get("/tables/{table}", operation_id="getTable", responses=responses("UNKNOWN_TABLE"))
    async def get_table(player: Anyone, table: TableId) -> models.Table:
        """One table."""
        return await lobby.table(table, player.id if player else "")

    @router.post(
        "/tables/{table}/join",
        operation_id="joinTable",
        responses=responses(
            *_AT_TABLE, "BAD_INVITE", "SENT_AWAY", "TABLE_FULL", "TABLE_CLOSED", "MATCH_RUNNING", "ALREADY_SEATED"
        ),
    )
    async def join_table(player: SignedIn, table: TableId, wish: models.JoinRequest | None = None) -> models.SeatTaken:
        """Takes a free seat. The same player again gets the same seat."""
        return await lobby.join(table, player, wish.invite if wish else "")

    @router.post("/tables/{table}/leave", operation_id="leaveTable", responses=responses(*_AT_TABLE, "NOT_SEATED"))
    async def leave_table(player: SignedIn, table: TableId) -> models.Table:
        """Gives the seat up; in a running match a bot takes it over."""
        return await lobby.leave(table, player.id)

    @router.post(
        "/tables/{table}/bots",
        status_code=201,
        operation_id="addBot",
        responses=responses(*_AT_TABLE, "NOT_HOST", "TABLE_FULL", "TABLE_CLOSED", "MATCH_RUNNING"),
    )
    async def add_bot(player: SignedIn, table: TableId, wish: models.BotRequest | None = None) -> models.SeatTaken:
        """Asks for a bot in a free seat, before the match."""
        return await lobby.add_bot(table, player.id, wish or models.BotRequest())

    @router.delete(
        "/tables/{table}/bots/{seat}",
        operation_id="removeBot",
        responses=responses(*_AT_TABLE, "NOT_HOST", "BAD_SEATS", "TABLE_CLOSED", "MATCH_RUNNING"),
    )
    async def remove_bot(player: SignedIn, table: TableId, seat: models.SeatIndex) -> models.Table:
        """Sends a bot away, before the match."""
        return await lobby.remove_bot(table, player.id, seat)

    @router.delete(
        "/tables/{table}/players/{seat}",
        operation_id="removePlayer",
        responses=responses(*_AT_TABLE, "NOT_HOST", "NO_PLAYER_THERE", "TABLE_CLOSED", "MATCH_RUNNING"),
    )
    async def remove_player(player: SignedIn, table: TableId, seat: models.SeatIndex) -> models.Table:
        """Sends another player away, before the match; who was sent away can't come back to the table."""
        return await lobby.remove_player(table, player.id, seat)

    @router.post(
        "/tables/{table}/rematch",
        operation_id="rematch",
        responses=responses(*_AT_TABLE, "NOT_SEATED", "MATCH_NOT_OVER", "TABLE_CLOSED"),
    )
    async def rematch(player: SignedIn, table: TableId) -> models.Table:
        """Another match at the same table."""
        return await lobby.rematch(table, player.id)

    @router.post(
        "/tables/{table}/dispute",
        operation_id="dispute",
        responses=responses(
            *_AT_TABLE,
            "NOT_SEATED",
            "NO_DISPUTES",
            "NOTHING_TO_DISPUTE",
            "HAND_RUNNING",
            "PLAYER_LEFT",
            "TABLE_CLOSED",
        ),
    )
    async def dispute(player: SignedIn, table: TableId, wish: models.DisputeRequest | None = None) -> models.Table:
        """Asks to have the last hand void and dealt again, which happens once all people at the table have asked."""
        return await lobby.dispute(table, player.id, wish.withdraw if wish else False)

    @router.delete(
        "/tables/{table}", status_code=204, operation_id="closeTable", responses=responses(*_AT_TABLE, "NOT_HOST")
    )
    async def close_table(player: SignedIn, table: TableId) -> None:
        """Ends the table; a running hand is void."""
        await lobby.close_table(table, player.id)

    @router.post(
        "/quick-play",
        operation_id="quickPlay",
        responses=responses(*_SIGNED, "BAD_SEATS", "TOO_MANY_TABLES"),
        dependencies=[costs(5)],
    )
    async def quick_play(player: SignedIn, wish: models.QuickPlayRequest | None = None) -> models.SeatTaken:
        """A seat at a public table that waits for players, or at a new one."""
        await may_open(edge, player)
        return await lobby.quick_play(player, wish.seats if wish else 4)

    return router
