"""Protobuf messages to domain types and back, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pandemonium.common.v1 import common_pb2
from pandemonium.engine.v1 import engine_pb2

from services.engine.judge import Answer
from services.engine.port import Command, Status
from services.rules.aces_up import moves as aces_up
from services.rules.cards import UnknownCard, card
from services.rules.events import Player
from services.rules.layout import COLUMNS
from services.rules.moves import Action, Call, Choice, MoveToColumn, PlayToFoundation, Recycle, Source, Turn, Vote

_SOURCES: Final = {
    common_pb2.SOURCE_DEMON: Source.DEMON,
    common_pb2.SOURCE_WASTE: Source.WASTE,
    common_pb2.SOURCE_COLUMN_0: Source.C0,
    common_pb2.SOURCE_COLUMN_1: Source.C1,
    common_pb2.SOURCE_COLUMN_2: Source.C2,
    common_pb2.SOURCE_COLUMN_3: Source.C3,
}
_CHOICES: Final = {
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
        _action(message),
    )


def verdict(answer: Answer) -> engine_pb2.Verdict:
    """The answer to a command. A table without a hand has not started one; the command's number is not used up."""
    asked, status, frame = answer
    if status is Status.UNKNOWN:
        frame = b'{"t":"verdict","n":%d,"v":"refused","why":"not_started"}' % asked.n
    return engine_pb2.Verdict(table=asked.table, seat=asked.seat, n=asked.n, outcome=_OUTCOMES[status], frame=frame)


def players(seats: Sequence[engine_pb2.DealSeat]) -> list[Player]:
    """Who sits at a table, by seat."""
    return [Player(seat.player, seat.name, seat.bot, seat.nonce) for seat in seats]


def _action(message: engine_pb2.Command) -> Action | aces_up.Action | None:
    try:
        match message.WhichOneof("action"):
            case "play":
                play = message.play
                target = play.foundation if play.HasField("foundation") else None
                return PlayToFoundation(_SOURCES[play.source], card(play.card), target)
            case "move":
                move = message.move
                if move.column >= COLUMNS:
                    return None
                return MoveToColumn(_SOURCES[move.source], card(move.card), move.column)
            case "turn":
                return Turn(message.turn.stock)
            case "recycle":
                return Recycle()
            case "call":
                return Call()
            case "vote":
                return Vote(_CHOICES[message.vote.choice], message.vote.progress)
            case "row":
                return aces_up.Row(message.row.stock)
            case "remove":
                return aces_up.Remove(message.remove.pile, card(message.remove.card))
            case "fill":
                fill = message.fill
                return aces_up.Fill(fill.source, card(fill.card), fill.to)
            case "undo":
                return aces_up.Undo()
            case "redo":
                return aces_up.Redo()
            case "give_up":
                return aces_up.GiveUp()
            case _:
                return None
    except (KeyError, UnknownCard):
        return None
