"""Faults that players of similar games have met, under every preset: none may happen whatever the house rules are."""

from __future__ import annotations

import pytest

from services.rules import transitions
from services.rules.cards import card
from services.rules.events import EndWhy, ShiftWhy
from services.rules.hand import Hand, Phase
from services.rules.moves import (
    Action,
    Call,
    Choice,
    MoveToColumn,
    PlayToFoundation,
    Reason,
    Recycle,
    Source,
    Turn,
    Vote,
)
from services.rules.options import PRESETS, Options
from services.rules.scoring import match_result
from services.rules.teams import teams
from services.rules.verdict import Outcome
from tests.unit.rules.hands import NOON, History, built, do, playing

every_preset = pytest.mark.parametrize("options", PRESETS.values(), ids=PRESETS)
SEATS = 4


def table(options: Options, first: str, second: str) -> Hand:
    """Four seats, the first two with these layouts, spades and hearts begun."""
    rest = ("KD|KC|||||", "KH|KC|||||")
    return playing(first, second, *rest, foundations=[built("S", 1), built("H", 1)], options=options)


def up(text: str) -> PlayToFoundation:
    return PlayToFoundation(Source.DEMON, card(text))


def out(hand: Hand, seat: int, options: Options) -> Hand:
    """The seat plays its last demon card and calls, if that doesn't go by itself."""
    hand = do(hand, seat, up("2S")).hand
    return hand if options.call == "automatic" else do(hand, seat, Call()).hand


@every_preset
def test_new_moves_after_the_call_are_refused_and_those_in_motion_are_ruled(options: Options) -> None:
    called = out(table(options, "2S|KS|||||", "2H|KD|||||"), 0, options)
    assert called.phase is Phase.CLOSING
    knew = do(called, 1, up("2H"), seen=called.seq, arrived_ms=NOON + 10, now_ms=NOON + 10)
    assert (knew.verdict.outcome, knew.verdict.why) == (Outcome.REFUSED, Reason.HAND_OVER)
    moving = do(called, 1, up("2H"), seen=10, arrived_ms=NOON + 10, now_ms=NOON + 10)
    expected = Outcome.APPLIED if options.in_motion == "complete" else Outcome.REFUSED
    assert moving.verdict.outcome is expected
    late = do(called, 1, up("2H"), seen=10, arrived_ms=NOON + 900, now_ms=NOON + 900)
    assert late.verdict.outcome is Outcome.REFUSED


@every_preset
def test_a_bounced_last_demon_card_is_no_call(options: Options) -> None:
    hand = do(table(options, "9C2S|KS|||||", "2S|KD|||||"), 0, up("2S")).hand
    bounced = do(hand, 1, up("2S"))
    assert (bounced.verdict.outcome, len(bounced.events)) == (Outcome.RETURNED, 1)
    called = do(bounced.hand, 1, Call())
    assert (called.verdict.why, called.hand.phase) == (Reason.DEMON_NOT_EMPTY, Phase.PLAYING)


@every_preset
def test_the_waste_is_never_turned_over_while_stock_remains(options: Options) -> None:
    refused = do(table(options, "2S|KS|||||", "9C|KD||||5C6C|7C"), 1, Recycle()).verdict.why
    assert refused is (Reason.ONE_PASS if options.passes == 1 else Reason.STOCK_NOT_EMPTY)


@every_preset
def test_a_double_click_on_the_stock_turns_once(options: Options) -> None:
    hand = table(options, "2S|KS|||||", "9C|KD||||5C6C7C8C|")
    once = do(hand, 1, Turn(4))
    twice = do(once.hand, 1, Turn(4))
    assert once.verdict.outcome is Outcome.APPLIED
    assert (twice.verdict.outcome, twice.hand.layouts) == (Outcome.REFUSED, once.hand.layouts)


