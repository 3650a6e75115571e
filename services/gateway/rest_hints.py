"""REST: what a seated player could do now, and whether a game of Aces Up can still be won.

Both are made from the snapshot that everybody may have, and know no hidden card.
"""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter

from services.gateway import aces_up_advice, models
from services.gateway.doorkeeper import SignedIn
from services.gateway.edge import Edge
from services.gateway.problems import responses
from services.gateway.redis_sessions import Player
from services.gateway.rest_tables import TableId
from services.gateway.toll import costs
from services.rules import advice, hint_texts
from services.rules.moves import COLUMN, Action, Call, MoveToColumn, PlayToFoundation, Recycle, Turn, Vote
from services.rules.view import TableView
from services.runtime.errors import FailedPrecondition, NotFound, PermissionDenied


def routes(edge: Edge) -> APIRouter:
    """The routes."""
    router = APIRouter(tags=["tables"])

    @router.get(
        "/tables/{table}/hint",
        operation_id="getHint",
        responses=responses("NOT_SIGNED_IN", "UNKNOWN_TABLE", "NOT_SEATED", "TOO_MANY_QUESTIONS", "BUSY"),
        dependencies=[costs(3)],
    )
    async def get_hint(player: SignedIn, table: TableId) -> models.Hint:
        """What the player's seat could do now, as a sentence to translate and as a command's frame."""
        seat = await _seat(edge, table, player)
        seen = await _seen(edge, table)
        game = seen.game
        if game is None:
            return told(seen, seat)
        return await edge.thinking.about(player.id, lambda: aces_up_advice.hint(seen, game))

    @router.get(
        "/tables/{table}/outlook",
        operation_id="getOutlook",
        responses=responses("NOT_SIGNED_IN", "UNKNOWN_TABLE", "NOT_SEATED", "NO_OUTLOOK", "TOO_MANY_QUESTIONS", "BUSY"),
        dependencies=[costs(5)],
    )
    async def get_outlook(player: SignedIn, table: TableId) -> models.Outlook:
        """Whether the player's game of Aces Up can still be won. It ends no game."""
        await _seat(edge, table, player)
        game = (await _seen(edge, table)).game
        if game is None:
            raise FailedPrecondition("NO_OUTLOOK", "no game of Aces Up is dealt there")
        return models.Outlook(winnable=await edge.thinking.about(player.id, lambda: aces_up_advice.outlook(game)))

    return router


def told(seen: TableView, seat: int) -> models.Hint:
    """The hint for a seat, as the edge tells it."""
    hint = advice.hint(seen, seat)
    return models.Hint(
        seq=seen.seq,
        key=hint.key,
        args=hint.args,
        text=hint_texts.sentence(hint.key, hint.args, seen.options),
        action=None if hint.action is None else frame(hint.action),
    )


def frame(action: Action) -> dict[str, Any]:
    """The command's own fields of its frame (docs/protocol.md, "Client to server")."""
    match action:
        case PlayToFoundation(source, card, foundation):
            return {"t": "play", "from": source, "card": card.text, "to": foundation}
        case MoveToColumn(source, card, column):
            return {"t": "move", "from": source, "card": card.text, "to": COLUMN[column]}
        case Turn(stock):
            return {"t": "turn", "stock": stock}
        case Recycle():
            return {"t": "recycle"}
        case Call():
            return {"t": "call"}
        case Vote(choice, progress):
            return {"t": "vote", "choice": choice, "progress": progress}


async def _seat(edge: Edge, table: str, player: Player) -> int:
    seat = (await edge.lobby.view(table, player.id)).seat_of(player.id)
    if seat is None:
        raise PermissionDenied("NOT_SEATED", "hints are for those who play")
    return seat


async def _seen(edge: Edge, table: str) -> TableView:
    """The table as a newcomer sees it; an empty one before its first hand."""
    try:
        snapshot = await edge.engines.snapshot(table)
    except NotFound:
        return TableView()
    return TableView.from_snapshot(json.loads(snapshot.frame))
