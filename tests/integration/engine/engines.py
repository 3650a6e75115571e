"""Whole engines in the test's process, on the test's Redis, asked by gRPC."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import grpc
from pandemonium.common.v1 import common_pb2
from pandemonium.engine.v1 import engine_pb2 as pb
from pandemonium.engine.v1 import engine_pb2_grpc
from redis.asyncio import Redis

from services.engine.build import build
from services.engine.redis_referee import SOURCE, RedisReferee
from services.engine.redis_wire import PlainRedis, ScriptCalls
from services.engine.settings import EngineSettings
from services.rules.aces_up import moves as aces_up
from services.rules.moves import (
    COLUMN,
    Call,
    Choice,
    MoveToColumn,
    PlayToFoundation,
    Recycle,
    Source,
    Turn,
    Vote,
)
from services.rules.rulebook import AnyAction
from services.runtime import keys
from services.runtime.serve import serving

Stub: TypeAlias = "engine_pb2_grpc.EngineServiceAsyncStub"  # only its type stub has it

_SOURCES = {
    Source.DEMON: common_pb2.SOURCE_DEMON,
    Source.WASTE: common_pb2.SOURCE_WASTE,
    **{source: common_pb2.Source.Value(f"SOURCE_COLUMN_{i}") for i, source in enumerate(COLUMN)},
}
_CHOICES = {choice: pb.Choice.Value(f"CHOICE_{choice.name}") for choice in Choice}


@asynccontextmanager
async def engine(redis_url: str) -> AsyncIterator[Stub]:
    """One engine with timers of its own."""
    settings = EngineSettings(redis_url=redis_url, port=0, metrics_port=0, stop_seconds=4)
    async with serving(settings, build) as served, grpc.aio.insecure_channel(f"127.0.0.1:{served.port}") as channel:
        stub: Stub = engine_pb2_grpc.EngineServiceStub(channel)
        yield stub


@asynccontextmanager
async def referee(redis_url: str) -> AsyncIterator[RedisReferee]:
    """The script itself, to see what is hidden."""
    plain = PlainRedis(redis_url)
    yield RedisReferee(ScriptCalls(plain, SOURCE))
    plain.close()


async def dealt(
    stub: Stub, table: str = "t", *, seats: int = 2, hand: int = 1, countdown_ms: int = 0, options: str = ""
) -> list[int]:
    """Prepares and deals a hand and attaches every seat; their epochs."""
    await stub.Prepare(pb.PrepareRequest(table=table, seats=seats, match="m", hand=hand))
    players = [pb.DealSeat(player=f"p{s}", name=f"Player {s}", nonce=f"nonce {s}") for s in range(seats)]
    await stub.Deal(
        pb.DealRequest(
            table=table, match="m", hand=hand, options_json=options, seats=players, countdown_ms=countdown_ms
        )
    )
    return [(await stub.Attach(pb.AttachRequest(table=table, seat=seat))).epoch for seat in range(seats)]


async def until(stub: Stub, event: str, table: str = "t", after: int = 0) -> list[dict[str, Any]]:
    """The table's events up to the first one of that kind; waits for it."""
    events = []
    watching = stub.Watch(pb.WatchRequest(table=table, after_seq=after), timeout=30)
    async for sight in watching:
        events.append(json.loads(sight.frame))
        if events[-1].get("e") == event:
            break
    watching.cancel()
    return events


async def log_of(redis: Redis, table: str = "t") -> list[bytes]:
    """The events that are kept of a table."""
    entries: Any = await redis.xrange(keys.log(table))
    return [entry[b"e"] for _, entry in entries]


def command(
    n: int, action: AnyAction, *, table: str = "t", seat: int = 0, epoch: int = 1, hand: int = 1, seen: int = 3
) -> pb.Command:
    """A seat's command, arriving now."""
    message = pb.Command(
        table=table, seat=seat, epoch=epoch, n=n, hand=hand, seen=seen, arrived_ms=int(time.time() * 1000)
    )
    match action:
        case PlayToFoundation(source, card, foundation):
            message.play.CopyFrom(pb.PlayToFoundation(source=_SOURCES[source], card=card.text, foundation=foundation))
        case MoveToColumn(source, card, column):
            message.move.CopyFrom(pb.MoveToColumn(source=_SOURCES[source], card=card.text, column=column))
        case Turn(stock):
            message.turn.CopyFrom(pb.Turn(stock=stock))
        case Recycle():
            message.recycle.CopyFrom(pb.Recycle())
        case Call():
            message.call.CopyFrom(pb.Call())
        case Vote(choice, progress):
            message.vote.CopyFrom(pb.Vote(choice=_CHOICES[choice], progress=progress))
        case aces_up.Row(stock):
            message.row.CopyFrom(pb.AcesUpRow(stock=stock))
        case aces_up.Remove(pile, card):
            message.remove.CopyFrom(pb.AcesUpRemove(pile=pile, card=card.text))
        case aces_up.Fill(pile, card, gap):
            message.fill.CopyFrom(pb.AcesUpFill(source=pile, card=card.text, to=gap))
        case aces_up.Undo():
            message.undo.CopyFrom(pb.AcesUpUndo())
        case aces_up.Redo():
            message.redo.CopyFrom(pb.AcesUpRedo())
        case aces_up.GiveUp():
            message.give_up.CopyFrom(pb.AcesUpGiveUp())
    return message


async def verdicts(stub: Stub, commands: Sequence[pb.Command]) -> list[pb.Verdict]:
    """The verdicts on commands sent in one message, in the order in which they come."""
    stream = stub.PlayStream()
    await stream.write(pb.PlayStreamRequest(commands=commands))
    await stream.done_writing()
    found: list[pb.Verdict] = []
    async for response in stream:
        found.extend(response.verdicts)
    return found
