"""A client of the table socket as plain as can be: keeps every frame, answers pings, and sends what a test says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

Frame = dict[str, Any]

PATIENCE_SECONDS = 60.0
"""How long something may take where many tests share few processors."""


class Player:
    """One socket. ``frames`` is everything that came but pings, in order; ``events`` and ``verdicts`` are among it."""

    def __init__(self, connection: ClientConnection, answers_pings: bool = True) -> None:
        self.connection = connection
        self.frames: list[Frame] = []
        self.events: list[Frame] = []
        self.verdicts: list[Frame] = []
        self.answered: set[int] = set()
        """The numbers of the commands that have a verdict."""
        self.answers_pings = answers_pings
        self._came = asyncio.Event()
        self.reading = asyncio.create_task(self._read())

    @property
    def seqs(self) -> list[int]:
        """Their numbers."""
        return [event["seq"] for event in self.events]

    @property
    def last(self) -> dict[str, Any] | None:
        """The last (seq, digest) that came."""
        for frame in reversed(self.frames):
            if "digest" in frame:
                return {"seq": frame["seq"], "digest": frame["digest"]}
        return None

    @property
    def has_seen(self) -> dict[str, Any]:
        """What a command says of the last event that came, and shows of it."""
        last = self.last or {"seq": 0, "digest": ""}
        return {"seen": last["seq"], "digest": last["digest"]}

    @property
    def welcome(self) -> Frame:
        """The first frame."""
        assert self.frames[0]["t"] == "welcome"
        return self.frames[0]

    @property
    def close_code(self) -> int | None:
        """Why the edge has closed the socket."""
        return self.connection.close_code

    @property
    def tables(self) -> list[dict[str, Any]]:
        """The table as this client was told again and again."""
        return [frame["table"] for frame in self.frames if frame.get("t") in ("welcome", "table")]

    def of(self, kind: str) -> list[Frame]:
        """The frames of one type."""
        return [frame for frame in self.frames if frame.get("t") == kind]

    async def sends(self, frame: Frame | str | bytes) -> None:
        """Sends one frame."""
        await self.connection.send(json.dumps(frame) if isinstance(frame, dict) else frame)

    async def until(self, holds: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> None:
        """Waits until something holds of what came."""
        async with asyncio.timeout(seconds):
            while not holds():
                self._came.clear()
                await self._came.wait()

    async def closed(self, seconds: float = PATIENCE_SECONDS) -> int | None:
        """Waits for the end of the connection; gives its code."""
        await asyncio.wait_for(asyncio.shield(self.reading), seconds)
        return self.close_code

    async def drops(self) -> None:
        """Cuts the connection as a lost network does."""
        self.connection.transport.abort()
        await self.closed()

    async def _read(self) -> None:
        try:
            async for raw in self.connection:
                frame = json.loads(raw)
                if frame.get("t") == "ping":
                    if self.answers_pings:
                        await self.connection.send(json.dumps({"t": "pong", "id": frame["id"]}))
                    continue
                self.frames.append(frame)
                if "e" in frame:
                    self.events.append(frame)
                elif frame.get("t") == "verdict":
                    self.verdicts.append(frame)
                    self.answered.add(frame["n"])
                self._came.set()
        except ConnectionClosed:
            pass
        finally:
            self._came.set()


@asynccontextmanager
async def attached(
    port: int,
    table: str,
    token: str | None = None,
    *,
    seat: bool = True,
    after: dict[str, Any] | None = None,
    n: int = 0,
    headers: dict[str, str] | None = None,
    answers_pings: bool = True,
) -> AsyncIterator[Player]:
    """A socket on which ``attach`` was sent."""
    protocols = [Subprotocol("pandemonium.v1")] + ([Subprotocol(f"token.{token}")] if token else [])
    url = f"ws://127.0.0.1:{port}/api/v1/tables/{table}/socket"
    async with connect(url, subprotocols=protocols, compression=None, additional_headers=headers, proxy=None) as ws:
        player = Player(ws, answers_pings)
        try:
            with suppress(ConnectionClosed):
                await player.sends({"t": "attach", "seat": seat, "after": after, "n": n})
            yield player
        finally:
            await ws.close()
            await player.reading


async def crowd_of(stack: AsyncExitStack, port: int, table: str, count: int) -> list[Player]:
    """So many sockets that watch, opened some at a time; who is sent away by a busy edge comes again."""
    found: list[Player] = []
    async with asyncio.timeout(120):
        while len(found) < count:
            some = (
                stack.enter_async_context(attached(port, table, seat=False)) for _ in range(min(50, count - len(found)))
            )
            opened = await asyncio.gather(*some)
            for each in opened:
                await each.until(lambda: bool(each.frames) or each.reading.done())  # noqa: B023 - awaited at once
            found += [each for each in opened if each.frames]
    return found


class Turner:
    """Turns a seat's stock round and round: commands that always succeed, as many as wanted."""

    def __init__(self, player: Player, n: int = 0, stock: int = 35) -> None:
        self.player = player
        self.n = n
        self.said: dict[int, int] = {}
        """What each command said was seen."""
        self._stock = stock
        self._waste = 35 - stock

    async def turn(self, times: int = 1) -> None:
        """Sends so many commands."""
        for _ in range(times):
            self.n += 1
            common = {"n": self.n, "hand": 1} | self.player.has_seen
            self.said[self.n] = common["seen"]
            if self._stock:
                await self.player.sends({"t": "turn", **common, "stock": self._stock})
                packet = min(3, self._stock)
                self._stock, self._waste = self._stock - packet, self._waste + packet
            else:
                await self.player.sends({"t": "recycle", **common})
                self._stock, self._waste = self._waste, 0

    async def turn_and_wait(self, times: int, at_once: int = 8) -> None:
        """Sends so many commands and waits for their verdicts, some at a time."""
        for start in range(0, times, at_once):
            await self.turn(min(at_once, times - start))
            await self.player.until(lambda: self.n in self.player.answered)
