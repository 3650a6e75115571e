from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.cards import DECK, card
from services.rules.layout import Layout, Pile, deal


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    deck: Pile = tuple(draw(st.permutations(DECK)))
    cuts = sorted(draw(st.lists(st.integers(0, 52), min_size=7, max_size=7)))
    piles = [deck[a:b] for a, b in zip([0, *cuts[:-1]], cuts, strict=True)]
    demon, c0, c1, c2, c3, stock, waste = piles
    return Layout(demon, (c0, c1, c2, c3), stock, waste)


@given(layouts())
def test_a_layout_is_its_text(layout: Layout) -> None:
    assert Layout.decode(layout.encode()) == layout


@pytest.mark.parametrize("text", ["", "AS", "|||||", "|||||||", "ASX||||||"])
def test_another_text_is_no_layout(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a layout|no such card"):
        Layout.decode(text)


@pytest.mark.parametrize("demon_size", [5, 13, 20])
def test_a_fresh_layout_has_a_demon_four_single_columns_and_the_rest_as_stock(demon_size: int) -> None:
    """RD-2, RD-14."""
    layout = deal(DECK, demon_size)
    assert (len(layout.demon), [len(c) for c in layout.columns], layout.waste) == (demon_size, [1] * 4, ())
    assert len(layout.stock) == 48 - demon_size
    assert len(layout) == 52
    assert layout.demon + sum(layout.columns, ()) + layout.stock == DECK


def test_the_tops_are_the_last_cards() -> None:
    layout = Layout.decode("5C4D|KS|9H|TS|2C|3C4C5S|7D8D")
    assert (layout.demon_top, layout.waste_top, layout.stock_count) == (card("4D"), card("8D"), 3)
    empty = Layout.decode("||||||")
    assert (empty.demon_top, empty.waste_top, empty.stock_count) == (None, None, 0)
