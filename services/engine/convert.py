"""Protobuf messages to domain types and back, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from pandemonium.common.v1 import common_pb2
from pandemonium.engine.v1 import engine_pb2

from services.engine.judge import Answer
from services.engine.port import Command, Status
from services.rules.aces_up import moves as aces_up
from services.rules.cards import UnknownCard, card
from services.rules.events import Player
from services.rules.layout import COLUMNS
from services.rules.moves import Action, Call, Choice, MoveToColumn, PlayToFoundation, Recycle, Source, Turn, Vote
from services.runtime.errors import InvalidArgument

_Part = int | str | None
_Whole = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class _Packed(Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """One command of ``PlayStreamRequest.packed`` (engine.proto)."""

    table: str
    seat: _Whole
    epoch: _Whole
    n: _Whole
    hand: _Whole
    seen: _Whole
    arrived_ms: _Whole
    kind: _Whole
    a: _Whole | str | None = None
    b: _Whole | str | None = None
    c: _Whole | str | None = None


_pack: Final = msgspec.msgpack.Encoder().encode
_unpack: Final[Callable[[bytes], list[_Packed]]] = msgspec.msgpack.Decoder(list[_Packed]).decode

_PLAY: Final = engine_pb2.Command.PLAY_FIELD_NUMBER
_MOVE: Final = engine_pb2.Command.MOVE_FIELD_NUMBER
_TURN: Final = engine_pb2.Command.TURN_FIELD_NUMBER
_RECYCLE: Final = engine_pb2.Command.RECYCLE_FIELD_NUMBER
_CALL: Final = engine_pb2.Command.CALL_FIELD_NUMBER
_VOTE: Final = engine_pb2.Command.VOTE_FIELD_NUMBER
_ROW: Final = engine_pb2.Command.ROW_FIELD_NUMBER
_REMOVE: Final = engine_pb2.Command.REMOVE_FIELD_NUMBER
_FILL: Final = engine_pb2.Command.FILL_FIELD_NUMBER
_UNDO: Final = engine_pb2.Command.UNDO_FIELD_NUMBER
_REDO: Final = engine_pb2.Command.REDO_FIELD_NUMBER
_GIVE_UP: Final = engine_pb2.Command.GIVE_UP_FIELD_NUMBER
_SOURCES: Final[dict[_Part, Source]] = {
    common_pb2.SOURCE_DEMON: Source.DEMON,
    common_pb2.SOURCE_WASTE: Source.WASTE,
    common_pb2.SOURCE_COLUMN_0: Source.C0,
    common_pb2.SOURCE_COLUMN_1: Source.C1,
    common_pb2.SOURCE_COLUMN_2: Source.C2,
    common_pb2.SOURCE_COLUMN_3: Source.C3,
}
_CHOICES: Final[dict[_Part, Choice]] = {
    engine_pb2.CHOICE_SHIFT: Choice.SHIFT,
    engine_pb2.CHOICE_END: Choice.END,
    engine_pb2.CHOICE_WITHDRAW: Choice.WITHDRAW,
    engine_pb2.CHOICE_REPLAY: Choice.REPLAY,
}
_OUTCOMES: Final = {
    Status.APPLIED: engine_pb2.OUTCOME_APPLIED,
    Status.TIED: engine_pb2.OUTCOME_TIED,
    Status.LATE: engine_pb2.OUTCOME_RETURNED,
    Status.SEEN: engine_pb2.OUTCOME_RETURNED,
    Status.REFUSED: engine_pb2.OUTCOME_REFUSED,
    Status.OUT_OF_ORDER: engine_pb2.OUTCOME_OUT_OF_ORDER,
    Status.TAKEN_OVER: engine_pb2.OUTCOME_TAKEN_OVER,
    Status.SET_BACK: engine_pb2.OUTCOME_SET_BACK,
    Status.UNKNOWN: engine_pb2.OUTCOME_REFUSED,
    Status.UNAVAILABLE: engine_pb2.OUTCOME_UNAVAILABLE,
}


def command(message: engine_pb2.Command) -> Command:
    """What a seat asks for; an action that names no card or place is None."""
    return Command(
        message.table,
        message.seat,
        message.epoch,
        message.n,
        message.hand,
        message.seen,
        message.arrived_ms,
        _action(*_parts(message)),
    )


def commands(request: engine_pb2.PlayStreamRequest) -> list[Command]:
    """What seats ask for. Raises ``InvalidArgument`` for packed bytes that are no commands."""
    asked = [command(message) for message in request.commands]
    if request.packed:
        try:
            asked += [
                Command(
                    one.table,
                    one.seat,
                    one.epoch,
                    one.n,
                    one.hand,
                    one.seen,
                    one.arrived_ms,
                    _action(one.kind, one.a, one.b, one.c),
                )
                for one in _unpack(request.packed)
            ]
        except msgspec.DecodeError as error:
            raise InvalidArgument("BAD_PACKED", str(error)) from error
    return asked


def verdict(answer: Answer) -> engine_pb2.Verdict:
    """The answer to a command."""
    table, seat, n, outcome, frame = _fields(answer)
    return engine_pb2.Verdict(table=table, seat=seat, n=n, outcome=outcome, frame=frame)


def packed(answers: Sequence[Answer]) -> bytes:
    """The answers to commands (engine.proto, ``PlayStreamResponse.packed``)."""
    return _pack(list(map(_fields, answers)))


def _fields(answer: Answer) -> tuple[str, int, int, engine_pb2.Outcome.ValueType, bytes]:
    """The verdict. A table without a hand has not started one; the command's number is not used up."""
    asked, status, frame = answer
    if status is Status.UNKNOWN:
        frame = b'{"t":"verdict","n":%d,"v":"refused","why":"not_started"}' % asked.n
    return asked.table, asked.seat, asked.n, _OUTCOMES[status], frame


