"""B1: durable, ordered plays per second through one engine process, against the same script calls sent without it.

100 tables of four seats, all seats acting at the same time; the engine is asked over one gRPC stream and commits each
play with an append-only file that is synced before the answer. The yardstick sends the very script calls that the
engine made, encoded before, over a plain socket to the same Redis in the same state.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc
from pandemonium.common.v1 import common_pb2
from pandemonium.engine.v1 import engine_pb2 as pb
from pandemonium.engine.v1 import engine_pb2_grpc

from services.cli.ports import LOOPBACK, Ports
from services.cli.probes import grpc_serves
from services.cli.process import Process, Say, Spec
from services.cli.redis_process import redis_spec
from services.rules import referee as rules
from services.rules import transitions
from services.rules.events import Player
from services.rules.hand import Hand, Seat
from services.rules.moves import MoveToColumn, PlayToFoundation, Recycle, Source, Turn
from services.rules.options import Options
from services.runtime import keys
from services.runtime.redis import connect
from tests.bench.recording import RecordingProxy, send_again
from tests.bench.results import Figure, Samples
from tests.bench.scripted_hand import Step, play

TABLES: Final = 100
SEATS: Final = 4
STEPS: Final = 60
ROUNDS: Final = 5
IN_ONE_MESSAGE: Final = 64

_SOURCES: Final = {
    Source.DEMON: common_pb2.SOURCE_DEMON,
    Source.WASTE: common_pb2.SOURCE_WASTE,
    Source.C0: common_pb2.SOURCE_COLUMN_0,
    Source.C1: common_pb2.SOURCE_COLUMN_1,
    Source.C2: common_pb2.SOURCE_COLUMN_2,
    Source.C3: common_pb2.SOURCE_COLUMN_3,
}


@dataclass(frozen=True, slots=True)
class Table:
    """One table's commands, ready to be sent, step by step, with the outcome that the rules foresee."""

    id: str
    steps: list[list[tuple[pb.Command, pb.Outcome.ValueType]]]


async def measure(say: Say) -> list[Figure]:
    """Five rounds, alternating with the yardstick."""
    with tempfile.TemporaryDirectory() as folder:
        port = Ports.free().redis
        redis = Process(redis_spec(Path(folder), port), say)
        Path(folder, "redis").mkdir()
        await redis.start()
        try:
            await redis.ready(10)
            return await _rounds(port, say)
        finally:
            await redis.stop(5)


async def _rounds(redis_port: int, say: Say) -> list[Figure]:
    async with _engine(redis_port, say) as stub:
        tables = await _prepare(stub, redis_port)
    state = await _dump(redis_port)
    async with RecordingProxy(redis_port) as proxy, _engine(proxy.port, say) as stub:
        proxy.recording = True
        await _drive(stub, tables)
        proxy.recording = False
    plays = sum(len(step) for table in tables for step in table.steps)
    say("b1", f"{plays} commands in {len(proxy.calls)} script calls")
    engine, alone = [], []
    for number in range(1, ROUNDS + 1):
        await _restore(redis_port, state)
        async with _engine(redis_port, say) as stub:
            engine.append(plays / await _drive(stub, tables))
        await _restore(redis_port, state)
        alone.append(plays / await asyncio.to_thread(send_again, redis_port, proxy.calls))
        say("b1", f"round {number}: {engine[-1]:,.0f} plays/s, yardstick {alone[-1]:,.0f}")
    ratios = tuple(e / a for e, a in zip(engine, alone, strict=True))
    what = f"referee: durable plays through one engine, {TABLES} tables x {SEATS}"
    return [Figure("B1", what, "plays/s", Samples(tuple(engine)), Samples(tuple(alone)), Samples(ratios), ">= 0.30")]


@asynccontextmanager
async def _engine(redis_port: int, say: Say) -> AsyncIterator[engine_pb2_grpc.EngineServiceAsyncStub]:
    """A fresh engine process on that Redis."""
    port = Ports.free().engines[0]
    env = {"REDIS_URL": f"redis://{LOOPBACK}:{redis_port}/0", "ENGINE_PORT": str(port), "LOG_LEVEL": "WARNING"}
    process = Process(Spec("engine", (sys.executable, "-m", "services.engine"), grpc_serves(port), env), say)
    await process.start()
    try:
        await process.ready(20)
        async with grpc.aio.insecure_channel(f"{LOOPBACK}:{port}") as channel:
            stub: engine_pb2_grpc.EngineServiceAsyncStub = engine_pb2_grpc.EngineServiceStub(channel)
            yield stub
    finally:
        await process.stop(10)


