from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.state import State, laid_out, strength
from services.rules.cards import DECK, card
from tests.unit.rules.aces_up.games import random_game, shuffled_deck


@given(seed=st.integers(0, 10_000), practice=st.booleans(), auto=st.booleans())
def test_a_state_is_its_text_and_different_states_have_different_texts(seed: int, practice: bool, auto: bool) -> None:
    states = random_game(seed, AcesUpOptions(1, practice, auto), 80)
    for state in states:
        assert State.decode(state.encode()) == state
    assert len({state.encode() for state in states}) == len(set(states))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "AS",
        "AS|||",
        "AS||||||",  # no steps are written as nothing
        "AS|||||r",
        "AS|||||r|q",
        "AS|||||r.|",
        "AS|||||f04|",
        "AS|||||x1XX|",
        "AS||||||||",
        "AS|AS|||",
        "AS||||2S",  # no whole row
        "AS ||||",
        "as||||",
        "A||||",
    ],
)
def test_another_text_is_no_state(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a state|no such card|no step"):
        State.decode(text)


def test_a_game_begins_with_a_card_on_each_pile_and_twelve_rows_in_the_stock() -> None:
    """AU-1."""
    deck = shuffled_deck(3)
    state = laid_out(deck)
    assert [len(pile) for pile in state.piles] == [1] * 4
    assert (state.tops, state.stock_count, state.removed_count) == (deck[:4], 48, 0)
    assert state.stock[::-1] == deck[4:]


@pytest.mark.parametrize("deck", [(), DECK[:50], DECK[:3]])
def test_a_deck_goes_up_in_rows(deck: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match="rows of 4"):
        laid_out(deck)  # type: ignore[arg-type]


def test_the_ace_is_the_highest() -> None:
    """AU-1."""
    assert [strength(card(rank + "S")) for rank in "23456789TJQKA"] == list(range(2, 15))
