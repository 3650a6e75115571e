"""Every command of the edge is the engine's command when it comes out at the other end, and so is every verdict."""

from __future__ import annotations

import msgspec
import pytest
from pandemonium.engine.v1 import engine_pb2

from services.engine import convert as engine
from services.engine.judge import Answer
from services.engine.port import Command as EngineCommand
from services.engine.port import Status
from services.gateway import convert, frames
from services.gateway.commands import Command, Outcome, Verdict
from services.rules.aces_up import moves as aces_up
from services.rules.cards import card
from services.rules.moves import Call, Choice, MoveToColumn, PlayToFoundation, Recycle, Source, Turn, Vote
from services.runtime.errors import InvalidArgument, Unavailable

HEAD = '"n":1,"hand":1,"seen":0'


def sent(raw: str) -> EngineCommand:
    """What the engine gets of a frame."""
    frame = frames.decode(raw)
    assert isinstance(frame, frames.SeatCommand)
    packed = convert.packed([Command("t1", 2, 9, 130, 5000, frame)])
    over_the_wire = engine_pb2.PlayStreamRequest(packed=packed).SerializeToString()
    (command,) = engine.commands(engine_pb2.PlayStreamRequest.FromString(over_the_wire))
    return command


def test_what_the_edge_vouches_for_goes_with_every_command() -> None:
    assert sent('{"t":"call","n":7,"hand":3,"seen":131}') == EngineCommand("t1", 2, 9, 7, 3, 130, 5000, Call())


@pytest.mark.parametrize(
    ("raw", "action"),
    [
        ('{"t":"play",%s,"from":"demon","card":"AS","to":null}', PlayToFoundation(Source.DEMON, card("AS"))),
        ('{"t":"play",%s,"from":"c3","card":"2S","to":0}', PlayToFoundation(Source.C3, card("2S"), 0)),
        ('{"t":"move",%s,"from":"c1","card":"AS","to":"c0"}', MoveToColumn(Source.C1, card("AS"), 0)),
        ('{"t":"move",%s,"from":"waste","card":"TD","to":"c3"}', MoveToColumn(Source.WASTE, card("TD"), 3)),
        ('{"t":"turn",%s,"stock":0}', Turn(0)),
        ('{"t":"recycle",%s}', Recycle()),
        ('{"t":"call",%s}', Call()),
        ('{"t":"vote",%s,"choice":"withdraw","progress":0}', Vote(Choice.WITHDRAW, 0)),
        ('{"t":"vote",%s,"choice":"replay","progress":9}', Vote(Choice.REPLAY, 9)),
        ('{"t":"row",%s,"stock":48}', aces_up.Row(48)),
        ('{"t":"remove",%s,"pile":0,"card":"2C"}', aces_up.Remove(0, card("2C"))),
        ('{"t":"fill",%s,"from":3,"card":"KH","to":0}', aces_up.Fill(3, card("KH"), 0)),
        ('{"t":"undo",%s}', aces_up.Undo()),
        ('{"t":"redo",%s}', aces_up.Redo()),
        ('{"t":"give_up",%s}', aces_up.GiveUp()),
    ],
)
def test_each_frame_is_its_action(raw: str, action: object) -> None:
    assert sent(raw % HEAD).action == action


@pytest.mark.parametrize(
    "action",
    [
        [],
        [99],
        [8, 0, "AS"],
        [8, 1, "1S"],
        [8, 1, 7],
        [8, "demon", "AS"],
        [8, 1, "AS", "0"],
        [9, 1, "AS", 4],
        [10],
        [10, "35"],
        [13, 9, 0],
        [15, 0, None],
    ],
    ids=str,
)
def test_an_action_that_names_nothing_is_none(action: list[object]) -> None:
    if not action:
        action = [0]
    packed = msgspec.msgpack.encode([["t", 0, 1, 2, 3, 4, 5, *action]])
    (command,) = engine.commands(engine_pb2.PlayStreamRequest(packed=packed))
    assert command.action is None


@pytest.mark.parametrize(
    "packed",
    [
        b"\xff",
        b"\x92",
        msgspec.msgpack.encode({"table": "t"}),
        msgspec.msgpack.encode([["t", 0, 1, 2, 3, 4, 5]]),
        msgspec.msgpack.encode([["t", -1, 1, 2, 3, 4, 5, 12]]),
        msgspec.msgpack.encode([["t", 0, 1, 2, 3, 4, 5, 12, 1.5]]),
        msgspec.msgpack.encode([["t", 0, 1, 2, 3, 4, 5, 12, 1, 2, 3, 4]]),
        msgspec.msgpack.encode([[b"t", 0, 1, 2, 3, 4, 5, 12]]),
    ],
)
def test_bytes_that_are_no_commands_are_refused(packed: bytes) -> None:
    with pytest.raises(InvalidArgument) as refused:
        engine.commands(engine_pb2.PlayStreamRequest(packed=packed))
    assert refused.value.reason == "BAD_PACKED"


def test_a_verdict_comes_back_as_it_was_given() -> None:
    asked = EngineCommand("t", 2, 3, 4, 5, 6, 7, Call())
    packed = engine.packed([Answer(asked, Status.LATE, b"frame"), Answer(asked, Status.UNAVAILABLE, b"")])
    assert convert.verdicts(engine_pb2.PlayStreamResponse(packed=packed)) == [
        Verdict("t", 2, 4, Outcome.RETURNED, b"frame"),
        Verdict("t", 2, 4, Outcome.UNAVAILABLE, b""),
    ]


def test_an_engine_whose_verdicts_cannot_be_read_is_none_that_answers() -> None:
    with pytest.raises(Unavailable):
        convert.verdicts(engine_pb2.PlayStreamResponse(packed=b"\xff"))


def test_outcomes_are_the_contracts() -> None:
    assert {f"OUTCOME_{outcome.name}": outcome.value for outcome in Outcome} == dict(engine_pb2.Outcome.items())
