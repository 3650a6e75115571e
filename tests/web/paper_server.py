"""A server of paper for the page: its files, every answer and every frame come from memory, the same at each run.

What a view shows can so be looked at without a platform, a network, or luck. Answers are made of the edge's own models
(``services/gateway/models.py``), so they can't be of another shape than the real ones.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from msgspec import Raw
from playwright.async_api import BrowserContext, Route, WebSocketRoute
from pydantic import BaseModel

from services.gateway import frames, page
from services.gateway.models import Notice, Table
from tests.unit.bots.paper_match import NOON

URL: Final = "https://pandemonium.test"
QUIET: Final = Notice(id="", texts={}, until=0)
_API: Final = "/api/v1"
_NOT_FOUND: Final = json.dumps({"title": "", "status": 404, "detail": "", "code": "not_found"})


@dataclass(frozen=True)
class Scene:
    """What the server knows. ``answers`` are by path behind ``/api/v1``, ``logs`` are frames by table, in order.

    ``seat`` is where the visitor sits at every table; ``name`` is the visitor's, None: a first visit. A server that is
    ``silent`` welcomes the visitor once, and answers nothing after that.
    """

    answers: dict[str, BaseModel]
    tables: tuple[Table, ...] = ()
    logs: dict[str, list[str]] = field(default_factory=dict)
    seat: int | None = 0
    name: str | None = "Ada Lovelace"
    silent: bool = False


@cache
def _files() -> dict[str, page.File]:
    return page.read()


class PaperServer:
    """Answers whatever a context's pages ask, from the scene that is set."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._files = _files()
        self._attached = 0

    async def serve(self, context: BrowserContext) -> None:
        """From now on for all pages of the context."""
        await context.route(f"{URL}/**", self._answer)
        await context.route_web_socket(f"{URL.replace('http', 'ws')}/**", self._attend)

    async def _answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(URL).partition("?")[0]
        if path.startswith(_API):
            await self._call(route, path.removeprefix(_API))
            return
        file = self._files.get(path) or self._files["/index.html"]
        headers = {"Content-Security-Policy": page.POLICY}
        await route.fulfill(body=file.contents["identity"], content_type=file.media_type, headers=headers)

    async def _call(self, route: Route, path: str) -> None:
        tables = {f"/tables/{table.id}": table for table in self.scene.tables}
        answer = self.scene.answers.get(path) or tables.get(path) or (QUIET if path == "/notice" else None)
        if answer is None:
            await route.fulfill(status=404, body=_NOT_FOUND, content_type="application/problem+json")
        else:
            await route.fulfill(body=answer.model_dump_json(), content_type="application/json")

    def _attend(self, socket: WebSocketRoute) -> None:
        """Welcomes whoever attaches to a table, and tells what there is to tell."""
        table = next(table for table in self.scene.tables if f"/tables/{table.id}/" in socket.url)

        def received(raw: str | bytes) -> None:
            frame = json.loads(raw)
            if frame["t"] == "ping" and not self.scene.silent:
                socket.send(frames.encode(frames.PongOut(frame["id"], NOON)).decode())
            if frame["t"] != "attach" or (self.scene.silent and self._attached):
                return
            self._attached += 1
            whole = Raw(table.model_dump_json().encode())
            player = table.seats[0].player if self.scene.name else None
            welcome = frames.Welcome(1, player, self.scene.seat, 0, False, False, whole, NOON)
            socket.send(frames.encode(welcome).decode())
            for frame in self.scene.logs.get(table.id, []):
                socket.send(frame)
            socket.send(frames.encode(frames.PingOut(1, 31)).decode())

        socket.on_message(received)
