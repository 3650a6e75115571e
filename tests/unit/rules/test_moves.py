"""RD-3 to RD-6 and RD-9: what a move does to its seat's layout."""

from __future__ import annotations

import random

import pytest

from services.rules.cards import Card, card, cards
from services.rules.layout import Layout
from services.rules.moves import (
    Action,
    Applied,
    Call,
    Choice,
    Illegal,
    MoveToColumn,
    PlayToFoundation,
    Reason,
    Recycle,
    Source,
    Turn,
    Vote,
    apply,
    tail_length,
    turned_over,
)
from services.rules.options import RACING_DEMON, Options
from tests.unit.rules.hands import History, anything


def after(layout: str, action: Action, options: Options = RACING_DEMON) -> str:
    applied = apply(Layout.decode(layout), action, options)
    assert isinstance(applied, Applied), applied
    return applied.layout.encode()


def refused(layout: str, action: Action, options: Options = RACING_DEMON) -> Reason:
    illegal = apply(Layout.decode(layout), action, options)
    assert isinstance(illegal, Illegal), illegal
    return illegal.reason


def sorted_cards(layout: Layout, *more: Card) -> list[str]:
    return sorted(c.text for c in (*cards(layout.encode().replace("|", "")), *more))


def to_column(source: Source, text: str, column: int) -> MoveToColumn:
    return MoveToColumn(source, card(text), column)


def test_a_tail_in_order_moves_as_one() -> None:
    """RD-4."""
    assert after("|3C9HTS9D8S|TC||||", to_column(Source.C0, "9D", 1)) == "|3C9HTS|TC9D8S||||"


def test_a_tail_that_is_not_in_order_does_not_move() -> None:
    """RD-4."""
    assert refused("|9D7S|TC||||", to_column(Source.C0, "9D", 1)) is Reason.NOT_THERE


def test_a_card_goes_only_onto_the_next_higher_of_the_other_colour() -> None:
    """RD-4."""
    assert refused("|9D|TH||||", to_column(Source.C0, "9D", 1)) is Reason.DOES_NOT_FIT
    assert refused("|9D|JS||||", to_column(Source.C0, "9D", 1)) is Reason.DOES_NOT_FIT
    assert refused("|9D|||||", to_column(Source.C0, "9D", 0)) is Reason.DOES_NOT_FIT


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        (Source.DEMON, "4D", "5C|4D|KS|QH|||7H"),
        (Source.WASTE, "7H", "5C4D|7H|KS|QH|||"),
        (Source.C1, "KS", "5C4D|KS||QH|||7H"),
    ],
)
def test_a_gap_takes_demon_waste_or_a_tail(source: Source, text: str, expected: str) -> None:
    """RD-5."""
    assert after("5C4D||KS|QH|||7H", to_column(source, text, 0)) == expected


def test_a_gap_takes_only_the_demon_where_the_house_says_so() -> None:
    house = Options(gap_fill="demon_only")
    assert after("5C4D||KS||||7H", to_column(Source.DEMON, "4D", 0), house) == "5C|4D|KS||||7H"
    assert refused("5C4D||KS||||7H", to_column(Source.WASTE, "7H", 0), house) is Reason.GAP_DEMON_ONLY
    assert refused("5C4D||KS||||7H", to_column(Source.C1, "KS", 0), house) is Reason.GAP_DEMON_ONLY


def test_the_next_demon_card_turns_up_when_the_top_leaves() -> None:
    """RD-6."""
    applied = apply(Layout.decode("5C4D||||||"), PlayToFoundation(Source.DEMON, card("4D")), RACING_DEMON)
    assert isinstance(applied, Applied)
    assert (applied.shows, applied.progress) == (card("5C"), True)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (Source.DEMON, "5C"),
        (Source.WASTE, "7D"),
        (Source.C0, "TS"),
        (Source.C3, "TS"),
        (Source.DEMON, "9H"),
        (Source.WASTE, "4D"),
        (Source.C0, "AS"),
    ],
)
def test_a_buried_or_absent_card_is_not_available(source: Source, text: str) -> None:
    """RD-4, RD-9: buried cards, unknown places."""
    layout = "5C4D|TS9H|KS|QC|||7D8D"
    assert refused(layout, PlayToFoundation(source, card(text))) is Reason.NOT_THERE


def test_a_single_card_leaves_a_column_only_from_its_end_to_a_foundation() -> None:
    """RD-7: one card at a time, though 9H 8S would move as a tail."""
    assert refused("|TS9H8S|||||", PlayToFoundation(Source.C0, card("9H"))) is Reason.NOT_THERE


