"""A view is what everybody may see: it follows the hand, and nothing hidden gets into it."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.cards import Card, card, cards
from services.rules.events import Dealt, Ended, Event, Moved, Played, Prepared, SeatEvent, Turned, encode_body
from services.rules.hand import Hand, Phase
from services.rules.layout import Layout
from services.rules.legal_moves import legal_moves
from services.rules.moves import Action, Choice, MoveToColumn, PlayToFoundation, Recycle, Source, Turn
from services.rules.options import Options
from services.rules.view import FoundationView, SeatView, SequenceGap, TableView, view
from tests.unit.rules.hands import NOON, SECRET, History, anything, built, do, houses, playing

seeds = st.integers(0, 2**32)

SNAPSHOT: dict[str, Any] = {
    "t": "snapshot",
    "seq": 40,
    "digest": "0123456789abcdef",
    "phase": "closing",
    "hand": 2,
    "match": "m",
    "options": {"draw": 1},
    "commitment": "c0",
    "start_at": 900,
    "closes_at": 2_000,
    "progress": 17,
    "callers": [1],
    "votes": {"0": "shift"},
    "asked": True,
    "away": [1],
    "seats": [
        {
            "demon": 2,
            "top": "KD",
            "columns": [["9H"], [], ["TS", "9D"], ["2C"]],
            "stock": 12,
            "waste": 3,
            "waste_top": "7H",
        },
        {"demon": 0, "top": None, "columns": [[], [], [], []], "stock": 0, "waste": 0, "waste_top": None},
    ],
    "foundations": [{"suit": "S", "ranks": [[0], [1, 0]]}],
    "last_n": [4, 0],
}


@settings(max_examples=15)
@given(seed=seeds, seats=st.integers(2, 8), options=houses)
def test_a_view_that_follows_the_events_is_the_hand_s_own_view(seed: int, seats: int, options: Options) -> None:
    history = History(seed, seats, options).play(400).finish()
    table = TableView()
    for event, hand in zip(history.events, history.hands, strict=True):
        table = table.apply(event)
        if event.seq == hand.seq:  # not within a commit
            assert table.newcomer() == view(hand)


@settings(max_examples=15)
@given(seed=seeds)
def test_a_view_remembers_of_the_waste_what_was_shown_and_only_that(seed: int) -> None:
    history = History(seed).play(400)
    table = TableView()
    remembered = 0
    for event, hand in zip(history.events, history.hands, strict=True):
        table = table.apply(event)
        for seat, layout in zip(table.seats, hand.layouts, strict=True):
            assert len(seat.waste) == len(layout.waste)
            assert all(known in (None, lying) for known, lying in zip(seat.waste, layout.waste, strict=True))
            remembered += sum(known is not None for known in seat.waste[:-1])
    assert remembered or len(history.events) < 50


@settings(max_examples=15)
@given(seed=seeds)
def test_an_event_names_only_cards_that_lie_open(seed: int) -> None:
    """Nothing hidden is in the log before the hand is over."""
    history = History(seed).play(400).finish()
    for before, after, event in zip(history.hands, history.hands[1:], history.events[1:], strict=False):
        if not isinstance(event, Ended):
            assert SECRET not in encode_body(event)
            assert named(event) <= open_cards(before) | open_cards(after)


@settings(max_examples=15)
@given(seed=seeds)
def test_hands_that_differ_only_in_hidden_cards_can_t_be_told_apart(seed: int) -> None:
    """Views, verdicts and events are equal until a hidden card becomes available; whatever is asked."""
    rng = random.Random(seed)
    hand = History(seed, seats=2).play(rng.randrange(400)).hand
    twin = replace(hand, layouts=tuple(hidden_cards_shuffled(layout, rng) for layout in hand.layouts))
    for _ in range(60):
        assert view(hand) == view(twin)
        seat = rng.randrange(2)
        legal = legal_moves(hand.layouts[seat], hand.foundations, hand.options)
        action: Action = rng.choice(legal) if legal and rng.random() < 0.7 else anything(rng, hand.progress)
        seen = hand.seq - rng.randrange(6)
        mine, its = (do(table, seat, action, seen=seen, now_ms=NOON + 10**7) for table in (hand, twin))
        assert mine.verdict == its.verdict
        assert list(map(without_shows, mine.events)) == list(map(without_shows, its.events))
        if mine.events != its.events:
            return
        hand, twin = mine.hand, its.hand


def test_a_snapshot_holds_the_same_view() -> None:
    table = TableView.from_snapshot(SNAPSHOT)
    assert (table.seq, table.phase, table.options.draw, table.callers) == (40, Phase.CLOSING, 1, (1,))
    assert table.asked
    assert (table.votes, table.progress, table.closes_at) == ((Choice.SHIFT, None), 17, 2_000)
    columns = (cards("9H"), (), cards("TS9D"), cards("2C"))
    assert table.seats[0] == SeatView(2, card("KD"), columns, 12, (None, None, card("7H")))
    assert table.seats[1] == SeatView(0, None, ((), (), (), ()), 0, ())
    assert table.foundations == (FoundationView("S", ((0,), (1, 0))),)


def test_a_snapshot_before_the_deal_has_no_seats_and_no_options() -> None:
    table = TableView.from_snapshot(
        SNAPSHOT | {"phase": "prepared", "options": None, "seats": [], "votes": {}, "foundations": [], "callers": []}
    )
    assert (table.phase, table.seats, table.votes) == (Phase.PREPARED, (), ())


def test_a_newcomer_s_view_goes_on_like_everybody_s() -> None:
    """A snapshot in the middle, then the same events: the same table."""
    history = History(5).play(200)
    middle = len(history.events) // 2
    table = view(history.hands[middle])
    for event in history.events[middle + 1 :]:
        table = table.apply(event)
    assert table.newcomer() == view(history.hand)


def test_an_event_that_comes_twice_is_applied_once() -> None:
    table = TableView()
    for event in History(2).play(50).events:
        table = table.apply(event)
        assert table.apply(event) is table


def test_a_gap_is_found_out() -> None:
    events = History(2).play(50).events
    with pytest.raises(SequenceGap):
        TableView().apply(events[0]).apply(events[2])


def test_nobody_has_a_legal_move_before_the_signal_or_after_the_call() -> None:
    """RD-3, RD-11."""
    history = History(2)
    assert [len(view(hand).legal_moves(0)) if hand.layouts else 0 for hand in history.hands[:2]] == [0, 0]
    assert view(history.hand).legal_moves(0)
    called = playing("|KS|||||2C", "KD||||||")
    assert view(called).legal_moves(0)
    assert view(replace(called, phase=Phase.CLOSING)).legal_moves(0) == []


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (PlayToFoundation(Source.WASTE, card("2S")), "5C4D|9H8S|TS||KH|3C4C5S|7H"),
        (MoveToColumn(Source.C0, card("9H"), 1), "5C4D||TS9H8S||KH|3C4C5S|7H2S"),
        (MoveToColumn(Source.DEMON, card("4D"), 2), "5C|9H8S|TS|4D|KH|3C4C5S|7H2S"),
        (Turn(3), "5C4D|9H8S|TS||KH||7H2S5S4C3C"),
    ],
)
def test_a_move_does_to_the_view_what_it_does_to_the_layout(action: Action, expected: str) -> None:
    hand = playing("5C4D|9H8S|TS||KH|3C4C5S|7H2S", "KD||||||", foundations=[built("S", 1)])
    event = do(hand, 0, action).events[0]
    assert event is not None
    assert view(hand).apply(event).newcomer().seats[0] == view(playing(expected, "KD||||||")).seats[0]


def test_the_waste_turned_over_is_the_stock_again() -> None:
    """RD-9."""
    hand = playing("KD||||||7H2S", "KD||||||")
    event = do(hand, 0, Recycle()).events[0]
    assert event is not None
    assert view(hand).apply(event).seats[0] == SeatView(1, card("KD"), ((), (), (), ()), 2, ())


def hidden_cards_shuffled(layout: Layout, rng: random.Random) -> Layout:
    hidden = [*layout.demon[:-1], *layout.stock, *layout.waste[:-1]]
    rng.shuffle(hidden)
    d, s = len(layout.demon[:-1]), len(layout.stock)
    demon, stock, waste = hidden[:d], hidden[d : d + s], hidden[d + s :]
    return Layout((*demon, *layout.demon[-1:]), layout.columns, tuple(stock), (*waste, *layout.waste[-1:]))


def without_shows(event: Event | None) -> Event | None:
    return replace(event, shows=None) if isinstance(event, Moved | Turned | Played) else event


def open_cards(hand: Hand) -> set[Card]:
    open_now = set()
    for layout in hand.layouts:
        open_now |= {*layout.demon[-1:], *layout.waste[-1:], *(c for column in layout.columns for c in column)}
    return open_now


def named(event: Event) -> set[Card]:
    """The cards that an event says."""
    if isinstance(event, Dealt):
        return {c for seat in event.layouts for c in (seat.top, *seat.columns)}
    said = (getattr(event, name, None) for name in ("card", "shows")) if isinstance(event, SeatEvent) else ()
    return {found for found in said if isinstance(found, Card)}


def test_the_first_view_of_a_table_is_empty() -> None:
    table = TableView().apply(Prepared(1, NOON, 1, "m", 2, "c0"))
    assert (table.seq, table.phase, table.seats, table.legal_moves(0)) == (1, Phase.PREPARED, (), [])
