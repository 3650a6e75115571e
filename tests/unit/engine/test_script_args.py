from __future__ import annotations

import re

import pytest

from services.engine.layouts import Belief, judge
from services.engine.port import Command
from services.engine.redis_referee import SOURCE
from services.engine.script_args import FIELDS, arguments
from services.rules.cards import card
from services.rules.layout import Layout
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
from services.rules.options import RACING_DEMON

LAYOUT = Layout.decode("5C4D|AS|9H|TS|2S|3C4C5S|")


def of(action: Action | None, layout: Layout = LAYOUT) -> tuple[str, ...]:
    believed = Belief(layout.encode(), layout, RACING_DEMON)
    judged, _ = judge(Command("t", 2, 5, 7, 3, 40, 1_700_000_000_123, action), believed)
    return arguments(judged)


ACTIONS: list[Action | None] = [
    PlayToFoundation(Source.C0, card("AS")),
    PlayToFoundation(Source.DEMON, card("4D"), 3),
    MoveToColumn(Source.C1, card("9H"), 2),
    Turn(3),
    Recycle(),
    Call(),
    Vote(Choice.END, 17),
    None,
]


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_every_command_has_the_number_of_arguments_that_the_script_counts_with(action: Action | None) -> None:
    counted = re.search(r"local FIELDS = (\d+)", SOURCE)
    assert counted is not None
    assert len(of(action)) == FIELDS == int(counted[1])


def test_a_play_is_told_with_its_layout_before_and_after_and_its_part_of_the_event() -> None:
    assert of(PlayToFoundation(Source.DEMON, card("4D"), 3)) == (
        *("play", "2", "5", "7", "3", "40", "1700000000123"),
        "5C4D|AS|9H|TS|2S|3C4C5S|",
        "5C|AS|9H|TS|2S|3C4C5S|",
        *("4D", "3", "1", '"from":"demon","card":"4D","to":3', '"5C"'),
    )


def test_an_illegal_command_is_told_with_its_reason_and_the_layout_it_was_judged_on() -> None:
    assert of(Recycle()) == (
        *("refuse", "2", "5", "7", "3", "40", "1700000000123"),
        *("5C4D|AS|9H|TS|2S|3C4C5S|", "", "stock_not_empty", "", "", "", ""),
    )
