"""What a bot that overlooks nothing does in a position, and that it comes to rest."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from services.bots.judgement import Memory, Strength, think
from services.rules.cards import card
from services.rules.hand import Phase
from services.rules.layout import Layout
from services.rules.moves import (
    Action,
    Applied,
    Call,
    Choice,
    MoveToColumn,
    PlayToFoundation,
    Recycle,
    Source,
    Turn,
    Vote,
    apply,
)
from services.rules.options import PRESETS, Options
from services.rules.view import TableView
from tests.unit.bots.positions import NOTHING, table


def hard(view: TableView, memory: Memory | None = None) -> Action | None:
    return think(view, 0, Strength.HARD, memory or Memory(), random.Random(1)).action


def up(source: Source, name: str) -> PlayToFoundation:
    return PlayToFoundation(source, card(name))


def down(source: Source, name: str, column: int) -> MoveToColumn:
    return MoveToColumn(source, card(name), column)


@pytest.mark.parametrize(
    ("layout", "foundations", "best"),
    [
        pytest.param("9C4S|5S|KH|QC|8D||AD", "S3", up(Source.DEMON, "4S"), id="the demon goes up before anything"),
        pytest.param("9C9D|5S|KH|TC|8D||AD", "", up(Source.WASTE, "AD"), id="an ace before a demon that goes down"),
        pytest.param("9C9D|4S|KH|TC|2C||", "S3", down(Source.DEMON, "9D", 2), id="the demon down before a column up"),
        pytest.param("9C9D|4S|KH||2C||3S", "", down(Source.DEMON, "9D", 2), id="a gap is for the demon"),
        pytest.param("9C9D|4S|KH|QC|8C||5H", "S3 H4", up(Source.WASTE, "5H"), id="the waste up before a column up"),
        pytest.param("9C9D|KS|JH|JD|2C||TS", "", down(Source.WASTE, "TS", 1), id="a card that the demon builds on"),
        pytest.param("9C9D|QDJS|QC|KD|2C||", "", down(Source.C1, "QC", 2), id="a column onto another, for a gap"),
        pytest.param("9C9D|4D3S|4H|KD|2C||", "D3", down(Source.C0, "3S", 1), id="a tail that uncovers a card"),
        pytest.param("9C9D|KS|KC|QS|2C|3C4C|5C", "", Turn(2), id="nothing useful: the stock"),
        pytest.param("9C9D|KS|KC|QS|2C||3C4C5C", "", Recycle(), id="no stock: the waste turned over"),
        pytest.param("|KS|KH|QC|2C|3C4C|9C", "C4", Call(), id="an empty demon is called"),
        pytest.param(
            "|KS|KH|QC|2C|3C4C|5C", "C4", up(Source.WASTE, "5C"), id="what is ready is scored before the call"
        ),
    ],
)
def test_the_best_move_comes_first(layout: str, foundations: str, best: Action) -> None:
    assert hard(table(layout, NOTHING, foundations=foundations)) == best


def test_tails_are_not_moved_for_nothing() -> None:
    view = table("9C2S|9H8S|9D|QS|KC|3C4C|5C", NOTHING)
    assert hard(view) == Turn(2), "8S to the 9D would change nothing"


def test_what_a_rival_could_take_goes_first() -> None:
    layout = "9C9D|4S|4H|QC|KD||"
    uncontested = table(layout, NOTHING, foundations="S3 H3")
    contested = table(layout, "2C4H|KS|KH|KD|KC||", foundations="S3 H3")
    assert hard(uncontested) == up(Source.C0, "4S")
    assert hard(contested) == up(Source.C1, "4H")


@pytest.mark.parametrize("phase", [p for p in Phase if p is not Phase.PLAYING])
def test_nothing_is_done_before_the_start_and_after_the_call(phase: Phase) -> None:
    assert hard(table("9C4S|5S|KH|QC|8D||AD", NOTHING, foundations="S3", phase=phase)) is None


BARREN = "9C9D|KS|KC|QS|2C||3C4C5C"


def test_after_a_whole_pass_without_use_it_stops_and_votes() -> None:
    view = table(BARREN, NOTHING)
    recycled = think(view, 0, Strength.HARD, Memory(), random.Random(1)).memory
    assert hard(view, recycled) == Vote(Choice.SHIFT, 7)
    voted = table(BARREN, NOTHING, votes=(Choice.SHIFT, None))
    assert hard(voted, recycled) is None, "one vote is enough"


def test_progress_anywhere_makes_it_search_again() -> None:
    recycled = think(table(BARREN, NOTHING), 0, Strength.HARD, Memory(), random.Random(1)).memory
    assert hard(table(BARREN, NOTHING, progress=8), recycled) == Recycle()


def test_after_a_shift_it_goes_through_the_stock_once_more() -> None:
    recycled = think(table(BARREN, NOTHING), 0, Strength.HARD, Memory(), random.Random(1)).memory
    shifted = table("9C9D|KS|KC|QS|2C|3C4C5C|", NOTHING)
    assert hard(shifted, recycled) == Turn(3)
    assert hard(table(BARREN, NOTHING), recycled) == Vote(Choice.SHIFT, 7)


def test_it_joins_the_others_votes_when_it_sees_nothing_to_do() -> None:
    votes = (None, Choice.SHIFT, Choice.SHIFT)
    barren = table("9C9D|KS|KC|QS|2C|3C4C|5C", NOTHING, NOTHING, votes=votes)
    assert hard(barren) == Vote(Choice.SHIFT, 7)
    useful = table("9C9D|KS|KC|QS|2C|3C4C|AC", NOTHING, NOTHING, votes=votes)
    assert hard(useful) == up(Source.WASTE, "AC")


def test_it_consents_to_the_end_only_when_all_others_want_it() -> None:
    memory = Memory(progress=7, recycled=True)
    all_others = table(BARREN, NOTHING, NOTHING, votes=(None, Choice.END, Choice.END))
    one_other = table(BARREN, NOTHING, NOTHING, votes=(None, Choice.END, None))
    assert hard(all_others, memory) == Vote(Choice.END, 7)
    assert hard(one_other, memory) == Vote(Choice.SHIFT, 7)


def test_tail_moves_that_others_keep_spoiling_come_to_an_end() -> None:
    view, memory = table("9C9D|4D3S|4H|KD|2C||", NOTHING, foundations="D3"), Memory()
    actions: list[Action | None] = []
    while Vote(Choice.SHIFT, 7) not in actions and len(actions) < 100:
        thought = think(view, 0, Strength.HARD, memory, random.Random(1))
        memory = thought.memory
        actions.append(thought.action)
    assert len(actions) <= 10


def test_an_easy_bot_overlooks_moves_but_votes_only_when_it_really_sees_none() -> None:
    """It has nothing to turn here, so it either moves or votes."""
    useful = table("9C4S|5S|KC|QS|8C||", NOTHING, foundations="S3")
    for seed in range(50):
        thought = think(useful, 0, Strength.EASY, Memory(), random.Random(seed))
        assert thought.action == up(Source.DEMON, "4S")


@pytest.mark.parametrize("strength", Strength)
def test_who_has_turned_the_waste_over_for_nothing_looks_closely_and_so_votes_only_when_it_is_blocked(
    strength: Strength,
) -> None:
    """RD-10 (f). Otherwise a card overlooked in passing would end a hand where there is no shift."""
    searching = Memory(progress=7, recycled=True)
    view = table("9C9D|KS|KC|QS|2C|3C4C|5C", NOTHING, foundations="C4", options=Options(stuck="end"))
    actions = {think(view, 0, strength, searching, random.Random(seed)).action for seed in range(50)}
    assert actions == {up(Source.WASTE, "5C")}


def test_an_easy_bot_calls_late_but_it_calls() -> None:
    view = table("|KS|KH|QC|8D|3C|AC", NOTHING)
    actions = {type(think(view, 0, Strength.EASY, Memory(), random.Random(s)).action) for s in range(50)}
    assert actions == {Call, PlayToFoundation}


def test_the_same_luck_makes_the_same_choice() -> None:
    view = table("9C9D|4S|KH|TC|2C|3C|3S", NOTHING, foundations="S3")
    first, second = (
        [think(view, 0, Strength.EASY, Memory(), luck).action for _ in range(30)]
        for luck in (random.Random(3), random.Random(3))
    )
    assert first == second


def test_it_moves_several_tails_to_open_a_way() -> None:
    """RD-10 (b): TH to JC, then QD to KS, and KC goes up. One tail alone opens nothing, and the seat is not blocked."""
    layout, memory, actions = Layout.decode("2H9H|KCQDJC|KSTH|KD|KH||"), Memory(), []
    for _ in range(3):
        thought = think(table(layout.encode(), NOTHING, foundations="C12"), 0, Strength.HARD, memory, random.Random(1))
        actions.append(thought.action)
        memory = thought.memory
        if isinstance(thought.action, MoveToColumn):
            moved = apply(layout, thought.action, Options())
            assert isinstance(moved, Applied)
            layout = moved.layout
    assert actions == [down(Source.C1, "TH", 0), down(Source.C0, "QD", 1), up(Source.C0, "KC")]


ONE_PASS = PRESETS["turn_one"]


def test_with_one_pass_nothing_is_turned_over_and_the_end_is_what_it_votes_for() -> None:
    """Options ``passes`` and ``stuck``."""
    view = table(BARREN, NOTHING, options=ONE_PASS)
    assert hard(view) == Vote(Choice.END, 7)
    assert hard(table(BARREN, NOTHING, options=ONE_PASS, votes=(Choice.END, None))) is None


def test_without_shifts_it_searches_the_whole_stock_before_it_votes_for_the_end() -> None:
    view, rules = table(BARREN, NOTHING, options=Options(stuck="end")), Options(stuck="end")
    recycled = think(view, 0, Strength.HARD, Memory(), random.Random(1))
    assert recycled.action == Recycle()
    assert hard(table(BARREN, NOTHING, options=rules), recycled.memory) == Vote(Choice.END, 7)


def test_asked_what_to_do_a_bot_that_can_go_on_goes_on_and_one_that_can_not_votes() -> None:
    """RD-10: the question for a table without progress."""
    blocked = Memory(progress=7, recycled=True)
    assert hard(table(BARREN, NOTHING, asked=True), blocked) == Vote(Choice.SHIFT, 7)
    assert hard(table("9C4S|5S|KC|QS|8C||", NOTHING, foundations="S3", asked=True), blocked) == up(Source.DEMON, "4S")


@pytest.mark.parametrize("strength", Strength)
def test_it_never_calls_where_calls_are_automatic(strength: Strength) -> None:
    view = table("|KS|KH|QC|8D|3C|9C", NOTHING, options=PRESETS["classic"])
    actions = {type(think(view, 0, strength, Memory(), random.Random(seed)).action) for seed in range(30)}
    assert Call not in actions


@pytest.mark.parametrize(
    ("votes", "people", "expected"),
    [
        ((None, Choice.REPLAY, Choice.REPLAY), (1, 2), Vote(Choice.REPLAY, 7)),
        ((Choice.REPLAY, Choice.REPLAY, Choice.REPLAY), (1, 2), None),
        ((None, Choice.REPLAY, None), (1,), Vote(Choice.REPLAY, 7)),
        ((None, Choice.REPLAY, None), (1, 2), up(Source.DEMON, "4S")),
        ((None, Choice.REPLAY, Choice.REPLAY), (), up(Source.DEMON, "4S")),
        ((None, None, None), (1, 2), up(Source.DEMON, "4S")),
    ],
)
def test_it_has_a_hand_dealt_again_when_all_people_want_that_and_never_by_itself(
    votes: tuple[Choice | None, ...], people: tuple[int, ...], expected: Action | None
) -> None:
    rules = Options(dispute="replay_hand")
    view = table("9C4S|5S|KC|QS|8C||", NOTHING, NOTHING, foundations="S3", votes=votes, options=rules)
    assert think(view, 0, Strength.HARD, Memory(), random.Random(1), people).action == expected


def test_a_hand_dealt_again_is_another_one() -> None:
    """What was searched before the deal says nothing about the cards after it."""
    searched = Memory("first deal", progress=7, recycled=True)
    view = replace(table(BARREN, NOTHING), commitment="second deal")
    assert hard(view, searched) == Recycle()
