"""A hint as the edge tells it: the frame is one that the edge would take."""

from __future__ import annotations

import json

import pytest

from services.gateway.frames import decode
from services.gateway.rest_hints import frame, told
from services.rules.cards import card
from services.rules.moves import Action, Call, Choice, MoveToColumn, PlayToFoundation, Recycle, Source, Turn, Vote
from services.rules.view import TableView
from tests.unit.bots.positions import NOTHING, table


@pytest.mark.parametrize(
    "action",
    [
        PlayToFoundation(Source.DEMON, card("4S")),
        PlayToFoundation(Source.C2, card("4S"), 3),
        MoveToColumn(Source.WASTE, card("4S"), 1),
        Turn(32),
        Recycle(),
        Call(),
        Vote(Choice.SHIFT, 7),
    ],
)
def test_the_action_is_a_frame_that_lacks_only_its_numbers(action: Action) -> None:
    whole = json.dumps(frame(action) | {"n": 1, "hand": 1, "seen": 9}).encode()
    assert getattr(decode(whole), "n", None) == 1


def test_a_hint_names_the_event_that_it_has_seen_and_speaks_the_table_s_words() -> None:
    seen = table("9C4S|5S|KH|QC|8D||", NOTHING, foundations="S3")
    assert told(seen, 0).model_dump() == {
        "seq": 100,
        "key": "hint.demon_to_foundation",
        "args": {"card": "4S", "foundation": 0},
        "text": "Put the 4♠ from your demon on foundation 1.",
        "action": {"t": "play", "from": "demon", "card": "4S", "to": None},
        "wins": False,
    }


def test_before_the_first_hand_there_is_nothing_to_do() -> None:
    asked = told(TableView(), 1)
    assert (asked.seq, asked.key, asked.action) == (0, "hint.not_playing", None)
