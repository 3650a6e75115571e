"""What the SDK's frames become for the engine: the action that they ask for, and nothing left out."""

from __future__ import annotations

import pytest
from pandemonium.common.v1 import common_pb2
from pandemonium.engine.v1 import engine_pb2
from pandemonium.lobby.v1 import lobby_pb2

from services.client import frames
from services.client.models import TableState
from services.loadtest.direct import convert
from services.rules.aces_up.moves import Undo
from services.rules.cards import card
from services.rules.moves import (
    COLUMN,
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

C = engine_pb2.Command


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (
            PlayToFoundation(Source.DEMON, card("KD"), None),
            C(play=engine_pb2.PlayToFoundation(source=common_pb2.SOURCE_DEMON, card="KD")),
        ),
        (
            PlayToFoundation(Source.WASTE, card("2S"), 0),
            C(play=engine_pb2.PlayToFoundation(source=common_pb2.SOURCE_WASTE, card="2S", foundation=0)),
        ),
        (
            MoveToColumn(COLUMN[1], card("9H"), 3),
            C(move=engine_pb2.MoveToColumn(source=common_pb2.SOURCE_COLUMN_1, card="9H", column=3)),
        ),
        (Turn(0), C(turn=engine_pb2.Turn())),
        (Turn(17), C(turn=engine_pb2.Turn(stock=17))),
        (Recycle(), C(recycle=engine_pb2.Recycle())),
        (Call(), C(call=engine_pb2.Call())),
        (Vote(Choice.END, 5), C(vote=engine_pb2.Vote(choice=engine_pb2.CHOICE_END, progress=5))),
    ],
    ids=str,
)
def test_a_frame_becomes_the_command_that_it_asks_for(action: Action, message: engine_pb2.Command) -> None:
    made = convert.command(frames.command(9, 2, 40, action), "t", 3, 4, 1000)
    message.MergeFrom(C(table="t", seat=3, epoch=4, n=9, hand=2, seen=40, arrived_ms=1000))
    assert made == message


def test_what_no_race_has_is_refused() -> None:
    with pytest.raises(ValueError, match="no command of a race"):
        convert.command(frames.command(1, 1, 1, Undo()), "t", 0, 1, 0)


def test_a_table_says_whom_its_next_hand_waits_for() -> None:
    seats = [lobby_pb2.Seat(index=0, player="p0", ready=True), lobby_pb2.Seat(index=1, player="p1")]
    told = convert.table(
        lobby_pb2.Table(id="t", version=4, state=lobby_pb2.TABLE_STATE_OPEN, commitment="66", seats=seats)
    )
    assert (told.id, told.version, told.state) == ("t", 4, TableState.OPEN)
    assert [told.awaits(seat) for seat in (0, 1)] == [False, True]
