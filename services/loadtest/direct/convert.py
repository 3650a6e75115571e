"""The SDK's frames to messages of engine and lobby and back, nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from pandemonium.common.v1 import common_pb2
from pandemonium.engine.v1 import engine_pb2
from pandemonium.lobby.v1 import lobby_pb2

from services.client.models import Table, TableSeat, TableState
from services.loadtest.check_actions import asked
from services.rules.moves import Call, Choice, MoveToColumn, PlayToFoundation, Recycle, Source, Turn, Vote
from services.runtime.errors import Unavailable

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


class Verdict(msgspec.Struct, frozen=True, array_like=True):
    """The engine's answer to the oldest unanswered command of a seat."""

    table: str
    seat: int
    n: int
    outcome: int
    frame: bytes

    @property
    def unavailable(self) -> bool:
        """Whether the log could not be reached: it is unknown whether the command counts."""
        return self.outcome == engine_pb2.OUTCOME_UNAVAILABLE


_Command: Final = engine_pb2.Command
_head: Final = msgspec.json.Decoder(_Head)
_pack: Final = msgspec.msgpack.Encoder().encode
_verdicts: Final = msgspec.msgpack.Decoder(list[Verdict]).decode


def command(frame: bytes, table: str, seat: int, epoch: int, arrived_ms: int) -> tuple[str | int | None, ...]:
    """The command of a seat's frame, as it is packed (engine.proto). Raises ValueError if no race has it."""
    said = _head.decode(frame)
    head = (table, seat, epoch, said.n, said.hand, said.seen, arrived_ms)
    match asked(frame):
        case PlayToFoundation(source, card, foundation):
            return (*head, _Command.PLAY_FIELD_NUMBER, _SOURCES[source], card.text, foundation)
        case MoveToColumn(source, card, column):
            return (*head, _Command.MOVE_FIELD_NUMBER, _SOURCES[source], card.text, column)
        case Turn(stock):
            return (*head, _Command.TURN_FIELD_NUMBER, stock)
        case Recycle():
            return (*head, _Command.RECYCLE_FIELD_NUMBER)
        case Call():
            return (*head, _Command.CALL_FIELD_NUMBER)
        case Vote(choice, progress):
            return (*head, _Command.VOTE_FIELD_NUMBER, _CHOICES[choice], progress)
        case other:
            raise ValueError(f"no command of a race: {other}")


def packed(commands: Sequence[tuple[str | int | None, ...]]) -> bytes:
    """What one message of the stream holds."""
    return _pack(commands)


def verdicts(message: bytes) -> list[Verdict]:
    """The verdicts of one message. Raises ``Unavailable`` for bytes that are none."""
    try:
        return _verdicts(message)
    except msgspec.DecodeError as error:
        raise Unavailable("UNAVAILABLE", f"the engine's verdicts can't be read: {error}") from error


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
