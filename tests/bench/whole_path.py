"""B2 and B3: plays per second from a socket to its verdict and to all four players' sockets, the whole path.

The yardstick is a room of Colyseus 0.16 in which the same hands are played again by the same client program, on the
same cores: for B2 each play is committed with the referee's own script before anybody hears of it, for B3 nothing is
kept. All seats of a table act at the same time; its next four plays follow when the last ones have come everywhere.

On a machine that others use too the platform's processes together get more of it than the one of a room, which flatters
the ratio of plays per second. So it is told how much others had, and what a play costs each side in processor time.
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

TABLES: Final = 100
ROUNDS: Final = 5
STEPS: Final = 60
CLIENT: Final = "client"
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
    others: list[float] = field(default_factory=list)
    """Processors that other programs of this machine had meanwhile."""

    @property
    def cost(self) -> list[float]:
        """Processor time of all its processes for one play, µs."""
        return [
            sum(one_round) for one_round in zip(*(c for name, c in self.cpu.items() if name != CLIENT), strict=True)
        ]

    async def measure(
        self,
        tables: Sequence[ScriptedTable],
        sockets: Sequence[Sequence[SeatSocket]],
        processes: Sequence[Process],
        say: Say,
    ) -> None:
        """Plays one round. Raises ``NotAsForeseen`` if a verdict or an event is another one than the rules say."""
        rounds = [[Round.of(step, self.dialect) for step in table.script] for table in tables]
        plays = SEATS * sum(map(len, rounds))
        pids = {process.name: process.pid for process in processes if process.pid} | {CLIENT: os.getpid()}
        with processor_time(pids) as spent:
            seconds = await drive(list(zip(rounds, sockets, strict=True)))
        self.rate.append(plays / seconds)
        self.others.append(spent.others / seconds)
        for name, busy in spent.by_process.items():
            self.cpu.setdefault(name, []).append(1e6 * busy / plays)
        cpu = ", ".join(f"{name} {of_rounds[-1]:.0f}" for name, of_rounds in self.cpu.items())
        say(
            "b2", f"{self.name}: {self.rate[-1]:,.0f} plays/s; µs a play: {cpu}; others had {self.others[-1]:.1f} cores"
        )
        if spent.by_process[CLIENT] > BUSY * seconds:
            say("b2", f"{self.name}: the client program was busy all the time and may have held the others up")


async def measure(say: Say) -> list[Figure]:
    """The figures of both; three minutes on a quiet machine."""
    return await _measure(TABLES, ROUNDS, say)


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
    figures = _compared("B2", f"{tables} tables x {SEATS}, beside a room with commit", ours, durable, ">= 1.0")
    figures += _compared("B3", f"{tables} tables x {SEATS}, beside a room in memory", ours, in_memory, ">= 0.6")
    return figures + [figure for side in (ours, durable, in_memory) for figure in _costs(side)]


async def _in_rooms(
    side: Side, server: Rooms, tables: Sequence[ScriptedTable], state: Mapping[str, Mapping[bytes, bytes]], say: Say
) -> None:
    await server.take(tables, state)
    async with server.playing(tables) as sockets:
        await side.measure(tables, sockets, server.processes, say)


def _compared(id_: str, what: str, ours: Side, theirs: Side, bar: str) -> list[Figure]:
    return [
        _figure(id_, f"plays from a socket to all four: {what}", "plays/s", ours.rate, theirs.rate, bar),
        _figure(id_, "the same, processor time for a play, without the client's", "µs", ours.cost, theirs.cost),
        Figure(
            id_,
            "the same, cores that other programs had",
            "",
            Samples(tuple(ours.others)),
            Samples(tuple(theirs.others)),
        ),
    ]


def _figure(id_: str, what: str, unit: str, ours: Sequence[float], theirs: Sequence[float], bar: str = "") -> Figure:
    ratio = tuple(our / their for our, their in zip(ours, theirs, strict=True))
    return Figure(id_, what, unit, Samples(tuple(ours)), Samples(tuple(theirs)), Samples(ratio), bar)


def _costs(side: Side) -> list[Figure]:
    return [
        Figure("B6", f"processor time for a play, {side.name}: {name}", "µs", Samples(tuple(of_rounds)))
        for name, of_rounds in side.cpu.items()
    ]