@every_preset
@pytest.mark.parametrize(
    "nonsense",
    [
        PlayToFoundation(Source.WASTE, card("5C")),
        PlayToFoundation(Source.DEMON, card("2S")),
        PlayToFoundation(Source.C0, card("QC")),
        PlayToFoundation(Source.C0, card("2H"), 99),
        PlayToFoundation(Source.C3, card("KD"), 0),
        MoveToColumn(Source.C0, card("KD"), 0),
        MoveToColumn(Source.C0, card("9C"), 1),
        MoveToColumn(Source.C1, card("KS"), 2),
        Turn(52),
        Turn(0),
        Recycle(),
        Call(),
        Vote(Choice.END, 77),
    ],
    ids=str,
)
def test_what_can_t_be_is_refused_with_a_reason_and_changes_nothing(options: Options, nonsense: Action) -> None:
    hand = table(options, "2S|KS|||||", "9C|KDQC2H|||||")
    after = do(hand, 1, nonsense)
    assert after.verdict.outcome is Outcome.REFUSED
    assert isinstance(after.verdict.why, Reason)
    assert (after.events, after.hand.layouts, after.hand.foundations) == ((), hand.layouts, hand.foundations)


@every_preset
def test_two_aces_of_one_suit_open_two_foundations(options: Options) -> None:
    hand = table(options, "9CAS|KS|||||", "9CAS|KD|||||")
    both = do(do(hand, 0, up("AS")).hand, 1, up("AS"), seen=10)
    assert [f.suit for f in both.hand.foundations] == ["S", "H", "S", "S"]


@every_preset
def test_equal_totals_at_the_target_are_what_the_rules_say_and_nothing_is_reset(options: Options) -> None:
    even = [[options.target] * SEATS]
    result = match_result(even, options)
    assert (result.over, result.playoff) == ((False, True) if options.match_end == "playoff" else (True, False))
    after = match_result([*even, [options.target + 9] * SEATS], options)
    assert after.over
    assert after.winners == tuple(range(SEATS))
    one = teams(SEATS, options)[0]
    ahead = [options.target if seat in one else 0 for seat in range(SEATS)]
    assert match_result([ahead], options).winners == one


@every_preset
def test_nobody_moves_in_the_countdown_or_after_the_end(options: Options) -> None:
    history = History(1, SEATS, options)
    dealt = history.hands[1]
    assert dealt.phase is Phase.DEALT
    over = history.finish().hand
    for hand, reason in ((dealt, Reason.NOT_STARTED), (over, Reason.HAND_OVER)):
        for action in (Turn(35), Call(), Vote(Choice.END, 0), PlayToFoundation(Source.DEMON, card("AS"))):
            after = do(hand, 0, action)
            assert (after.verdict.outcome, after.verdict.why) == (Outcome.REFUSED, reason)
    for late in (
        transitions.end(over, EndWhy.CALLED, now_ms=NOON + 10**6),
        transitions.shift(over, ShiftWhy.BLOCKED, if_seq=over.seq, away=(), now_ms=NOON),
        transitions.ask(over, progress=over.progress, now_ms=NOON),
        transitions.start(over, NOON + 10**6),
    ):
        assert late == (over, None), "no timer outlives its hand"


@every_preset
def test_the_hand_ends_though_the_last_cards_are_claimed_together(options: Options) -> None:
    hand = table(options, "2S|KS|||||", "2S|KD|||||")
    both = do(do(hand, 0, up("2S")).hand, 1, up("2S"), seen=10).hand
    if options.call == "optional":
        assert both.foundations[0].slots[1].seats == (0, 1)
        both = do(do(both, 0, Call()).hand, 1, Call(), seen=both.seq).hand
    assert both.callers == ((0,) if options.in_motion == "void" else (0, 1))
    assert both.closes_at is not None
    over, event = transitions.end(both, EndWhy.CALLED, now_ms=both.closes_at)
    assert event is not None
    assert over.phase is Phase.OVER
