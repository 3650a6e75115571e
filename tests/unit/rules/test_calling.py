"""When it pays to end a hand: what is ready against what the others have in sight, by side, penalty and bonus."""

from __future__ import annotations

import pytest

from services.rules.calling import ends_hand, pays_to_end
from services.rules.cards import card
from services.rules.moves import COLUMN, Call, MoveToColumn, PlayToFoundation, Source, Turn
from services.rules.options import PRESETS, Options
from tests.unit.bots.positions import NOTHING, table

READY = "|4S|KH|QC|8C||"
"""An empty demon, and a card for S3."""
IDLE = "|9S|KH|QC|8C||"
DEMON_UP = "2C4H|KS|KH|KD|KC||"
DEMON_DOWN = "2CQH|KS|KH|KD|KC||"
COLUMN_UP = "9CTC|4H|KH|KD|KC||"


def pays(*layouts: str, options: Options = PRESETS["racing_demon"]) -> bool:
    return pays_to_end(table(*layouts, foundations="S3 H3", options=options), 0)


def test_it_pays_to_end_when_nothing_is_ready() -> None:
    assert pays(IDLE, NOTHING)
    assert not pays(READY, NOTHING)


@pytest.mark.parametrize("rival", [DEMON_UP, DEMON_DOWN, COLUMN_UP])
def test_it_pays_to_end_when_the_others_have_more_in_sight(rival: str) -> None:
    assert pays(READY, rival)
    assert not pays(READY, rival, NOTHING, NOTHING, NOTHING, NOTHING), "on average they haven't"


@pytest.mark.parametrize(("penalty", "ends"), [(2, True), (1, True), (0, False)])
def test_what_a_rival_s_demon_costs_it_decides(penalty: int, ends: bool) -> None:
    """A card that leaves a demon and scores nothing is worth its penalty."""
    assert pays(READY, DEMON_DOWN, options=Options(demon_penalty=penalty)) is ends


def test_the_bonus_is_taken_before_a_rival_can() -> None:
    """Option ``out_bonus``: 10 points are more than any card that is ready."""
    few, many = "2C3D|KS|KH|KD|KC||", "9C8C7C2C|KS|KH|KD|KC||"
    assert pays(READY, few, options=Options(out_bonus=10))
    assert not pays(READY, many, options=Options(out_bonus=10))
    assert not pays(READY, few)


def test_in_pairs_the_side_counts() -> None:
    """A partner who is about to score is waited for, one rival of two who is does not end the hand."""
    pairs = PRESETS["pairs"]
    assert pays(READY, COLUMN_UP, NOTHING, COLUMN_UP, options=pairs)
    assert not pays(READY, COLUMN_UP, DEMON_UP, COLUMN_UP, options=pairs)


def test_the_call_ends_a_hand_and_where_it_is_automatic_the_demon_s_last_card() -> None:
    last, more, classic = "4S|KS|KH|QC|8C||", "2C4S|KS|KH|QC|8C||", PRESETS["classic"]
    demon_up = PlayToFoundation(Source.DEMON, card("4S"))
    demon_down = MoveToColumn(Source.DEMON, card("4S"), 0)
    other = PlayToFoundation(COLUMN[0], card("KS"))
    assert ends_hand(table(IDLE, NOTHING), 0, Call())
    assert not ends_hand(table(last, NOTHING), 0, demon_up)
    assert ends_hand(table(last, NOTHING, options=classic), 0, demon_up)
    assert ends_hand(table(last, NOTHING, options=classic), 0, demon_down)
    assert not ends_hand(table(last, NOTHING, options=classic), 0, other)
    assert not ends_hand(table(last, NOTHING, options=classic), 0, Turn(3))
    assert not ends_hand(table(more, NOTHING, options=classic), 0, demon_up)
