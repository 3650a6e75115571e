"""Clauses of the texts that no other test shows (docs/clauses.md)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules import transitions
from services.rules.cards import SUITS, card
from services.rules.foundation import Foundation, Slot
from services.rules.hand import MOST_SEATS, Seat
from services.rules.moves import COLUMN, Action, MoveToColumn, PlayToFoundation, Reason, Source
from services.rules.options import RACING_DEMON
from services.rules.scoring import score_hand
from services.rules.verdict import Outcome
from tests.unit.rules.hands import NOON, SECRET, History, built, do, players, playing


def test_a_hand_begins_without_a_foundation_and_without_a_waste() -> None:
    """RD-2."""
    hand, _ = transitions.prepare((Seat(), Seat()), match="m", number=1, secret=SECRET, seq=0, now_ms=NOON)
    hand, _ = transitions.deal(hand, options=RACING_DEMON, players=players(2), start_at=NOON, now_ms=NOON)
    assert hand.foundations == ()
    assert [layout.waste for layout in hand.layouts] == [(), ()]


@pytest.mark.parametrize(
    "action",
    [
        PlayToFoundation(Source.DEMON, card("AS")),
        PlayToFoundation(COLUMN[0], card("AS")),
        MoveToColumn(Source.WASTE, card("QH"), 0),
        MoveToColumn(COLUMN[1], card("QH"), 0),
    ],
)
def test_nobody_moves_a_card_of_somebody_else(action: Action) -> None:
    """RD-3: a command names no seat but the one that its socket holds, and finds only that seat's cards."""
    hand = playing("2C|KS|JD|||2D|3D", "AS|AS|QH||||QH")
    after, verdict, events = do(hand, 0, action)
    assert (verdict.outcome, verdict.why, events) == (Outcome.REFUSED, Reason.NOT_THERE, ())
    assert after.layouts == hand.layouts


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_no_card_ever_comes_back_from_a_foundation(seed: int) -> None:
    """RD-7: no action names a foundation as its source, and whatever is tried, what has landed lies where it landed."""
    assert not any("foundation" in source or source.startswith("f") for source in Source)
    history = History(seed).play(300)
    for before, after in zip(history.hands, history.hands[1:], strict=False):
        for f, foundation in enumerate(before.foundations):
            for rank, slot in enumerate(foundation.slots, start=1):
                kept = after.foundations[f].slot(rank)
                assert kept is not None
                assert kept.seats[: len(slot.seats)] == slot.seats


def test_a_complete_foundation_still_counts_and_another_of_its_suit_stands_beside_it() -> None:
    """RD-7."""
    hand = playing("2CAS|KD|||||", "2C|KD|||||", foundations=[built("S", 13, seat=1)])
    hand = do(hand, 0, _up("AS")).hand
    assert [(f.suit, f.height, f.complete) for f in hand.foundations] == [("S", 13, True), ("S", 1, False)]
    assert [score.foundation for score in score_hand(hand.layouts, hand.foundations, (), RACING_DEMON)] == [1, 13]


def test_eight_decks_open_32_foundations_and_no_more() -> None:
    """RD-7: one for each ace, four in a deck."""
    aces = "".join(f"A{suit}" for suit in SUITS)
    hand = playing(*[f"{aces}|KS|||||"] * MOST_SEATS)
    for seat in range(MOST_SEATS):
        for suit in reversed(SUITS):
            hand = do(hand, seat, _up(f"A{suit}")).hand
    assert len(hand.foundations) == 32
    assert all(not layout.demon for layout in hand.layouts)


def test_a_card_counts_for_its_owner_whoever_opened_the_foundation() -> None:
    """RD-7, RD-12: what its back tells at a real table, the slot keeps."""
    hand = playing("2S|KD|||||", "2C|KD|||||", foundations=[Foundation("S", (Slot((1,), 1, NOON),))])
    hand = do(hand, 0, _up("2S")).hand
    scores = score_hand(hand.layouts, hand.foundations, (), RACING_DEMON)
    assert [(score.foundation, score.points) for score in scores] == [(1, 1), (1, -1)]


def test_what_lies_in_stock_waste_and_columns_counts_nothing() -> None:
    """RD-12."""
    bare = playing("2C||||||", "||||||")
    full = playing("2C|KD|QC JH|3S|5D|7C 8C|9C TC", "|KD|QC JH|3S|5D|7C 8C|9C TC")
    assert score_hand(full.layouts, (), (), RACING_DEMON) == score_hand(bare.layouts, (), (), RACING_DEMON)


def _up(text: str) -> PlayToFoundation:
    return PlayToFoundation(Source.DEMON, card(text))
