"""RD-10: blocked seats, blocked tables, dead ones. The short ways against the literal ones."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from services.rules.blocked import arrangements, dead, reachable_tops, seat_blocked, table_blocked, walk_is_dead
from services.rules.cards import cards
from services.rules.layout import Layout
from services.rules.moves import turned_over
from services.rules.options import RACING_DEMON, Options
from tests.unit.rules.hands import built
from tests.unit.rules.positions import blocked_layout, literally_blocked, random_foundations, random_layout

HOUSES = [Options(draw=draw, gap_fill=gaps) for draw in (3, 1) for gaps in ("any", "demon_only")]


def blocked(layout: str, *foundations: tuple[str, int], options: Options = RACING_DEMON) -> bool:
    decoded, up = Layout.decode(layout), tuple(built(suit, height) for suit, height in foundations)
    assert literally_blocked(decoded, up, options) is seat_blocked(decoded, up, options)
    return seat_blocked(decoded, up, options)


def test_with_an_empty_demon_the_columns_are_searched() -> None:
    """RD-10 (b), its example: TS to JH, then the QC tail to the gap, then K♦ scores."""
    heights = (("S", 7), ("H", 8), ("D", 12), ("C", 2))
    assert not blocked("|KDQCJH|TS|KS|5C||", *heights)
    assert blocked("|KDQCJH|TS|KS|5C||", *heights, options=Options(gap_fill="demon_only"))
    assert blocked("|KDQCJH|TD|KS|5C||", *heights)


def test_one_tail_move_opens_the_place_for_another() -> None:
    """RD-10 (b): also with cards in the demon no single move tells. TH to JC, QD to KS, then K♣ goes up."""
    assert not blocked("9H|KCQDJC|KSTH|KD|KH||", ("C", 12))
    assert blocked("9H|KCQDJC|KSTD|KD|KH||", ("C", 11))


def test_an_empty_demon_alone_frees_nobody() -> None:
    """RD-10 (b): a seat that neither calls nor can make progress is blocked too."""
    assert blocked("|KS|KC|KD|KH||")
    assert blocked("||||||")


@pytest.mark.parametrize(
    ("layout", "why"),
    [
        ("2S|KS|KC|KD|KH||", "the demon's top goes up"),
        ("QH|KS|KC|KD|9H||", "the demon's top fits a column"),
        ("9H||KC|KD|KH||", "the demon's top fills a gap"),
        ("9H|KS|KC|KD|2S||", "an exposed end goes up"),
        ("9H|KS|KC|KD|KH||2S", "the waste's top goes up"),
        ("9H|KS|KC|KD|KH|2S5H7H|", "a card that turning brings goes up"),
        ("9H|KS|KC|KD|KH|2S|5H7H6H", "and also after turning the waste over"),
        ("9H|QH|KC|KD|KH||", "a whole column goes onto another"),
        ("9H|2S8H|9C|KD|KH||", "a tail that moves uncovers a card that goes up"),
        ("9H|KDQSJH|KHTS|KS|2S8H8C||", "a tail that moves opens the place for another"),
    ],
)
def test_a_seat_that_can_make_progress_is_not_blocked(layout: str, why: str) -> None:
    """RD-10 (a), (b)."""
    assert not blocked(layout, ("S", 1), ("H", 1)), why


@pytest.mark.parametrize(
    "layout",
    [
        "9H|KS|KC|KD|KH||",
        "2S9H|KS|KC|KD|KH||",
        "9H|KS|KC|KD|KH|7H5H2S8H|",
        "9H|2SKS|KC|KD|KH||2S9D",
        "9H|KSQH|KC|KD|KH||",
    ],
)
def test_tails_and_turning_alone_are_no_progress(layout: str) -> None:
    """RD-10 (a): moving QH between two black kings goes on for ever."""
    assert blocked(layout, ("S", 1), ("H", 1))


def test_the_tops_that_turning_reaches() -> None:
    """RD-10 (c): the current top, the rest of this pass, and after turning over every third and the last."""
    layout = Layout.decode("|||||2S3S4S5S6S|AH2H3H4H")
    assert reachable_tops(layout, RACING_DEMON) == set(cards("4H 4S 2S 3H 5S"))
    assert reachable_tops(layout, Options(draw=1)) == set(cards("AH2H3H4H2S3S4S5S6S"))
    assert reachable_tops(Layout.decode("AS||||||"), RACING_DEMON) == set()


@pytest.mark.parametrize("options", HOUSES, ids=lambda o: f"draw {o.draw}, gaps {o.gap_fill}")
def test_the_search_agrees_with_trying_every_sequence(options: Options) -> None:
    """RD-10 (b), (c), by 1,000 positions each."""
    rng = random.Random(options.to_json())
    found: Counter[tuple[bool, bool]] = Counter()
    for _ in range(1_000):
        foundations = random_foundations(rng)
        layout = random_layout(rng, foundations)
        expected = literally_blocked(layout, foundations, options)
        assert seat_blocked(layout, foundations, options) is expected, (layout.encode(), foundations)
        found[expected, bool(layout.demon)] += 1
    assert min(found[kind] for kind in ((True, True), (True, False), (False, True), (False, False))) > 30


@pytest.mark.parametrize("options", HOUSES, ids=lambda o: f"draw {o.draw}, gaps {o.gap_fill}")
def test_one_step_proves_what_the_table_would_find_out_by_walking(options: Options) -> None:
    """RD-10 (e): 250 blocked tables of 2 to 8 seats each, against the literal walk of shifts."""
    rng = random.Random(options.to_json())
    found: Counter[bool] = Counter()
    tables = 0
    while tables < 250:
        foundations = random_foundations(rng)
        seats = rng.randint(2, 8)
        layouts = [layout for _ in range(seats) if (layout := blocked_layout(rng, foundations, options))]
        if len(layouts) < 2:
            continue
        assert table_blocked(layouts, foundations, options)
        expected = walk_is_dead(layouts, foundations, options)
        assert dead(layouts, foundations, options) is expected, [layout.encode() for layout in layouts]
        found[expected] += 1
        tables += 1
    assert found[True] > 25
    assert found[False] > 25 or options.draw == 1


def test_with_draw_one_a_blocked_table_is_dead_at_once() -> None:
    """RD-10 (e): no shift brings a card that turning doesn't."""
    rng = random.Random(4)
    for _ in range(50):
        foundations = random_foundations(rng)
        layout = blocked_layout(rng, foundations, Options(draw=1))
        if layout is not None:
            assert dead([layout], foundations, Options(draw=1))


