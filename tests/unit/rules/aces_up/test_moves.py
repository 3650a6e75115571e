"""AU-2 to AU-4: what may be removed, moved and dealt."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.aces_up.legal_moves import legal_moves
from services.rules.aces_up.moves import (
    Action,
    Applied,
    Fill,
    GiveUp,
    Illegal,
    Reason,
    Redo,
    Remove,
    Row,
    Undo,
    apply,
)
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.state import State
from services.rules.cards import DECK, Card, card
from tests.unit.rules.aces_up.games import AUTOMATIC, PLAIN, PRACTICE, done, played, random_game

EXAMPLE = State.decode("7S|3CJS|5H|AC|")
"""The tops of AU-6, with a three under the jack."""


def test_the_lower_of_two_tops_of_one_suit_goes_and_an_uncovered_pile_gets_another_top() -> None:
    """AU-6."""
    after = played(EXAMPLE, [Remove(0, card("7S")), Fill(1, card("JS"), 0)])
    assert after.encode() == "JS|3C|5H|AC|"
    assert played(after, [Remove(1, card("3C"))]).encode() == "JS||5H|AC|"


@pytest.mark.parametrize(
    ("text", "action", "reason"),
    [
        ("7S|3CJS|5H|AC|", Remove(2, card("5H")), Reason.NO_HIGHER),  # a jack of another suit
        ("7S|3CJS|5H|AC|", Remove(1, card("JS")), Reason.NO_HIGHER),  # the higher one
        ("7S|3CJS|5H|AC|", Remove(1, card("3C")), Reason.BURIED),
        ("7S|3CJS|5H|AC|", Remove(1, card("7S")), Reason.NOT_THERE),  # it is on another pile
        ("7S|3CJS|5H|AC|", Remove(1, card("KD")), Reason.NOT_THERE),
        ("7S|3CJS|5H|ACKC|", Remove(3, card("KC")), Reason.NO_HIGHER),  # the ace is buried
        ("KS|AS|5H|AC|", Remove(1, card("AS")), Reason.ACE_STAYS),
        ("KS|AS|5H|AC|", Remove(4, card("KS")), Reason.NO_SUCH_PILE),
        ("KS|AS|5H|AC|", Remove(-4, card("KS")), Reason.NO_SUCH_PILE),
        ("KS|AS||AC|", Remove(2, card("5H")), Reason.EMPTY_PILE),
        ("KS|AS||AC|", Fill(2, card("5H"), 2), Reason.EMPTY_PILE),
        ("KS|AS||AC|", Fill(0, card("KS"), 1), Reason.NO_GAP),
        ("KS|AS||AC|", Fill(0, card("KS"), 0), Reason.NO_GAP),
        ("KS|AS||AC|", Fill(0, card("KS"), 4), Reason.NO_SUCH_PILE),
        ("KS|AS||AC|", Fill(7, card("KS"), 2), Reason.NO_SUCH_PILE),
        ("KSQD|AS||AC|", Fill(0, card("KS"), 2), Reason.BURIED),
        ("KS|AS||AC|", Row(0), Reason.STOCK_EMPTY),
        ("KS|AS||AC|2S3S4S5S", Row(8), Reason.STOCK_CHANGED),
        ("KS|AS||AC|", Undo(), Reason.NO_PRACTICE),
        ("KS|AS||AC|", Redo(), Reason.NO_PRACTICE),
    ],
)
def test_what_may_not_be_done_is_refused_by_its_reason(text: str, action: Action, reason: Reason) -> None:
    assert apply(State.decode(text), action, PLAIN) == Illegal(reason)


def test_of_three_tops_of_a_suit_all_but_the_highest_go_one_at_a_time() -> None:
    """AU-2."""
    three = State.decode("2D7S|3DJS|4DKS|AC|")
    for order in permutations([Remove(0, card("7S")), Remove(1, card("JS"))]):
        assert played(three, list(order)).encode() == "2D|3D|4DKS|AC|"
    assert apply(three, Remove(2, card("KS")), PLAIN) == Illegal(Reason.NO_HIGHER)


def test_an_ace_is_higher_than_a_king() -> None:
    """AU-1."""
    assert played(State.decode("2C|KS|AS|AC|"), [Remove(1, card("KS")), Remove(0, card("2C"))]).encode() == "||AS|AC|"


def test_a_row_is_dealt_onto_every_pile_also_into_gaps_and_before_the_moves_are_exhausted() -> None:
    """AU-4."""
    applied = done(State.decode("7S|JS||AC|5C4C3C2CKDQDJDTD"), Row(8))
    assert applied.state.encode() == "7STD|JSJD|QD|ACKD|5C4C3C2C"
    assert [c.text for c in applied.dealt] == ["TD", "JD", "QD", "KD"]


def test_a_doubled_click_deals_one_row() -> None:
    state = done(State.decode("7S|JS||AC|5C4C3C2CKDQDJDTD"), Row(8)).state
    assert apply(state, Row(8), PLAIN) == Illegal(Reason.STOCK_CHANGED)


def test_a_pile_s_only_card_may_move_and_a_move_removes_nothing() -> None:
    """AU-3 and its ruling."""
    state = State.decode("7S|JS||AC|")
    assert played(state, [Fill(3, card("AC"), 2)]).encode() == "7S|JS|AC||"


def test_automatic_removal_is_part_of_the_action_and_goes_on_as_long_as_it_can() -> None:
    state = State.decode("JS|2C7D|4H|AC|KDAS6H8S")
    applied = done(state, Row(4), AUTOMATIC)
    assert applied.removed == (card("8S"), card("JS"))
    assert applied.state.encode() == "|2C7D6H|4HAS|ACKD|"
    after = done(applied.state, Fill(1, card("6H"), 0), AUTOMATIC)
    assert (after.removed, after.state.encode()) == ((card("7D"),), "6H|2C|4HAS|ACKD|")


def test_without_the_option_nothing_is_removed_by_itself() -> None:
    assert done(State.decode("JS|2C7D|4H|AC|KDAS6H8S"), Row(4)).removed == ()


def test_giving_up_leaves_the_very_state() -> None:
    assert done(EXAMPLE, GiveUp()).state is EXAMPLE


ANY_ACTION = st.one_of(
    st.builds(Remove, st.integers(-1, 4), st.sampled_from(DECK)),
    st.builds(Fill, st.integers(-1, 4), st.sampled_from(DECK), st.integers(-1, 4)),
    st.builds(Row, st.integers(0, 52)),
    st.sampled_from([Undo(), Redo(), GiveUp()]),
)


@given(
    seed=st.integers(0, 10_000),
    options=st.builds(AcesUpOptions, st.just(1), st.booleans(), st.booleans()),
    length=st.integers(0, 80),
    guess=ANY_ACTION,
)
def test_what_is_listed_is_accepted_and_nothing_else_is(
    seed: int, options: AcesUpOptions, length: int, guess: Action
) -> None:
    state = random_game(seed, options, length)[-1]
    legal = legal_moves(state)
    on_tops: list[Action] = [Remove(i, top) for i, top in enumerate(state.tops) if top]
    on_tops += [Fill(i, top, to) for i, top in enumerate(state.tops) if top for to in range(4)]
    on_tops += [Row(state.stock_count), Undo(), Redo(), GiveUp()]
    assert len(set(legal)) == len(legal)
    for action in (*legal, *on_tops, guess):
        assert isinstance(apply(state, action, options), Applied) is (action in legal), action


@given(
    seed=st.integers(0, 10_000),
    options=st.builds(AcesUpOptions, st.just(1), st.booleans(), st.booleans()),
)
def test_no_card_is_lost_and_none_comes_twice(seed: int, options: AcesUpOptions) -> None:
    for before in random_game(seed, options):
        for action in legal_moves(before):
            applied = done(before, action, options)
            after = applied.state
            there = [c for pile in (*after.piles, after.stock) for c in pile]
            gone = set(DECK).difference(there)
            assert len(there) + len(gone) == 52
            assert after.removed_count == len(gone)
            if not isinstance(action, Undo | Redo):
                own = {action.card} if isinstance(action, Remove) else set()
                assert gone == before_gone(before) | own | set(applied.removed)
                assert not any(c.rank == 1 for c in gone)


def before_gone(state: State) -> set[Card]:
    return set(DECK).difference(c for pile in (*state.piles, state.stock) for c in pile)


@given(seed=st.integers(0, 10_000), auto=st.booleans())
def test_undo_and_redo_are_inverse_to_each_other_and_to_the_action(seed: int, auto: bool) -> None:
    options = AcesUpOptions(1, practice=True, auto_remove=auto)
    for before in random_game(seed, options, 30):
        for action in legal_moves(before):
            after = done(before, action, options).state
            if isinstance(action, Undo):
                assert done(after, Redo(), options).state == before
            elif isinstance(action, Redo):
                assert done(after, Undo(), options).state == before
            elif not isinstance(action, GiveUp):
                assert after.undone == ()
                back = done(after, Undo(), options).state
                assert (back.piles, back.stock) == (before.piles, before.stock)
                assert done(back, Redo(), options).state == after


def test_there_is_nothing_to_undo_at_the_beginning_and_nothing_to_redo_after_an_action() -> None:
    assert apply(EXAMPLE, Undo(), PRACTICE) == Illegal(Reason.NOTHING_TO_UNDO)
    assert apply(EXAMPLE, Redo(), PRACTICE) == Illegal(Reason.NOTHING_TO_REDO)
    undone = played(EXAMPLE, [Remove(0, card("7S")), Fill(1, card("JS"), 0), Undo(), Undo()], PRACTICE)
    assert (undone.undoable, undone.redoable) == (0, 2)
    other = played(undone, [Remove(0, card("7S"))], PRACTICE)
    assert apply(other, Redo(), PRACTICE) == Illegal(Reason.NOTHING_TO_REDO)


def test_a_hundred_steps_can_be_taken_back_and_older_ones_are_forgotten() -> None:
    state = State.decode("7S|JS||AC|")
    for _ in range(55):
        state = played(state, [Fill(3, card("AC"), 2), Fill(2, card("AC"), 3)], PRACTICE)
    assert state.undoable == 100
    assert len(state.encode()) < 600
    for _ in range(100):
        state = done(state, Undo(), PRACTICE).state
    assert apply(state, Undo(), PRACTICE) == Illegal(Reason.NOTHING_TO_UNDO)
    assert state.redoable == 100
