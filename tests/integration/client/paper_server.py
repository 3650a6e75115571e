"""The paper edge behind a real WebSocket server on loopback, which can be told to misbehave."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from services.client.session import TableSession
from tests.unit.client.paper_edge import PaperEdge


@dataclass
class PaperServer:
    """One table of the paper edge; every socket has seat 0."""

    edge: PaperEdge = field(default_factory=PaperEdge)
    port: int = 0
    attaches: list[dict[str, object]] = field(default_factory=list)
    offered: list[str] = field(default_factory=list)
    sockets: set[ServerConnection] = field(default_factory=set)
    deaf: bool = False
    """Takes commands in and judges them, but tells nobody."""
    refuse: HTTPStatus | None = None
    """Answers handshakes with this status."""

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/api/v1/tables/t1/socket"

    def session(self, *, seat: bool = True, patience_s: float = 60.0) -> TableSession:
        return TableSession(self.url, "secret", seat=seat, patience_s=patience_s)

    async def close_all(self, code: int) -> None:
        await asyncio.gather(*(socket.close(code) for socket in list(self.sockets)))

    async def handle(self, socket: ServerConnection) -> None:
        self.sockets.add(socket)
        try:
            await self._talk(socket)
        except ConnectionClosed:
            pass
        finally:
            self.sockets.discard(socket)

    def before(self, _: ServerConnection, request: Request) -> Response | None:
        self.offered = request.headers["Sec-WebSocket-Protocol"].split(", ")
        if self.refuse is None:
            return None
        return Response(self.refuse, self.refuse.phrase, request.headers)

    async def _talk(self, socket: ServerConnection) -> None:
        attach = await socket.recv(decode=False)
        asked = json.loads(attach)
        self.attaches.append(asked)
        for frame in self.edge.attach(attach, 0 if asked["seat"] else None):
            await socket.send(frame, text=True)
        async for text in socket:
            frame = text.encode() if isinstance(text, str) else text
            said = json.loads(frame)
            if said["t"] == "ping":
                await socket.send(json.dumps({"t": "pong", "id": said["id"], "now": self.edge.now_ms}))
            if said["t"] == "emote":
                await socket.send(json.dumps({"t": "emote", "seat": 0, "emote": said["emote"]}))
            if said["t"] in ("pong", "ping", "ready", "emote"):
                continue
            verdict, event = self.edge.command(frame)
            if not self.deaf:
                await socket.send(verdict, text=True)
                if event is not None:
                    await socket.send(event, text=True)


@asynccontextmanager
async def paper_server(port: int = 0) -> AsyncIterator[PaperServer]:
    server = PaperServer()
    protocols = [Subprotocol("pandemonium.v1")]
    async with serve(
        server.handle, "127.0.0.1", port, subprotocols=protocols, process_request=server.before, compression=None
    ) as serving:
        server.port = next(iter(serving.sockets)).getsockname()[1]
        yield server
