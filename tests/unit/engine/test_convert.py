from __future__ import annotations

import pytest
from pandemonium.common.v1 import common_pb2
from pandemonium.engine.v1 import engine_pb2 as pb

from services.engine import convert
from services.engine.judge import Answer
from services.engine.port import Command, Status
from services.rules.cards import card
from services.rules.moves import (
    Action,
    Call,
    Choice,
    MoveToColumn,
    PlayToFoundation,
    Recycle,
    Source,
    Turn,
    Vote,
)

ACTIONS: list[tuple[pb.Command, Action | None]] = [
    (
        pb.Command(play=pb.PlayToFoundation(source=common_pb2.SOURCE_DEMON, card="AS")),
        PlayToFoundation(Source.DEMON, card("AS")),
    ),
    (
        pb.Command(play=pb.PlayToFoundation(source=common_pb2.SOURCE_COLUMN_3, card="TD", foundation=0)),
        PlayToFoundation(Source.C3, card("TD"), 0),
    ),
    (
        pb.Command(move=pb.MoveToColumn(source=common_pb2.SOURCE_WASTE, card="9H", column=3)),
        MoveToColumn(Source.WASTE, card("9H"), 3),
    ),
    (pb.Command(turn=pb.Turn(stock=32)), Turn(32)),
    (pb.Command(recycle=pb.Recycle()), Recycle()),
    (pb.Command(call=pb.Call()), Call()),
    (pb.Command(vote=pb.Vote(choice=pb.CHOICE_WITHDRAW, progress=17)), Vote(Choice.WITHDRAW, 17)),
    (pb.Command(), None),
    (pb.Command(play=pb.PlayToFoundation(source=common_pb2.SOURCE_DEMON, card="1S")), None),
    (pb.Command(play=pb.PlayToFoundation(card="AS")), None),
    (pb.Command(move=pb.MoveToColumn(source=common_pb2.SOURCE_WASTE, card="9H", column=4)), None),
    (pb.Command(vote=pb.Vote(progress=17)), None),
]


@pytest.mark.parametrize(("message", "action"), ACTIONS, ids=lambda value: str(value).replace("\n", " "))
def test_an_action_is_read_and_one_that_names_nothing_is_none(message: pb.Command, action: Action | None) -> None:
    assert convert.command(message).action == action


def test_who_when_and_what_was_seen_are_taken_as_the_edge_says() -> None:
    message = pb.Command(table="t", seat=2, epoch=3, n=4, hand=5, seen=6, arrived_ms=7, call=pb.Call())

    assert convert.command(message) == Command("t", 2, 3, 4, 5, 6, 7, Call())


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.STALE])
def test_every_status_has_an_outcome(status: Status) -> None:
    asked = Command("t", 2, 3, 4, 5, 6, 7, Call())

    verdict = convert.verdict(Answer(asked, status, b"frame"))

    assert (verdict.table, verdict.seat, verdict.n) == ("t", 2, 4)
    assert verdict.outcome != pb.OUTCOME_UNSPECIFIED


def test_at_a_table_without_a_hand_nothing_has_started() -> None:
    verdict = convert.verdict(Answer(Command("t", 2, 3, 4, 5, 6, 7, Call()), Status.UNKNOWN, b""))

    assert verdict.outcome == pb.OUTCOME_REFUSED
    assert verdict.frame == b'{"t":"verdict","n":4,"v":"refused","why":"not_started"}'
