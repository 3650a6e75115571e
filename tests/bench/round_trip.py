"""B4: how long a play takes from socket to verdict at one quiet table, against a bare echo on the same server.

The same client, a bare socket, waits for each answer before it sends the next, at a pace below the edge's rate limit.
The plays turn the stock and the waste over, which is always possible.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from services.cli.local_platform import Platform
from services.cli.ports import LOOPBACK, Ports
from services.cli.probes import http_answers
from services.cli.process import Process, Say, Spec
from services.client.socket import Socket, connect
from tests.bench.results import Figure

ROUNDS: Final = 5
PLAYS: Final = 100
PAUSE_S: Final = 0.03


class Wire:
    """A socket that notes when the awaited answer came."""

    def __init__(self) -> None:
        self._socket: Socket | None = None
        self._frames: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    async def open(self, url: str, subprotocols: list[str]) -> None:
        """Connects."""
        self._socket = await connect(url, subprotocols, self._received, timeout_s=5)

    def _received(self, frame: bytes) -> None:
        self._frames.put_nowait((time.perf_counter(), frame))

    def send(self, frame: bytes) -> float:
        """Sends; when."""
        assert self._socket is not None
        now = time.perf_counter()
        self._socket.send(frame)
        return now

    async def receive(self) -> tuple[float, bytes]:
        """The next frame, and when it came."""
        async with asyncio.timeout(5):
            return await self._frames.get()

    def close(self) -> None:
        """Says goodbye."""
        if self._socket is not None:
            self._socket.close()


class TurningSeat:
    """Seat 0 of a hand that turns its stock and nothing else, on a bare socket."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._seq = self._hand = self._n = self._stock = self._waste = 0
        self.playing = False

    async def until_playing(self) -> None:
        """Reads until the hand has started."""
        while not self.playing:
            self._take((await self._wire.receive())[1])

    async def play(self) -> float:
        """Sends one play; the seconds until its verdict."""
        self._n += 1
        command: dict[str, Any] = {"t": "turn" if self._stock else "recycle", "n": self._n, "hand": self._hand}
        command["seen"] = self._seq
        if self._stock:
            command["stock"] = self._stock
        sent = self._wire.send(json.dumps(command, separators=(",", ":")).encode())
        verdict, event, answered = False, False, 0.0
        while not (verdict and event):
            at, frame = await self._wire.receive()
            told = self._take(frame)
            if told.get("t") == "verdict" and told["n"] == self._n:
                if told["v"] != "applied":
                    raise RuntimeError(f"refused: {told}")
                verdict, answered = True, at
            event = event or (told.get("seat") == 0 and told.get("n") == self._n)
        return answered - sent

    def _take(self, frame: bytes) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(frame)
        self._seq = max(self._seq, told["seq"] if "e" in told else 0)
        match told.get("t") or told.get("e"):
            case "ping":
                self._wire.send(b'{"t":"pong","id":%d}' % told["id"])
            case "deal":
                self._hand, self._stock, self._waste = told["hand"], told["layouts"][0]["stock"], 0
            case "start":
                self.playing = True
            case "turn" if told["seat"] == 0:
                self._stock, self._waste = self._stock - told["count"], self._waste + told["count"]
            case "recycle" if told["seat"] == 0:
                self._stock, self._waste = told["count"], 0
            case "shift":
                self._stock, self._waste = self._stock + self._waste, 0
            case "end":
                raise RuntimeError("the hand ended: its deal was dead from the start; run again")
        return told


async def measure(say: Say) -> list[Figure]:
    """Five rounds, alternating."""
    with tempfile.TemporaryDirectory() as folder:
        echo_port = Ports.free().gateways[0]
        echo = Process(
            Spec(
                "echo",
                (sys.executable, "-m", "tests.bench.echo", str(echo_port)),
                http_answers(f"http://{LOOPBACK}:{echo_port}/"),
            ),
            say,
        )
        await echo.start()
        try:
            await echo.ready(10)
            async with Platform(Path(folder), Ports.free(), say=_quiet, bots=False) as platform:
                return await _rounds(platform.url, f"ws://{LOOPBACK}:{echo_port}/", say)
        finally:
            await echo.stop(5)
