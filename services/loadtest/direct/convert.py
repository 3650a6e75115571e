"""The SDK's frames to protobuf messages and back, nothing else."""

from __future__ import annotations

from typing import Final

import msgspec
from pandemonium.common.v1 import common_pb2
from pandemonium.engine.v1 import engine_pb2
from pandemonium.lobby.v1 import lobby_pb2

from services.client.models import Table, TableSeat, TableState
from services.loadtest.check_actions import asked
from services.rules.moves import Call, Choice, MoveToColumn, PlayToFoundation, Recycle, Source, Turn, Vote

_SOURCES: Final = {
    Source.DEMON: common_pb2.SOURCE_DEMON,
    Source.WASTE: common_pb2.SOURCE_WASTE,
    Source.C0: common_pb2.SOURCE_COLUMN_0,
    Source.C1: common_pb2.SOURCE_COLUMN_1,
    Source.C2: common_pb2.SOURCE_COLUMN_2,
    Source.C3: common_pb2.SOURCE_COLUMN_3,
}
_CHOICES: Final = {
    Choice.SHIFT: engine_pb2.CHOICE_SHIFT,
    Choice.END: engine_pb2.CHOICE_END,
    Choice.WITHDRAW: engine_pb2.CHOICE_WITHDRAW,
    Choice.REPLAY: engine_pb2.CHOICE_REPLAY,
}
_STATES: Final = {
    lobby_pb2.TABLE_STATE_OPEN: TableState.OPEN,
    lobby_pb2.TABLE_STATE_PLAYING: TableState.PLAYING,
    lobby_pb2.TABLE_STATE_BETWEEN: TableState.BETWEEN,
    lobby_pb2.TABLE_STATE_ENDED: TableState.ENDED,
    lobby_pb2.TABLE_STATE_CLOSED: TableState.CLOSED,
}


class _Head(msgspec.Struct):
    n: int
    hand: int
    seen: int


_head: Final = msgspec.json.Decoder(_Head)


def command(frame: bytes, table: str, seat: int, epoch: int, arrived_ms: int) -> engine_pb2.Command:
    """The command of a seat's frame. Raises ValueError if it is none that a race has."""
    head = _head.decode(frame)
    message = engine_pb2.Command(
        table=table, seat=seat, epoch=epoch, n=head.n, hand=head.hand, seen=head.seen, arrived_ms=arrived_ms
    )
    match asked(frame):
        case PlayToFoundation(source, card, foundation):
            play = message.play
            play.source, play.card = _SOURCES[source], card.text
            if foundation is not None:
                play.foundation = foundation
        case MoveToColumn(source, card, column):
            move = message.move
            move.source, move.card, move.column = _SOURCES[source], card.text, column
        case Turn(stock):
            # A stock of 0 is the field's default: setting it marks the action as present all the same.
            message.turn.SetInParent()
            message.turn.stock = stock
        case Recycle():
            message.recycle.SetInParent()
        case Call():
            message.call.SetInParent()
        case Vote(choice, progress):
            message.vote.choice, message.vote.progress = _CHOICES[choice], progress
        case other:
            raise ValueError(f"no command of a race: {other}")
    return message


def table(given: lobby_pb2.Table) -> Table:
    """A table, as far as a seat of the load looks at it."""
    return Table(
        id=given.id,
        version=given.version,
        state=_STATES[given.state],
        seats=tuple(
            TableSeat(index=seat.index, player=seat.player, name=seat.name, ready=seat.ready, present=seat.present)
            for seat in given.seats
        ),
        match=given.match,
        hand=given.hand,
        commitment=given.commitment,
    )
