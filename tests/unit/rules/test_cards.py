from __future__ import annotations

import copy
import pickle

import pytest

from services.rules.cards import DECK, UnknownCard, builds_down, card, cards


def test_a_deck_has_52_different_cards_and_the_ace_is_low() -> None:
    """RD-1."""
    assert len({c.text for c in DECK}) == 52
    assert (card("AS").rank, card("KD").rank) == (1, 13)


@pytest.mark.parametrize("text", ["", "A", "1S", "AX", "as", "AS ", "10H", "🂡"])
def test_a_text_that_names_no_card_is_refused(text: str) -> None:
    """Unknown cards."""
    with pytest.raises(UnknownCard):
        card(text)


def test_cards_compare_by_identity_also_after_a_copy() -> None:
    ace = card("AS")
    assert copy.deepcopy(ace) is ace
    assert pickle.loads(pickle.dumps(ace)) is ace


def test_columns_build_down_in_alternating_colours() -> None:
    """RD-4."""
    assert builds_down(card("9H"), card("TS"))
    assert not builds_down(card("9H"), card("TD"))
    assert not builds_down(card("9H"), card("JS"))
    assert not builds_down(card("TS"), card("9H"))


def test_a_text_of_cards_may_have_blanks() -> None:
    assert cards("AS KD") == cards("ASKD") == (card("AS"), card("KD"))