def test_a_shift_frees_a_table_that_is_blocked_and_not_dead() -> None:
    """RD-10: the 2S is second of three; the second shift makes it a top."""
    up = (built("S", 1), built("H", 1))
    seats = [Layout.decode("9H|KS|KC|KD|KH|7H2S5H|"), Layout.decode("9H|KS|KC|KD|KH||")]
    assert table_blocked(seats, up, RACING_DEMON)
    assert not dead(seats, up, RACING_DEMON)
    shifted = [turned_over(turned_over(seat)) for seat in seats]
    assert not table_blocked(shifted, up, RACING_DEMON)


def test_one_seat_that_can_play_keeps_the_table_going() -> None:
    """RD-10: never one seat alone while others can play."""
    stuck, free = Layout.decode("9H|KS|KC|KD|KH||"), Layout.decode("2S|KS|KC|KD|KH||")
    assert not table_blocked([stuck, free], (built("S", 1),), RACING_DEMON)
    assert not dead([stuck, free], (built("S", 1),), RACING_DEMON)
    assert dead([stuck, stuck], (built("S", 1),), RACING_DEMON)


def test_a_table_without_seats_is_not_blocked() -> None:
    assert not table_blocked([], (), RACING_DEMON)
    assert not dead([], (), RACING_DEMON)
    assert not walk_is_dead([], (), RACING_DEMON)


def test_the_search_always_ends_also_for_a_whole_suit_s_worth_of_tails() -> None:
    """The most that ordered tails and gaps can make of it stays small."""
    long_tails = Layout.decode("|KSQHJSTH9S8H7S6H5S4H3S2H|KHQSJHTS9H8S7H6S5H4S3H2S||||")
    assert sum(1 for _ in arrangements(long_tails.columns, RACING_DEMON)) < 20_000