def test_a_packet_keeps_its_order_and_the_third_ends_on_top() -> None:
    """RD-9: the stock's top is its last card."""
    applied = apply(Layout.decode("|||||2C3C4C5C|KH"), Turn(4), RACING_DEMON)
    assert isinstance(applied, Applied)
    assert (applied.layout.encode(), applied.shows, applied.moved) == ("|||||2C|KH5C4C3C", card("3C"), 3)


@pytest.mark.parametrize(("stock", "waste"), [("2C", "2C"), ("2C3C", "3C2C")])
def test_the_last_one_or_two_are_turned_as_they_are(stock: str, waste: str) -> None:
    """RD-9."""
    assert after(f"|||||{stock}|KH", Turn(len(stock) // 2)) == f"||||||KH{waste}"


def test_the_house_may_turn_one_by_one() -> None:
    assert after("|||||2C3C|KH", Turn(2), Options(draw=1)) == "|||||2C|KH3C"


def test_a_double_click_on_the_stock_turns_once() -> None:
    """The second click names a stock that is no longer there."""
    clicked = Turn(4)
    once = after("|||||2C3C4C5C|", clicked)
    assert refused(once, clicked) is Reason.STOCK_CHANGED


def test_the_waste_is_not_turned_over_while_stock_remains() -> None:
    """RD-9."""
    assert refused("|||||2C|KH", Recycle()) is Reason.STOCK_NOT_EMPTY
    assert refused("||||||", Recycle()) is Reason.WASTE_EMPTY
    assert refused("||||||KH", Turn(0)) is Reason.STOCK_EMPTY


def test_the_waste_turned_over_begins_with_its_oldest_card() -> None:
    """RD-9: unshuffled; the oldest waste card is the new stock top."""
    assert after("||||||2C3C4C5C", Recycle()) == "|||||5C4C3C2C|"


def test_a_whole_pass_brings_the_same_tops_again() -> None:
    """RD-9."""
    layout = Layout.decode("|||||2C3C4C5C6C7C8C|")
    passes = []
    for _ in range(2):
        tops = []
        while layout.stock:
            layout = Layout.decode(after(layout.encode(), Turn(len(layout.stock))))
            tops.append(layout.waste_top)
        passes.append(tops)
        layout = Layout.decode(after(layout.encode(), Recycle()))
    assert passes == [list(cards("6C 3C 2C"))] * 2


def test_only_an_empty_demon_lets_a_seat_call() -> None:
    """RD-11."""
    assert refused("4D||||||", Call()) is Reason.DEMON_NOT_EMPTY
    assert after("|KS|||||", Call()) == "|KS|||||"


def test_a_vote_leaves_the_layout() -> None:
    assert after("4D||||||", Vote(Choice.SHIFT, 0)) == "4D||||||"


@pytest.mark.parametrize(
    ("action", "progress"),
    [
        (PlayToFoundation(Source.C0, card("9H")), True),
        (PlayToFoundation(Source.WASTE, card("8S")), True),
        (to_column(Source.WASTE, "8S", 0), True),
        (to_column(Source.DEMON, "TC", 2), True),
        (to_column(Source.C0, "9H", 1), False),
        (to_column(Source.C0, "9H", 2), False),
        (Turn(1), False),
    ],
)
def test_progress_is_a_card_that_goes_up_or_leaves_demon_or_waste(action: Action, progress: bool) -> None:
    """RD-10 (a): turning, and tails between columns, are none."""
    applied = apply(Layout.decode("5CTC|9H|TS|||2C|8S"), action, RACING_DEMON)
    assert isinstance(applied, Applied)
    assert applied.progress is progress


def test_a_shift_re_forms_the_stock_and_puts_its_top_at_the_bottom() -> None:
    """RD-10 (d): the waste, turned over, lies on what is left of the stock; its oldest card is then the top."""
    assert turned_over(Layout.decode("AH|2H||||5C6C|2C3C4C")).encode() == "AH|2H||||2C5C6C4C3C|"
    assert turned_over(Layout.decode("AH|2H|||||")).encode() == "AH|2H|||||"


def test_a_tail_is_as_long_as_the_order_goes() -> None:
    assert [tail_length(cards(text)) for text in ("", "KS", "KSQH", "QHKS", "9H8SQDJSTH")] == [0, 1, 2, 1, 3]


def test_a_refused_move_changes_nothing_and_others_lose_no_card() -> None:
    """RD-14: anything at all, on reachable layouts."""
    for seed in range(6):
        rng = random.Random(seed)
        for hand in History(seed).play(150).hands[2:]:
            layout = rng.choice(hand.layouts)
            text, action = layout.encode(), anything(rng)
            applied = apply(layout, action, hand.options)
            assert layout.encode() == text
            if isinstance(applied, Applied):
                gone = [action.card] if isinstance(action, PlayToFoundation) else []
                assert sorted_cards(applied.layout, *gone) == sorted_cards(layout)
