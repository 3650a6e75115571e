"""What the SDK's frames become for the engine: the action that they ask for, and nothing left out."""

from __future__ import annotations

import msgspec
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
from services.runtime.errors import Unavailable

_C = engine_pb2.Command


@pytest.mark.parametrize(
    ("action", "packed"),
    [
        (
            PlayToFoundation(Source.DEMON, card("KD"), None),
            (_C.PLAY_FIELD_NUMBER, common_pb2.SOURCE_DEMON, "KD", None),
        ),
        (PlayToFoundation(Source.WASTE, card("2S"), 0), (_C.PLAY_FIELD_NUMBER, common_pb2.SOURCE_WASTE, "2S", 0)),
        (MoveToColumn(COLUMN[1], card("9H"), 3), (_C.MOVE_FIELD_NUMBER, common_pb2.SOURCE_COLUMN_1, "9H", 3)),
        (Turn(0), (_C.TURN_FIELD_NUMBER, 0)),
        (Turn(17), (_C.TURN_FIELD_NUMBER, 17)),
        (Recycle(), (_C.RECYCLE_FIELD_NUMBER,)),
        (Call(), (_C.CALL_FIELD_NUMBER,)),
        (Vote(Choice.END, 5), (_C.VOTE_FIELD_NUMBER, engine_pb2.CHOICE_END, 5)),
    ],
    ids=str,
)
def test_a_frame_becomes_the_command_that_it_asks_for(action: Action, packed: tuple[str | int | None, ...]) -> None:
    made = convert.command(frames.command(9, 2, 40, "d40", action), "t", 3, 4, 1000)
    assert made == ("t", 3, 4, 9, 2, 40, 1000, *packed)
    assert msgspec.msgpack.decode(convert.packed([made])) == [list(made)]


def test_verdicts_are_read_as_the_engine_packs_them_and_other_bytes_break_the_stream() -> None:
    told = msgspec.msgpack.encode([("t", 3, 9, engine_pb2.OUTCOME_UNAVAILABLE, b"{}")])
    (verdict,) = convert.verdicts(told)
    assert (verdict.table, verdict.seat, verdict.n, verdict.frame, verdict.unavailable) == ("t", 3, 9, b"{}", True)
    with pytest.raises(Unavailable):
        convert.verdicts(b"")


def test_what_no_race_has_is_refused() -> None:
    with pytest.raises(ValueError, match="no command of a race"):
        convert.command(frames.command(1, 1, 1, "d1", Undo()), "t", 0, 1, 0)


def test_a_table_says_whom_its_next_hand_waits_for() -> None:
    seats = [lobby_pb2.Seat(index=0, player="p0", ready=True), lobby_pb2.Seat(index=1, player="p1")]
    told = convert.table(
        lobby_pb2.Table(id="t", version=4, state=lobby_pb2.TABLE_STATE_OPEN, commitment="66", seats=seats)
    )
    assert (told.id, told.version, told.state) == ("t", 4, TableState.OPEN)
    assert [told.awaits(seat) for seat in (0, 1)] == [False, True]