async def _prepare(stub: engine_pb2_grpc.EngineServiceAsyncStub, redis_port: int) -> list[Table]:
    """Deals a hand at every table, and plays each to its end on paper."""
    options = Options()
    names = [f"bench{i}" for i in range(TABLES)]
    players = [Player(f"p{seat}", f"Player {seat}", False, f"nonce{seat}") for seat in range(SEATS)]
    seats = [pb.DealSeat(player=p.player, name=p.name, bot=p.bot, nonce=p.nonce) for p in players]
    tables = []
    async with connect(f"redis://{LOOPBACK}:{redis_port}/0") as redis:
        for name in names:
            await stub.Prepare(pb.PrepareRequest(table=name, seats=SEATS, match=f"m-{name}", hand=1))
            epochs = [
                (await stub.Attach(pb.AttachRequest(table=name, seat=seat, after_n=0))).epoch for seat in range(SEATS)
            ]
            request = pb.DealRequest(
                table=name, match=f"m-{name}", hand=1, options_json=options.to_json(), seats=seats, countdown_ms=0
            )
            await stub.Deal(request)
            secret = await redis.hget(keys.hand(name), "secret")
            assert isinstance(secret, bytes)
            tables.append((name, _on_paper(name, secret.decode(), players, epochs, options)))
        async with asyncio.timeout(30):
            for name in names:
                while await redis.hget(keys.hand(name), "phase") != b"playing":
                    await asyncio.sleep(0.05)
    return [
        Table(name, _encoded(name, play(hand, epochs, random.Random(name), STEPS))) for name, (hand, epochs) in tables
    ]


def _on_paper(
    name: str, secret: str, players: list[Player], epochs: list[int], options: Options
) -> tuple[Hand, list[int]]:
    """The hand as the engine has it when it starts."""
    seats = [Seat(epoch=epoch) for epoch in epochs]
    hand, _ = transitions.prepare(seats, match=f"m-{name}", number=1, secret=secret, seq=0, now_ms=0)
    hand, _ = transitions.deal(hand, options=options, players=players, start_at=0, now_ms=0)
    hand, _ = transitions.start(hand, now_ms=0)
    return hand, epochs


def _encoded(table: str, steps: list[Step]) -> list[list[tuple[pb.Command, pb.Outcome.ValueType]]]:
    return [
        [(_command(table, s.command), pb.Outcome.Value(f"OUTCOME_{s.outcome.name}")) for s in step] for step in steps
    ]


def _command(table: str, command: rules.Command) -> pb.Command:
    c = command
    head = pb.Command(table=table, seat=c.seat, epoch=c.epoch, n=c.n, hand=c.hand, seen=c.seen)
    match c.action:
        case PlayToFoundation(source, card, foundation):
            head.play.CopyFrom(pb.PlayToFoundation(source=_SOURCES[source], card=card.text, foundation=foundation))
        case MoveToColumn(source, card, column):
            head.move.CopyFrom(pb.MoveToColumn(source=_SOURCES[source], card=card.text, column=column))
        case Turn(stock):
            head.turn.CopyFrom(pb.Turn(stock=stock))
        case Recycle():
            head.recycle.CopyFrom(pb.Recycle())
        case other:
            raise ValueError(f"not played here: {other}")
    return head


async def _drive(stub: engine_pb2_grpc.EngineServiceAsyncStub, tables: list[Table]) -> float:
    """Sends every step of every table, each when the verdicts on the one before are in; the seconds that took.

    Raises RuntimeError if a verdict is not the one that the rules foresaw.
    """
    waiting: dict[str, dict[tuple[int, int], pb.Outcome.ValueType]] = {table.id: {} for table in tables}
    rest = {table.id: iter(table.steps) for table in tables}
    stream = stub.PlayStream()
    started = time.perf_counter()
    open_tables = len(tables)
    due = [table.id for table in tables]
    while open_tables:
        commands = []
        now_ms = int(time.time() * 1000)
        for table in due:
            step = next(rest[table], None)
            if step is None:
                open_tables -= 1
                continue
            for command, outcome in step:
                command.arrived_ms = now_ms
                waiting[table][command.seat, command.n] = outcome
                commands.append(command)
        for i in range(0, len(commands), IN_ONE_MESSAGE):
            await stream.write(pb.PlayStreamRequest(commands=commands[i : i + IN_ONE_MESSAGE]))
        due = []
        if open_tables:
            answer = await stream.read()
            assert isinstance(answer, pb.PlayStreamResponse), "the engine ended the stream"
            for verdict in answer.verdicts:
                expected = waiting[verdict.table].pop((verdict.seat, verdict.n))
                if verdict.outcome != expected:
                    raise RuntimeError(f"not as foreseen ({pb.Outcome.Name(expected)}): {verdict}")
                if not waiting[verdict.table]:
                    due.append(verdict.table)
    seconds = time.perf_counter() - started
    await stream.done_writing()
    return seconds


async def _dump(redis_port: int) -> dict[bytes, bytes]:
    """Every key of this Redis, serialized."""
    async with connect(f"redis://{LOOPBACK}:{redis_port}/0") as redis:
        keys_found = await redis.keys()
        return {key: await redis.dump(key) or b"" for key in keys_found if isinstance(key, bytes)}


async def _restore(redis_port: int, state: dict[bytes, bytes]) -> None:
    """Nothing but ``state``."""
    async with connect(f"redis://{LOOPBACK}:{redis_port}/0") as redis:
        await redis.flushall()
        for key, value in state.items():
            await redis.restore(key, 0, value)
