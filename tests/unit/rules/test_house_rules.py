"""What each house rule changes in a hand: the table at the end of docs/rules.md, option by option."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules import transitions
from services.rules.blocked import dead, looked_at, reachable_tops, seat_blocked
from services.rules.cards import card, cards
from services.rules.contest import Contest
from services.rules.events import Called, Ended, EndWhy, Moved, Played, ShiftWhy
from services.rules.foundation import Foundation
from services.rules.hand import Hand, Phase, Seat
from services.rules.layout import Layout
from services.rules.legal_moves import legal_moves
from services.rules.moves import Call, Choice, MoveToColumn, PlayToFoundation, Reason, Recycle, Source, Turn, Vote
from services.rules.options import PRESETS, Options
from services.rules.referee import GRACE_MS
from services.rules.verdict import Outcome, Verdict
from tests.unit.rules.hands import NOON, SECRET, built, do, players, playing


def up(text: str) -> PlayToFoundation:
    return PlayToFoundation(Source.DEMON, card(text))


def why(hand: Hand, seat: int, action: Vote | Recycle | Call | PlayToFoundation | Turn, **when: int) -> object:
    """The reason of a refusal."""
    verdict = do(hand, seat, action, **when).verdict
    assert verdict.outcome is Outcome.REFUSED
    return verdict.why


class TestFirstOnly:
    """``contest`` first_only: the first to land stays, nobody lies beside it."""

    options = Options(contest="first_only", tie_window_ms=250)

    def test_a_card_that_nobody_could_know_to_be_late_still_goes_back(self) -> None:
        hand = playing("9C2S|KS|||||", "9D2S|KS|||||", foundations=[built("S", 1)], options=self.options)
        first = do(hand, 0, up("2S"))
        second = do(first.hand, 1, up("2S"), seen=10)
        assert (first.verdict.outcome, second.verdict) == (
            Outcome.APPLIED,
            Verdict(1, Outcome.RETURNED, seq=12, why=Contest.LATE),
        )
        assert second.hand.foundations[0].slots[1].seats == (0,)
        assert second.hand.layouts[1] == hand.layouts[1]

    def test_aces_never_contend_even_so(self) -> None:
        hand = playing("9CAS|KS|||||", "9DAS|KS|||||", options=self.options)
        both = do(do(hand, 0, up("AS")).hand, 1, up("AS"), seen=10)
        assert [f.height for f in both.hand.foundations] == [1, 1]

    def test_any_foundation_that_takes_it_still_does(self) -> None:
        hand = playing(
            "9C2S|KS|||||", "9D2S|KS|||||", foundations=[built("S", 1), built("S", 1, seat=1)], options=self.options
        )
        second = do(do(hand, 0, up("2S")).hand, 1, up("2S"), seen=10)
        assert (second.verdict.outcome, second.verdict.f) == (Outcome.APPLIED, 1)


class TestTheAutomaticCall:
    """``call`` automatic: the hand ends in the instant in which a demon empties."""

    options = Options(call="automatic")

    def test_the_play_that_empties_the_demon_is_the_call(self) -> None:
        hand = playing("2S|KS|||||", "KD||||||", foundations=[built("S", 1)], options=self.options)
        after, verdict, events = do(hand, 0, up("2S"), seen=9, arrived_ms=NOON - 7)
        assert verdict == Verdict(1, Outcome.APPLIED, seq=11, f=0)
        played, call = events
        assert isinstance(played, Played)
        assert call == Called(12, NOON, 0, 1, 9, NOON - 7, NOON + 80 + GRACE_MS)
        assert (after.phase, after.callers, after.call_seq, after.seq) == (Phase.CLOSING, (0,), 12, 12)

    def test_a_move_to_a_column_empties_it_too(self) -> None:
        hand = playing("2S|3H|||||", "KD||||||", options=self.options)
        _, _, events = do(hand, 0, MoveToColumn(Source.DEMON, card("2S"), 0))
        assert [type(event) for event in events] == [Moved, Called]

    def test_a_card_that_comes_back_calls_nothing(self) -> None:
        """A call with a bounced last demon card is none."""
        hand = playing("9C2S|KS|||||", "2S|KD|||||", foundations=[built("S", 1)], options=self.options)
        hand = do(hand, 0, up("2S")).hand
        bounced = do(hand, 1, up("2S"))
        assert (bounced.verdict.outcome, len(bounced.events), bounced.hand.phase) == (
            Outcome.RETURNED,
            1,
            Phase.PLAYING,
        )

    def test_two_demons_that_empty_indistinguishably_are_both_credited(self) -> None:
        hand = playing("2S|KS|||||", "2H|KD|||||", foundations=[built("S", 1), built("H", 1)], options=self.options)
        second = do(do(hand, 0, up("2S")).hand, 1, up("2H"), seen=10, arrived_ms=NOON + 80)
        assert (second.hand.callers, len(second.events)) == ((0, 1), 2)
        assert second.hand.closes_at == NOON + 80 + GRACE_MS

    def test_nobody_has_to_call_and_a_call_comes_too_late(self) -> None:
        hand = playing("2S|KS|||||", "KD||||||", foundations=[built("S", 1)], options=self.options)
        hand = do(hand, 0, up("2S")).hand
        assert why(hand, 0, Call()) is Reason.ALREADY_CALLED

    def test_optional_means_that_it_goes_on(self) -> None:
        """RD-11: it need not call at once, and may go on scoring."""
        hand = playing("2S|3S|||||", "KD||||||", foundations=[built("S", 1)])
        hand = do(hand, 0, up("2S")).hand
        assert hand.phase is Phase.PLAYING
        assert do(hand, 0, PlayToFoundation(Source.C0, card("3S"))).verdict.outcome is Outcome.APPLIED


class TestInMotionVoid:
    """``in_motion`` void: the hand stops at once, even in mid-placement."""

    options = Options(in_motion="void")

    def test_nothing_arrives_after_the_call_and_there_is_no_grace(self) -> None:
        hand = playing("|KS|||||", "2H|KD|||||", "|KD|||||", foundations=[built("H", 1)], options=self.options)
        called, _, (call,) = do(hand, 0, Call())
        assert isinstance(call, Called)
        assert call.closes_at == NOON
        assert why(called, 1, up("2H"), seen=9, arrived_ms=NOON - 50) is Reason.HAND_OVER
        assert why(called, 2, Call(), seen=9, arrived_ms=NOON - 50) is Reason.ALREADY_CALLED
        over, _ = transitions.end(called, EndWhy.CALLED, now_ms=NOON)
        assert over.phase is Phase.OVER

    def test_in_motion_complete_is_the_other_way(self) -> None:
        """RD-11."""
        hand = playing("|KS|||||", "2H|KD|||||", foundations=[built("H", 1)])
        called = do(hand, 0, Call()).hand
        assert do(called, 1, up("2H"), seen=10, arrived_ms=NOON + 80).verdict.outcome is Outcome.APPLIED


class TestOnePass:
    """``passes`` 1: the waste is never turned over."""

    options = PRESETS["turn_one"]

    def test_the_waste_is_not_turned_over(self) -> None:
        hand = playing("2S|KS|||||5C6D", "KD||||||", options=self.options)
        assert why(hand, 0, Recycle()) is Reason.ONE_PASS
        assert Recycle() not in legal_moves(hand.layouts[0], (), self.options)
        assert Recycle() in legal_moves(hand.layouts[0], (), Options())

    def test_what_can_still_be_reached_is_the_rest_of_this_pass(self) -> None:
        layout = Layout.decode("KC|KS|KD|KH|KS|2C3C4C|9D8D")
        assert reachable_tops(layout, self.options) == set(cards("8D 4C 3C 2C"))
        three = replace(self.options, draw=3)
        assert reachable_tops(layout, three) == set(cards("8D 2C"))

    def test_a_card_that_lies_buried_in_the_waste_frees_nobody(self) -> None:
        """AS lies under 9D; with a second pass it would come up."""
        layout = Layout.decode("KC|KS|KD|KH|JS||AS9D")
        assert seat_blocked(layout, (), self.options)
        assert not seat_blocked(layout, (), Options(draw=1))

    def test_all_blocked_is_the_end(self) -> None:
        layout = Layout.decode("KC|KS|KD|KH|JS||AS9D")
        assert dead([layout], (), self.options)
        assert not dead([layout], (), Options())


class TestStuckEnd:
    """``stuck`` end: all blocked = the hand is over."""

    def test_there_is_no_vote_to_shift(self) -> None:
        hand = playing("2S|KS|||||", "KD||||||", options=Options(stuck="end"))
        assert why(hand, 0, Vote(Choice.SHIFT, 0)) is Reason.NO_SHIFT
        assert do(hand, 0, Vote(Choice.END, 0)).hand.votes == (Choice.END, None)

    def test_what_only_a_shift_would_free_is_the_end(self) -> None:
        """With three at a time, 2C never comes on top: a shift would bring it there."""
        layout = Layout.decode("KC|KS|KD|KH|JS|9S9H9D2C9C|")
        foundations = (built("C", 1),)
        assert not dead([layout], foundations, Options())
        assert dead([layout], foundations, Options(stuck="end"))


class TestTheProof:
    """RD-10 (e): the log of a dead hand says which cards were looked at."""

    layouts = (Layout.decode("KC|KS|KD|KH|JS|9S9H2C|9D"), Layout.decode("KD|KS|KC|KH|JD||"))

    def test_with_shifts_every_card_of_stock_and_waste(self) -> None:
        assert looked_at(self.layouts, Options()) == (cards("2C 9D 9H 9S"), ())
        assert looked_at(self.layouts, Options(), away=(0,)) == ((), ())

    def test_without_them_the_tops_that_can_be_reached(self) -> None:
        assert looked_at(self.layouts, Options(stuck="end")) == (cards("9D 9H 9S"), ())

    def test_it_is_in_the_event_of_the_end(self) -> None:
        hand = playing("KC|KS|KD|KH|JS|9S9H2C|9D", "KD|KS|KC|KH|JD||")
        _, event = transitions.end(hand, EndWhy.DEAD, if_seq=hand.seq, now_ms=NOON)
        assert isinstance(event, Ended)
        assert event.looked == (cards("2C 9D 9H 9S"), ())
        _, event = transitions.end(hand, EndWhy.AGREED, if_seq=hand.seq, now_ms=NOON)
        assert isinstance(event, Ended)
        assert event.looked == ()


class TestDisputes:
    """``dispute`` replay_hand: all agree, and the hand is void and dealt again."""

    def test_a_vote_for_it_needs_the_rule(self) -> None:
        hand = playing("2S|KS|||||", "KD||||||")
        assert why(hand, 0, Vote(Choice.REPLAY, 0)) is Reason.NO_REPLAY
        disputed = playing("2S|KS|||||", "KD||||||", options=Options(dispute="replay_hand"))
        assert do(disputed, 0, Vote(Choice.REPLAY, 0)).hand.votes == (Choice.REPLAY, None)

    def test_a_disputed_hand_has_no_scores(self) -> None:
        hand = playing("2S|KS|||||", "KD||||||", options=Options(dispute="replay_hand"))
        over, event = transitions.end(hand, EndWhy.DISPUTED, if_seq=hand.seq, now_ms=NOON)
        assert isinstance(event, Ended)
        assert (over.phase, event.scores, event.why.counts) == (Phase.OVER, (), False)
        assert transitions.end(hand, EndWhy.DISPUTED, if_seq=hand.seq - 1, now_ms=NOON) == (hand, None)


class TestTheQuestion:
    """RD-10: an idle table is asked, once until there is progress."""

    foundations: tuple[Foundation, ...] = (built("S", 1),)

    def test_it_is_asked_once_and_progress_answers_it(self) -> None:
        hand = playing("2S|KS||||9C9D|", "KD||||||", foundations=self.foundations)
        asked, event = transitions.ask(hand, progress=0, now_ms=NOON)
        assert event is not None
        assert (asked.asked, asked.seq) == (True, 11)
        assert transitions.ask(asked, progress=0, now_ms=NOON) == (asked, None)
        assert do(asked, 0, Turn(2)).hand.asked
        assert not do(asked, 0, up("2S")).hand.asked
        shifted, _ = transitions.shift(asked, ShiftWhy.AGREED, if_seq=asked.seq, away=(), now_ms=NOON)
        assert not shifted.asked

    def test_a_question_that_progress_overtook_is_not_asked(self) -> None:
        hand = do(playing("2S|KS|||||", "KD||||||", foundations=self.foundations), 0, up("2S")).hand
        assert transitions.ask(hand, progress=0, now_ms=NOON) == (hand, None)


class TestTheHandicap:
    """``demon_size`` for each seat."""

    @pytest.mark.parametrize("sizes", [(5, 20), (13, 8, 10)])
    def test_each_seat_gets_its_own_demon(self, sizes: tuple[int, ...]) -> None:
        seats = len(sizes)
        hand, _ = transitions.prepare([Seat()] * seats, match="m", number=1, secret=SECRET, seq=0, now_ms=NOON)
        dealt, _ = transitions.deal(
            hand, options=Options(demon_size=sizes), players=players(seats), start_at=NOON, now_ms=NOON
        )
        assert tuple(len(layout.demon) for layout in dealt.layouts) == sizes
        assert all(len(layout) == 52 for layout in dealt.layouts)
