"""B4: how long a play takes from socket to verdict at one quiet table, against a bare echo on the same server.

The same client, a bare socket, waits for each answer before it sends the next, at a pace below the edge's rate limit.
The plays turn the stock and the waste over, which is always possible.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from services.cli.local_platform import Platform
from services.cli.ports import LOOPBACK, Ports
from services.cli.probes import http_answers
from services.cli.process import Process, Say, Spec
from services.client import Client
from services.client.socket import Socket, connect
from tests.bench.results import Figure, Samples

ROUNDS: Final = 5
PLAYS: Final = 100
PAUSE_S: Final = 0.03


class Wire:
    """A socket that notes when the awaited answer came. By itself it is ready for the hand and answers pings;
    ``idle``: it does nothing else."""

    def __init__(self, *, idle: bool = False) -> None:
        self._idle = idle
        self._socket: Socket | None = None
        self._frames: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    async def open(self, url: str, subprotocols: list[str]) -> None:
        """Connects."""
        self._socket = await connect(url, subprotocols, self._received, timeout_s=5)

    def _received(self, frame: bytes) -> None:
        if frame.startswith(b'{"t":"ping"'):
            self.send(b'{"t":"pong","id":%d}' % json.loads(frame)["id"])
        elif frame.startswith(b'{"t":"welcome"'):
            self.send(b'{"t":"ready","ready":true}')
        elif not self._idle:
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

    async def close(self) -> None:
        """Says goodbye."""
        if self._socket is not None:
            await self._socket.close(patience_s=1)


class TurningSeat:
    """Seat 0 of a hand that turns its stock and nothing else, on a bare socket."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._seq = self._hand = self._n = self._stock = self._waste = 0
        self._digest = ""
        self.playing = False

    async def until_playing(self) -> None:
        """Reads until the hand has started."""
        while not self.playing:
            self._take((await self._wire.receive())[1])

    async def play(self) -> float:
        """Sends one play; the seconds until its verdict."""
        self._n += 1
        command: dict[str, Any] = {"t": "turn" if self._stock else "recycle", "n": self._n, "hand": self._hand}
        command["seen"], command["digest"] = self._seq, self._digest
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
        if "e" in told and told["seq"] > self._seq:
            self._seq, self._digest = told["seq"], told["digest"]
        match told.get("t") or told.get("e"):
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


async def _rounds(edge_url: str, echo_url: str, say: Say) -> list[Figure]:
    async with Client(edge_url) as client, Client(edge_url) as other:
        await client.guest("Turner")
        await other.guest("Watcher")
        table = await client.create_table(seats=2, public=False)
        await other.join(table.id, table.invite or "")
        edge, idle, echo = Wire(), Wire(idle=True), Wire()
        try:
            await echo.open(echo_url, ["pandemonium.v1"])
            for wire, player in ((edge, client), (idle, other)):
                await wire.open(_socket_url(edge_url, table.id), ["pandemonium.v1", f"token.{player.token}"])
                wire.send(b'{"t":"attach","seat":true,"after":null,"n":0}')
            seat = TurningSeat(edge)
            await seat.until_playing()
            return await _alternate(seat, echo, say)
        finally:
            for wire in (edge, idle, echo):
                await wire.close()


async def _alternate(seat: TurningSeat, echo: Wire, say: Say) -> list[Figure]:
    frame = b'{"t":"turn","n":1234,"hand":1,"seen":12345,"digest":"0123456789abcdef","stock":32}'
    plays: list[list[float]] = []
    echoes: list[list[float]] = []
    await _timed(seat.play)
    for number in range(1, ROUNDS + 1):
        plays.append(await _timed(seat.play))
        echoes.append(await _timed(lambda: _echoed(echo, frame)))
        say("b4", f"round {number}: median {_p(plays[-1], 50):.2f} ms, echo {_p(echoes[-1], 50):.2f} ms")
    figures = []
    for p, bar in ((50, "<= 6"), (99, "")):
        measured = tuple(_p(times, p) for times in plays)
        yardstick = tuple(_p(times, p) for times in echoes)
        ratio = tuple(m / y for m, y in zip(measured, yardstick, strict=True))
        what = f"one quiet table: play to verdict over the socket, p{p}"
        figures.append(Figure("B4", what, "ms", Samples(measured), Samples(yardstick), Samples(ratio), bar))
    return figures


async def _timed(once: Callable[[], Awaitable[float]]) -> list[float]:
    """Seconds of each of ``PLAYS`` round trips."""
    times = []
    for _ in range(PLAYS):
        times.append(await once())
        await asyncio.sleep(PAUSE_S)
    return times


async def _echoed(echo: Wire, frame: bytes) -> float:
    sent = echo.send(frame)
    came, _ = await echo.receive()
    return came - sent


def _p(seconds: list[float], percent: int) -> float:
    """A percentile, ms."""
    return 1000 * statistics.quantiles(seconds, n=100, method="inclusive")[percent - 1]


def _socket_url(url: str, table: str) -> str:
    return f"ws{url.removeprefix('http')}/api/v1/tables/{table}/socket"


def _quiet(_name: str, _line: str) -> None:
    """A log that nobody reads."""
