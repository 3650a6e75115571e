"""The yardstick of B4: a WebSocket that answers each frame with itself, on the server and settings of the gateway."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import uvicorn
import uvloop

from services.cli.ports import LOOPBACK

Message = MutableMapping[str, Any]


async def app(
    scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
) -> None:
    """Accepts any socket, and any page with 200."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept", "subprotocol": "pandemonium.v1"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})


def main(port: int) -> None:
    """Serves until a signal."""
    config = uvicorn.Config(
        app,
        host=LOOPBACK,
        port=port,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        ws_max_size=4096,
        log_config=None,
        access_log=False,
        lifespan="off",
    )
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(uvicorn.Server(config).serve())


if __name__ == "__main__":
    main(int(sys.argv[1]))
