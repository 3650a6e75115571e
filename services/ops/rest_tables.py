"""REST: every table, one table with its sockets, its events as they happen, and what is done to it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import StreamingResponse

from services.ops import models
from services.ops.console import Console
from services.runtime.errors import Fault, NotFound

TableId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Sort = Literal["created", "since", "state", "people", "hand", "id"]
MOST_ON_A_PAGE: Final = 200
_KEYS: Final = {
    "created": lambda table: table.created_ms,
    "since": lambda table: table.since_ms,
    "state": lambda table: table.state,
    "people": lambda table: table.people,
    "hand": lambda table: table.hand,
    "id": lambda table: table.id,
}


def routes(console: Console) -> APIRouter:
    """The routes."""
    router = APIRouter(tags=["tables"])
    door, lobby = console.door, console.lobby

    @router.get("/tables", operation_id="listTables")
    async def tables(
        request: Request,
        search: Annotated[str, Query(max_length=100)] = "",
        state: models.State | None = None,
        sort: Sort = "created",
        descending: bool = True,
        page: Annotated[int, Query(ge=1, le=100_000)] = 1,
        size: Annotated[int, Query(ge=1, le=MOST_ON_A_PAGE)] = 50,
    ) -> models.Tables:
        """Tables whose id, code or a name of theirs has the text in it."""
        await door.anyone(request)
        found = [table for table in await lobby.survey() if _fits(table, search.strip().casefold(), state)]
        found.sort(key=lambda table: (_KEYS[sort](table), table.id), reverse=descending)
        start = (page - 1) * size
        return models.Tables(tables=found[start : start + size], total=len(found), page=page)

    @router.get("/tables/{table}", operation_id="getTable")
    async def table(request: Request, table: TableId) -> models.Table:
        """One table with its seats and their sockets; the sockets are known a second after it was first asked for."""
        await door.anyone(request)
        found = await lobby.table(table)
        sights = await console.desk.look_at(table)
        seats = []
        for seat in found.seats:
            own = [rtt for _, index, _, rtt in sights if index == seat.index]
            known = [rtt for rtt in own if rtt is not None]
            seats.append(seat.model_copy(update={"sockets": len(own), "rtt_ms": min(known, default=None)}))
        watchers = sum(index is None for _, index, _, _ in sights)
        return found.model_copy(update={"seats": seats, "watchers": watchers})

    @router.get("/tables/{table}/log", operation_id="followTable", response_class=StreamingResponse)
    async def log(request: Request, table: TableId, after: Annotated[int, Query(ge=0)] = 0) -> StreamingResponse:
        """The table's events after a number, then as they happen: `text/event-stream`, an event or snapshot each."""
        await door.anyone(request)
        await lobby.table(table)
        last = request.headers.get("last-event-id", "")
        begin = int(last) if last.isascii() and last.isdecimal() and len(last) < 16 else after
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(_told(console, table, begin), media_type="text/event-stream", headers=headers)

    @router.post("/tables/{table}/close", operation_id="closeTable")
    async def close(request: Request, table: TableId) -> models.Done:
        """Closes the table; a running hand ends without a score."""
        async with door.acting(request, "close", table):
            await lobby.end(table)
        return models.Done()

    @router.post("/tables/{table}/freeze", operation_id="freezeTable")
    async def freeze(request: Request, table: TableId) -> models.Done:
        """Holds the table still: no play counts, nothing falls due."""
        async with door.acting(request, "freeze", table):
            await lobby.freeze(table, True)
        return models.Done()

    @router.post("/tables/{table}/thaw", operation_id="thawTable")
    async def thaw(request: Request, table: TableId) -> models.Done:
        """Lets it go on where it stood."""
        async with door.acting(request, "thaw", table):
            await lobby.freeze(table, False)
        return models.Done()

    @router.post("/tables/{table}/seats/{seat}/remove", operation_id="removePlayer")
    async def remove(request: Request, table: TableId, seat: Annotated[int, Path(ge=0, le=7)]) -> models.Done:
        """Sends the person at that seat away from the table for good."""
        async with door.acting(request, "remove", table, f"seat {seat}"):
            await lobby.expel(table, seat)
        return models.Done()

    return router


def _fits(table: models.Brief, text: str, state: str | None) -> bool:
    if state is not None and table.state != state:
        return False
    return not text or any(text in part.casefold() for part in (table.id, table.code, *table.names))


async def _told(console: Console, table: str, after: int) -> AsyncIterator[str]:
    """The stream's text. A hand that is still to come is no fault: the client asks again after a while."""
    yield "retry: 2000\n\n"
    try:
        async for seq, compacted, text in console.engines.watch(table, after):
            yield f"id: {seq}\nevent: {'snapshot' if compacted else 'event'}\ndata: {text}\n\n"
            if '"e":"end"' in text and (await console.lobby.table(table)).state == "closed":
                return
    except NotFound:
        return
    except Fault as fault:
        yield f"event: fault\ndata: {json.dumps(fault.reason.lower())}\n\n"
