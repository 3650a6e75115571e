"""The route of the table socket: who is there, and then the wire is the table socket's."""

from __future__ import annotations

import re
from typing import Final

from fastapi import APIRouter
from starlette.websockets import WebSocket

from services.gateway import metrics
from services.gateway.admission import TRY_AGAIN_LATER
from services.gateway.doorkeeper import PROTOCOL, credentials
from services.gateway.edge import Edge
from services.gateway.table_socket import TableSocket
from services.gateway.toll import charge
from services.gateway.wire import Wire
from services.runtime.errors import Fault, ResourceExhausted
from services.runtime.request_origin import same_origin

_GOING_AWAY: Final = (1001, "going away")
_TABLE_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


class _Refused(Exception):
    """Nobody gets this socket; says how it is closed."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


_TOO_MANY: Final = _Refused(TRY_AGAIN_LATER, "too many sockets of this player")


def routes(edge: Edge) -> APIRouter:
    """The route."""
    router = APIRouter()

    @router.websocket("/tables/{table}/socket")
    async def table_socket(websocket: WebSocket, table: str) -> None:
        wire = Wire.of(websocket)
        try:
            player = await _player(edge, websocket, table)
        except _Refused as refused:
            await _refuse(websocket, wire, refused)
            return
        with edge.holdings.one_more(player) as may:
            if not may:
                metrics.LIMITED.inc()
                await _refuse(websocket, wire, _TOO_MANY)
                return
            await _accept(websocket)
            if edge.scope.draining.is_set():
                wire.end(*_GOING_AWAY)
            else:
                wire.take(TableSocket(edge, wire, table, player), edge.settings.most_backlog_bytes)
            await wire.gone

    return router


async def _player(edge: Edge, websocket: WebSocket, table: str) -> str | None:
    """The player whose socket it is; None for a spectator without a session."""
    if edge.scope.draining.is_set():
        raise _Refused(*_GOING_AWAY)
    if not _TABLE_ID.fullmatch(table):
        raise _Refused(4004, "no such table")
    try:
        charge(edge.limits, websocket, 1.0)
    except ResourceExhausted as fault:
        raise _Refused(TRY_AGAIN_LATER, f"too many requests, {fault.detail}") from None
    if not await edge.admission.admitted():
        raise _Refused(TRY_AGAIN_LATER, "too many at once, try again later")
    found = credentials(websocket)
    if found is None:
        return None
    if found.from_cookie and not same_origin(websocket):
        raise _Refused(1008, "a cookie counts only on this site's own pages")
    try:
        player = await edge.sessions.find(found.token)
    except Fault:
        raise _Refused(1001, "try again") from None
    if player is None and not found.from_cookie:
        raise _Refused(4001, "not signed in")
    return player.id if player else None


async def _refuse(websocket: WebSocket, wire: Wire, refused: _Refused) -> None:
    # Browsers see a close code only of a socket that was accepted.
    await _accept(websocket)
    metrics.CLOSED.labels(str(refused.code)).inc()
    wire.end(refused.code, refused.reason)
    await wire.gone


async def _accept(websocket: WebSocket) -> None:
    await websocket.accept(subprotocol=PROTOCOL if PROTOCOL in websocket.scope["subprotocols"] else None)
