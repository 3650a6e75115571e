"""A table socket without the SDK, for what the SDK would never send."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

PATIENCE_S = 10.0


class RawSocket:
    """Frames as text, answers as objects."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def send(self, frame: str | bytes) -> None:
        """Whatever it is."""
        await self._connection.send(frame)

    async def frame(self, kind: str) -> dict[str, Any]:
        """The next frame whose ``t`` is ``kind``; others are passed over."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                found: dict[str, Any] = json.loads(await self._connection.recv())
                if found.get("t") == kind:
                    return found

    async def close_code(self) -> int | None:
        """Reads on until the edge closes; its code."""
        async with asyncio.timeout(PATIENCE_S):
            try:
                while True:
                    await self._connection.recv()
            except ConnectionClosed:
                return self._connection.close_code


@asynccontextmanager
async def raw_socket(url: str, table: str, token: str | None) -> AsyncIterator[RawSocket]:
    """An open table socket; nothing has been sent on it."""
    offered = [Subprotocol("pandemonium.v1")] + ([Subprotocol(f"token.{token}")] if token else [])
    address = f"ws{url.removeprefix('http')}/api/v1/tables/{table}/socket"
    async with connect(address, subprotocols=offered, proxy=None, open_timeout=PATIENCE_S) as connection:
        yield RawSocket(connection)