def players(seats: Sequence[engine_pb2.DealSeat]) -> list[Player]:
    """Who sits at a table, by seat."""
    return [Player(seat.player, seat.name, seat.bot, seat.nonce) for seat in seats]


def _parts(message: engine_pb2.Command) -> tuple[int | str | None, ...]:
    """The action as it is packed: its field's number and the fields of its message."""
    match message.WhichOneof("action"):
        case "play":
            play = message.play
            return _PLAY, play.source, play.card, play.foundation if play.HasField("foundation") else None
        case "move":
            return _MOVE, message.move.source, message.move.card, message.move.column
        case "turn":
            return _TURN, message.turn.stock
        case "recycle":
            return (_RECYCLE,)
        case "call":
            return (_CALL,)
        case "vote":
            return _VOTE, message.vote.choice, message.vote.progress
        case "row":
            return _ROW, message.row.stock
        case "remove":
            return _REMOVE, message.remove.pile, message.remove.card
        case "fill":
            return _FILL, message.fill.source, message.fill.card, message.fill.to
        case "undo":
            return (_UNDO,)
        case "redo":
            return (_REDO,)
        case "give_up":
            return (_GIVE_UP,)
        case _:
            return (0,)


@lru_cache(maxsize=16_384)
def _action(kind: _Part, a: _Part = None, b: _Part = None, c: _Part = None) -> Action | aces_up.Action | None:
    """The action, None if it names no card or place. Most are asked for again and again; each is made once."""
    try:
        return _ACTIONS[kind](a, b, c)
    except (KeyError, UnknownCard, TypeError):
        return None


def _play(source: _Part, name: _Part, foundation: _Part) -> PlayToFoundation:
    return PlayToFoundation(_SOURCES[source], card(_text(name)), None if foundation is None else _number(foundation))


def _move(source: _Part, name: _Part, column: _Part) -> MoveToColumn | None:
    column = _number(column)
    return MoveToColumn(_SOURCES[source], card(_text(name)), column) if column < COLUMNS else None


def _number(part: _Part) -> int:
    if not isinstance(part, int):
        raise TypeError(part)
    return part


def _text(part: _Part) -> str:
    if not isinstance(part, str):
        raise TypeError(part)
    return part


_ACTIONS: Final[dict[_Part, Callable[[_Part, _Part, _Part], Action | aces_up.Action | None]]] = {
    _PLAY: _play,
    _MOVE: _move,
    _TURN: lambda stock, _b, _c: Turn(_number(stock)),
    _RECYCLE: lambda _a, _b, _c: Recycle(),
    _CALL: lambda _a, _b, _c: Call(),
    _VOTE: lambda choice, progress, _c: Vote(_CHOICES[choice], _number(progress)),
    _ROW: lambda stock, _b, _c: aces_up.Row(_number(stock)),
    _REMOVE: lambda pile, name, _c: aces_up.Remove(_number(pile), card(_text(name))),
    _FILL: lambda source, name, to: aces_up.Fill(_number(source), card(_text(name)), _number(to)),
    _UNDO: lambda _a, _b, _c: aces_up.Undo(),
    _REDO: lambda _a, _b, _c: aces_up.Redo(),
    _GIVE_UP: lambda _a, _b, _c: aces_up.GiveUp(),
}
