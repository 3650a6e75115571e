"""B2 and B3: plays per second from a socket to its verdict and to all four players' sockets, the whole path.

The yardstick is a room of Colyseus 0.16 in which the same hands are played again by the same client program, on the
same cores: for B2 each play is committed with the referee's own script before anybody hears of it, for B3 nothing is
kept. All seats of a table act at the same time; its next four plays follow when the last ones have come everywhere.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from services.cli.process import Process, Say
from tests.bench.peer_cpu import processor_time
from tests.bench.peer_crowd import Round, SeatSocket, drive
from tests.bench.peer_platform import SEATS, ScriptedTable, platform, playing
from tests.bench.peer_room import Rooms, install, rooms, state_of
from tests.bench.peer_wire import Dialect, Edge, Room
from tests.bench.results import Figure, Samples

STEPS: Final = 60
BUSY: Final = 0.9
"""A client program that was busy for so much of a round may be what the others waited for."""


@dataclass(slots=True)
class Side:
    """What was measured of one side, round by round."""

    name: str
    dialect: Dialect
    rate: list[float] = field(default_factory=list)
    """Plays a second."""
    cpu: dict[str, list[float]] = field(default_factory=dict)
    """Processor time of each process for one play, µs."""

    async def measure(
        self,
        tables: Sequence[ScriptedTable],
        sockets: Sequence[Sequence[SeatSocket]],
        processes: Sequence[Process],
        say: Say,
    ) -> None:
        """Plays one round."""
        rounds = [[Round.of(step, self.dialect) for step in table.script] for table in tables]
        plays = SEATS * sum(map(len, rounds))
        pids = {process.name: process.pid for process in processes if process.pid} | {"client": os.getpid()}
        with processor_time(pids) as spent:
            seconds = await drive(list(zip(rounds, sockets, strict=True)))
        self.rate.append(plays / seconds)
        for name, busy in spent.items():
            self.cpu.setdefault(name, []).append(1e6 * busy / plays)
        say("b2", f"{self.name}: {plays / seconds:,.0f} plays/s; µs a play: {_short(self.cpu)}")
        if spent["client"] > BUSY * seconds:
            say("b2", f"{self.name}: the client program was busy all the time and may have held the others up")


async def measure(say: Say) -> list[Figure]:
    """Five rounds of 100 tables, alternating with both yardsticks."""
    return await _measure(100, 5, say)


async def measure_shortly(say: Say) -> list[Figure]:
    """One round of ten tables: whether everything works."""
    return await _measure(10, 1, say)


async def _measure(tables: int, count: int, say: Say) -> list[Figure]:
    await install()
    ours = Side("platform", Edge())
    durable, in_memory = Side("room with commit", Room()), Side("room in memory", Room())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with (
            rooms(folder / "durable", say, commit=True) as with_commit,
            rooms(folder / "memory", say, commit=False) as without,
        ):
            for number in range(1, count + 1):
                say("b2", f"round {number}")
                async with platform(folder / f"platform{number}") as running, playing(running, tables, STEPS) as hands:
                    state = await state_of(running.redis_url, hands)
                    await ours.measure(hands, [table.sockets for table in hands], running.processes, say)
                await _in_rooms(durable, with_commit, hands, state, say)
                await _in_rooms(in_memory, without, hands, state, say)
    return [
        _compared("B2", "beside a room with commit", ours, durable, tables, ">= 1.0"),
        _compared("B3", "beside a room in memory", ours, in_memory, tables, ">= 0.6"),
        *(figure for side in (ours, durable, in_memory) for figure in _costs(side)),
    ]


async def _in_rooms(
    side: Side, server: Rooms, tables: Sequence[ScriptedTable], state: Mapping[str, Mapping[bytes, bytes]], say: Say
) -> None:
    await server.take(tables, state)
    async with server.playing(tables) as sockets:
        await side.measure(tables, sockets, server.processes, say)


def _compared(id_: str, beside: str, ours: Side, theirs: Side, tables: int, bar: str) -> Figure:
    ratio = tuple(our / their for our, their in zip(ours.rate, theirs.rate, strict=True))
    what = f"whole path: plays to all four sockets, {tables} tables x {SEATS}, {beside}"
    return Figure(id_, what, "plays/s", Samples(tuple(ours.rate)), Samples(tuple(theirs.rate)), Samples(ratio), bar)


def _costs(side: Side) -> list[Figure]:
    return [
        Figure("B6", f"processor time for a play, {side.name}: {name}", "µs", Samples(tuple(of_rounds)))
        for name, of_rounds in side.cpu.items()
    ]


def _short(cpu: Mapping[str, Sequence[float]]) -> str:
    """The last round's."""
    return ", ".join(f"{name} {of_rounds[-1]:.0f}" for name, of_rounds in cpu.items())
