"""Every command of the wire is the engine's command, and every outcome is known."""

from __future__ import annotations

import pytest
from pandemonium.engine.v1 import engine_pb2

from services.gateway import convert, frames
from services.gateway.commands import Command, Outcome


def sent(raw: str) -> engine_pb2.Command:
    frame = frames.decode(raw)
    assert isinstance(frame, frames.SeatCommand)
    # Over the wire and back: a field that is not there after that was never there.
    return engine_pb2.Command.FromString(convert.command(Command("t1", 2, 9, 130, 5000, frame)).SerializeToString())


def test_what_the_edge_vouches_for_goes_with_every_command() -> None:
    message = sent('{"t":"call","n":7,"hand":3,"seen":131}')
    assert (message.table, message.seat, message.epoch, message.n, message.hand) == ("t1", 2, 9, 7, 3)
    assert (message.seen, message.arrived_ms) == (130, 5000)


@pytest.mark.parametrize(
    ("raw", "action"),
    [
        ('{"t":"play","n":1,"hand":1,"seen":0,"from":"demon","card":"AS","to":null}', "play"),
        ('{"t":"move","n":1,"hand":1,"seen":0,"from":"c1","card":"AS","to":"c0"}', "move"),
        ('{"t":"turn","n":1,"hand":1,"seen":0,"stock":0}', "turn"),
        ('{"t":"recycle","n":1,"hand":1,"seen":0}', "recycle"),
        ('{"t":"call","n":1,"hand":1,"seen":0}', "call"),
        ('{"t":"vote","n":1,"hand":1,"seen":0,"choice":"withdraw","progress":0}', "vote"),
    ],
)
def test_each_frame_is_its_action(raw: str, action: str) -> None:
    assert sent(raw).WhichOneof("action") == action


def test_foundation_0_is_not_any_foundation() -> None:
    play = '{"t":"play","n":1,"hand":1,"seen":0,"from":"c3","card":"2S","to":%s}'
    assert sent(play % "0").play.HasField("foundation")
    assert not sent(play % "null").play.HasField("foundation")


def test_outcomes_are_the_contracts() -> None:
    assert {f"OUTCOME_{outcome.name}": outcome.value for outcome in Outcome} == dict(engine_pb2.Outcome.items())
