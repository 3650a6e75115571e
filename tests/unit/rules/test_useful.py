"""What is useful in a position, and in which order: the worth that house rules, rivals and partners give it."""

from __future__ import annotations

import pytest

from services.rules.moves import COLUMN, MoveToColumn, Source
from services.rules.options import PRESETS, RACING_DEMON, Options
from services.rules.useful import Aim, Useful, useful_moves
from services.rules.view import TableView
from tests.unit.bots.positions import NOTHING, table

PAIRS = PRESETS["pairs"]


def best(view: TableView, seat: int = 0) -> Useful:
    return max(useful_moves(view, seat), key=lambda move: move.worth)


def worth_of(view: TableView, aim: Aim) -> float:
    (found,) = (move.worth for move in useful_moves(view, 0) if move.aim is aim)
    return found


@pytest.mark.parametrize(
    ("layout", "foundations", "aim"),
    [
        ("9C9D|5S|KH|QC|8D||AD", "", Aim.ACE_UP),
        ("9C4S|5S|KH|QC|8D||", "S3", Aim.DEMON_UP),
        ("9C9D|KS|KH|QC|8C||4S", "S3", Aim.WASTE_UP),
        ("9C9D|4S|KH|QC|8C||", "S3", Aim.COLUMN_UP),
        ("9C9D|KS|KH|TC|8C||", "", Aim.DEMON_DOWN),
        ("9C9D|KS|KH||8C||", "", Aim.DEMON_TO_GAP),
        ("9C9D|QDJS|QC|KD|2C||", "", Aim.GAP_FOR_DEMON),
        ("9C9D|4D3S|4H|KD|2C||", "D3", Aim.UNCOVERS),
        ("9C9D|KCQDJC|KSTH|KD|KH||", "C12", Aim.LEADS_THERE),
        ("9C9D|KS|JH|JD|2C||TS", "", Aim.HELPS_DEMON),
        ("9C9D|KS|JH|JD|2C||QD", "", Aim.WASTE_DOWN),
        ("|KS|JH||2C||7C", "", Aim.WASTE_TO_GAP),
    ],
)
def test_every_aim_has_a_position(layout: str, foundations: str, aim: Aim) -> None:
    assert best(table(layout, NOTHING, foundations=foundations)).aim is aim


@pytest.mark.parametrize("layout", ["9C9D|KS|KC|QS|2C|3C4C|5C", "9C9D|KSQH|KC|QS|2C||", "|KCQDJC|KSTH|KD|KH||"])
def test_nothing_is_useful_that_neither_makes_progress_nor_leads_to_it(layout: str) -> None:
    """RD-10 (a): tails alone are no progress; a seat with an empty demon calls instead of looking for ways."""
    assert useful_moves(table(layout, NOTHING, foundations="C11"), 0) == []


def test_ways_of_several_tails_are_looked_for_only_when_nothing_else_is_useful() -> None:
    layout = "9C9D|KCQDJC|KSTH|KD|QH||{waste}"
    alone, beside = (table(layout.format(waste=waste), NOTHING, foundations="C12") for waste in ("", "JS"))
    assert [move.aim for move in useful_moves(alone, 0)] == [Aim.LEADS_THERE]
    assert [move.aim for move in useful_moves(beside, 0)] == [Aim.WASTE_DOWN]


def test_the_way_begins_with_the_fewest_tails() -> None:
    """RD-10 (b): TH to JC, then QD to KS, and KC goes up."""
    view = table("2H9H|KCQDJC|KSTH|KD|KH||", NOTHING, foundations="C12")
    (found,) = useful_moves(view, 0)
    assert found.move == MoveToColumn(Source.C1, found.move.card, 0)
    assert found.move.card.text == "TH"
    assert found.shuffles


@pytest.mark.parametrize("penalty", [0, 1, 2])
def test_the_demon_is_worth_more_the_more_its_cards_cost(penalty: int) -> None:
    """Option ``demon_penalty``: at 0 a card that scores now goes before one that only leaves the demon."""
    view = table("9C9D|4S|KH|TC|2C||", NOTHING, foundations="S3", options=Options(demon_penalty=penalty))
    assert best(view).aim is (Aim.COLUMN_UP if penalty == 0 else Aim.DEMON_DOWN)


@pytest.mark.parametrize("aim", [Aim.WASTE_TO_GAP])
def test_a_gap_for_the_demon_only_takes_nothing_else(aim: Aim) -> None:
    """Option ``gap_fill``."""
    layout = "|KS|JH||2C||7C"
    assert best(table(layout, NOTHING)).aim is aim
    assert useful_moves(table(layout, NOTHING, options=Options(gap_fill="demon_only")), 0) == []


def test_what_a_rival_wants_too_is_worth_more_and_what_a_partner_wants_is_not() -> None:
    """Partners sit half the table apart."""
    mine, wants = "9C9D|4S|KH|QC|8C||", "2C|4S|KH|KD|KC||"
    rival = table(mine, wants, NOTHING, NOTHING, foundations="S3", options=PAIRS)
    partner = table(mine, NOTHING, wants, NOTHING, foundations="S3", options=PAIRS)
    nobody = table(mine, NOTHING, NOTHING, NOTHING, foundations="S3", options=PAIRS)
    assert worth_of(rival, Aim.COLUMN_UP) > worth_of(partner, Aim.COLUMN_UP) == worth_of(nobody, Aim.COLUMN_UP)


def test_a_place_is_left_to_the_partner_s_demon_but_not_by_one_s_own() -> None:
    partner = "2C4S|KS|KH|KD|KC||"
    for layout, aim, left in (("9C9D|4S|KH|QC|8C||", Aim.COLUMN_UP, True), ("9C4S|9D|KH|QC|8C||", Aim.DEMON_UP, False)):
        alone = table(layout, NOTHING, NOTHING, NOTHING, foundations="S3", options=PAIRS)
        beside = table(layout, NOTHING, partner, NOTHING, foundations="S3", options=PAIRS)
        assert (worth_of(beside, aim) < worth_of(alone, aim)) is left


def test_without_teams_everyone_else_is_a_rival() -> None:
    mine, wants = "9C9D|4S|KH|QC|8C||", "2C|4S|KH|KD|KC||"
    worths = {
        worth_of(table(mine, *others, foundations="S3", options=RACING_DEMON), Aim.COLUMN_UP)
        for others in ((wants, NOTHING, NOTHING), (NOTHING, wants, NOTHING), (NOTHING, NOTHING, wants))
    }
    assert len(worths) == 1


def test_an_ace_is_contested_by_nobody() -> None:
    view = table("9C9D|AS|KH|QC|8C||", "2C|AS|KH|KD|KC||")
    assert worth_of(view, Aim.ACE_UP) == worth_of(table("9C9D|AS|KH|QC|8C||", NOTHING), Aim.ACE_UP)


def test_only_tails_from_columns_are_shuffles() -> None:
    view = table("9C9D|QDJS|QC|KD|2C||9S", NOTHING)
    assert {move.shuffles for move in useful_moves(view, 0) if move.move.source in COLUMN} == {True}
