"""The referee's rules in their order (docs/architecture.md), and what must hold whatever is asked of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules import transitions
from services.rules.aces_up.moves import Reason as AcesUpReason
from services.rules.cards import card
from services.rules.contest import Contest, decide, unaware
from services.rules.events import Called, EndWhy, Moved, Played, Returned, Turned
from services.rules.hand import Hand, Phase
from services.rules.moves import Call, Choice, MoveToColumn, PlayToFoundation, Reason, Recycle, Source, Turn, Vote
from services.rules.options import Options
from services.rules.referee import GRACE_MS, Command, judge
from services.rules.replay import conserved
from services.rules.verdict import Outcome, Verdict
from tests.unit.rules.hands import NOON, History, built, command, do, houses, playing

seeds = st.integers(0, 2**32)


def up(text: str, source: Source = Source.DEMON, to: int | None = None) -> PlayToFoundation:
    return PlayToFoundation(source, card(text), to)


def refusal(hand: Hand, asked: Command, now_ms: int = NOON) -> Reason | Contest | None:
    """Why it was refused; nothing but the command's number has changed."""
    after, verdict, events = judge(hand, asked, now_ms)
    assert verdict.outcome is Outcome.REFUSED
    assert not events
    assert replace(after, seats=hand.seats) == hand
    assert after.seats[asked.seat].last_n == asked.n
    assert not isinstance(verdict.why, AcesUpReason)
    return verdict.why


class TestNumbersAndEpochs:
    """Rules 1 and 2."""

    def test_an_older_socket_s_command_changes_nothing(self) -> None:
        hand = transitions.attach(playing("AS|KS|||||", "KD||||||"), 0)
        after, verdict, events = judge(hand, replace(command(hand, 0, up("AS")), epoch=0), NOON)
        assert (after, verdict, events) == (hand, Verdict(1, Outcome.TAKEN_OVER), ())

    def test_an_epoch_that_the_seat_has_not_come_to_is_of_a_lost_history(self) -> None:
        hand = transitions.attach(playing("AS|KS|||||", "KD||||||"), 0)
        after, verdict, events = judge(hand, replace(command(hand, 0, up("AS")), epoch=2), NOON)
        assert (after, verdict, events) == (hand, Verdict(1, Outcome.SET_BACK), ())

    def test_a_repeated_command_gets_the_verdict_that_it_got(self) -> None:
        """Whatever has happened meanwhile."""
        hand = playing("2SAS|KS|||||", "KD||||||")
        asked = command(hand, 0, up("AS"))
        after, first, _ = judge(hand, asked, NOON)
        later = do(after, 0, up("2S")).hand
        assert judge(later, asked, NOON + 5_000) == (later, first, ())

    def test_a_refusal_is_kept_like_any_verdict(self) -> None:
        hand = playing("2S|KS|||||", "KD||||||")
        asked = command(hand, 0, up("2S"))
        after, refused, _ = judge(hand, asked, NOON)
        assert judge(after, asked, NOON) == (after, refused, ())

    def test_a_gap_in_the_numbers_changes_nothing(self) -> None:
        hand = playing("AS|KS|||||", "KD||||||")
        after, verdict, events = judge(hand, replace(command(hand, 0, up("AS")), n=3), NOON)
        assert (after, verdict, events) == (hand, Verdict(3, Outcome.OUT_OF_ORDER, last=0), ())

    def test_a_verdict_that_is_no_longer_kept_is_said_to_be_forgotten(self) -> None:
        hand = playing("2S|KS||||2C|", "KD||||||")
        for _ in range(65):
            hand = do(hand, 0, Turn(9)).hand
        after, verdict, events = judge(hand, replace(command(hand, 0, Turn(1)), n=1), NOON)
        assert (after, verdict, events) == (hand, Verdict(1, Outcome.REFUSED, why=Reason.FORGOTTEN), ())
        assert judge(hand, replace(command(hand, 0, Turn(1)), n=2), NOON).verdict.why is Reason.STOCK_CHANGED


class TestTheHand:
    """Rules 4 and 5."""

    def test_a_command_for_another_hand_is_refused(self) -> None:
        hand = playing("AS|KS|||||", "KD||||||")
        assert refusal(hand, replace(command(hand, 0, up("AS")), hand=2)) is Reason.WRONG_HAND

    @pytest.mark.parametrize("phase", [Phase.PREPARED, Phase.DEALT])
    def test_nobody_moves_before_the_signal(self, phase: Phase) -> None:
        """RD-3."""
        hand = replace(playing("AS|KS|||||", "KD||||||"), phase=phase)
        assert refusal(hand, command(hand, 0, up("AS"))) is Reason.NOT_STARTED

    def test_nobody_moves_after_the_end(self) -> None:
        hand, _ = transitions.end(playing("AS|KS|||||", "KD||||||"), EndWhy.VOID, now_ms=NOON)
        assert refusal(hand, command(hand, 0, up("AS"))) is Reason.HAND_OVER

    @pytest.mark.parametrize(
        ("action", "reason"),
        [
            (up("2S"), Reason.NOT_THERE),
            (up("KH"), Reason.NOT_THERE),
            (up("5H"), Reason.NO_PLACE),
            (MoveToColumn(Source.DEMON, card("5H"), 0), Reason.DOES_NOT_FIT),
            (Recycle(), Reason.STOCK_NOT_EMPTY),
            (Turn(3), Reason.STOCK_CHANGED),
            (Call(), Reason.DEMON_NOT_EMPTY),
        ],
    )
    def test_an_illegal_move_is_refused_with_its_reason(
        self, action: PlayToFoundation | MoveToColumn | Turn | Recycle | Call, reason: Reason
    ) -> None:
        """Two in a row, both reasons arrive under their own number."""
        hand = playing("2S5H|KS|9D|9C|9S|2C|3C", "KD||||||")
        assert refusal(hand, command(hand, 0, action)) is reason
        second = do(do(hand, 0, action).hand, 0, Recycle()).verdict
        assert second == Verdict(2, Outcome.REFUSED, why=Reason.STOCK_NOT_EMPTY)


class TestRaces:
    """Rule 7, RD-7, RD-8."""

    def test_two_seats_go_for_one_place_and_neither_could_know(self) -> None:
        """Each gets exactly one verdict."""
        hand = playing("9C2S|KS|||||", "9D2S|KS|||||", foundations=[built("S", 1, seat=2)])
        first = do(hand, 0, up("2S"), now_ms=NOON + 5)
        second = do(first.hand, 1, up("2S"), seen=10, arrived_ms=NOON + 70, now_ms=NOON + 75)
        assert first.verdict == Verdict(1, Outcome.APPLIED, seq=11, f=0)
        assert second.verdict == Verdict(1, Outcome.TIED, seq=12, f=0)
        assert second.events[0] == Played(
            12, NOON + 75, 1, 1, 10, NOON + 70, Source.DEMON, card("2S"), None, card("9D"), 0, 2, tie=True
        )
        assert second.hand.foundations[0].slots[1].seats == (0, 1)

    def test_a_lost_card_goes_back_exactly_where_it_was(self) -> None:
        """RD-8: the demon's next card has not been turned. A lost race is always answered."""
        hand = playing("9C2S|KS|||||", "9D2S|KS|||||", foundations=[built("S", 1, seat=2)])
        hand = do(hand, 0, up("2S"), now_ms=NOON).hand
        after, verdict, (event,) = do(hand, 1, up("2S"), seen=10, arrived_ms=NOON + 81, now_ms=NOON + 90)
        assert verdict == Verdict(1, Outcome.RETURNED, seq=12, why=Contest.LATE)
        assert event == Returned(
            12, NOON + 90, 1, 1, 10, NOON + 81, Source.DEMON, card("2S"), None, 0, 2, Contest.LATE, (0,), 81
        )
        assert (after.layouts, after.foundations, after.progress) == (hand.layouts, hand.foundations, hand.progress)

    def test_the_next_card_builds_on_a_common_rank(self) -> None:
        """RD-8."""
        hand = playing("3S2S|KS|||||", "9D2S|KS|||||", foundations=[built("S", 1, seat=2)])
        hand = do(do(hand, 0, up("2S")).hand, 1, up("2S"), seen=10).hand
        after = do(hand, 0, up("3S"))
        assert (after.verdict.outcome, after.hand.foundations[0].height) == (Outcome.APPLIED, 3)

    def test_a_seat_builds_on_its_own_card_within_one_round_trip(self) -> None:
        """Both are judged in that order; another seat may not build on what it can't have seen."""
        hand = playing("5H4H|KS|||||", "5H|KS|||||", foundations=[built("H", 3, seat=1)])
        hand = do(hand, 0, up("4H"), seen=10).hand
        assert refusal(hand, command(hand, 1, up("5H"), seen=10)) is Reason.UNSEEN
        assert do(hand, 0, up("5H"), seen=10).verdict.outcome is Outcome.APPLIED

    def test_an_arrival_is_taken_as_at_most_the_commit(self) -> None:
        """A clock that is ahead gains nothing and loses nothing; the log keeps what the edge stamped."""
        hand = playing("9C2S|KS|||||", "9D2S|KS|||||", foundations=[built("S", 1, seat=2)])
        hand = do(hand, 0, up("2S"), now_ms=NOON).hand
        _, verdict, (event,) = do(hand, 1, up("2S"), seen=10, arrived_ms=NOON + 5_000, now_ms=NOON + 60)
        assert verdict.outcome is Outcome.TIED
        assert isinstance(event, Played)
        assert event.arrived == NOON + 5_000
        _, _, (lost,) = do(hand, 1, up("2S"), seen=11, arrived_ms=NOON + 5_000, now_ms=NOON + 60)
        assert isinstance(lost, Returned)
        assert lost.gap == 60

    def test_contention_on_one_foundation_does_not_touch_another(self) -> None:
        hand = playing("2S|KS|||||", "2H|KS|||||", foundations=[built("S", 1), built("H", 1)])
        hand = do(hand, 0, up("2S"), now_ms=NOON).hand
        assert (
            do(hand, 1, up("2H"), seen=10, arrived_ms=NOON + 900, now_ms=NOON + 900).verdict.outcome is Outcome.APPLIED
        )


class TestTheCall:
    """Rules 6 and 8, RD-11."""

    def called(self, *layouts: str) -> Hand:
        """Seat 0 calls at noon, as event 11."""
        hand = playing(*layouts, foundations=[built("S", 1), built("H", 1)])
        return do(hand, 0, Call()).hand

    def test_the_first_call_closes_the_hand_after_a_declared_grace(self) -> None:
        hand = playing("|KS|||||", "KD||||||")
        after, verdict, (event,) = do(hand, 0, Call(), now_ms=NOON)
        assert verdict == Verdict(1, Outcome.APPLIED, seq=11)
        assert event == Called(11, NOON, 0, 1, 10, NOON, NOON + 80 + GRACE_MS)
        assert (after.phase, after.callers, after.call_seq, after.call_at) == (Phase.CLOSING, (0,), 11, NOON)

    def test_a_call_with_cards_in_the_demon_is_refused(self) -> None:
        """Also when the last one was played and came back."""
        hand = playing("2S|KS|||||", "2S|KS|||||", foundations=[built("S", 1)])
        hand = do(hand, 0, up("2S")).hand
        bounced = do(hand, 1, up("2S"))
        assert bounced.verdict.outcome is Outcome.RETURNED
        assert refusal(bounced.hand, command(bounced.hand, 1, Call())) is Reason.DEMON_NOT_EMPTY

    def test_a_card_in_motion_at_the_call_arrives(self) -> None:
        hand = self.called("|KS|||||", "2S|KS|||||")
        judged = do(hand, 1, up("2S"), seen=10, arrived_ms=NOON + 80, now_ms=NOON + 90)
        assert judged.verdict.outcome is Outcome.APPLIED
        assert judged.hand.in_motion == {1}

    def test_an_edge_s_clock_that_is_ahead_takes_nobody_out_of_the_grace(self) -> None:
        hand = self.called("|KS|||||", "2S|KS|||||")
        ahead = do(hand, 1, up("2S"), seen=10, arrived_ms=NOON + 5_000, now_ms=NOON + 60)
        assert ahead.verdict.outcome is Outcome.APPLIED

    @pytest.mark.parametrize(("seen", "arrived"), [(11, 0), (10, 81)])
    def test_a_new_movement_after_the_call_is_refused(self, seen: int, arrived: int) -> None:
        """Seen the call, or arrived too late."""
        hand = self.called("|KS|||||", "2S|KS||||2C|")
        for action in (up("2S"), Turn(1), Vote(Choice.END, 0), MoveToColumn(Source.DEMON, card("2S"), 1)):
            asked = command(hand, 1, action, seen=seen, arrived_ms=NOON + arrived)
            assert refusal(hand, asked, NOON + 100) is Reason.HAND_OVER

    def test_a_seat_has_one_hand(self) -> None:
        """One movement at most; turns and votes are movements too; a refusal is none, a lost race is one."""
        hand = self.called("|KS|||||", "2H2S|KS||||2C3C|")
        assert refusal(hand, command(hand, 1, Turn(9), seen=10)) is Reason.STOCK_CHANGED
        turned = do(do(hand, 1, Turn(9), seen=10).hand, 1, Turn(2), seen=10)
        assert isinstance(turned.events[0], Turned)
        for action in (up("2S"), Vote(Choice.END, 0)):
            assert refusal(turned.hand, command(turned.hand, 1, action, seen=10)) is Reason.ONE_HAND

    def test_a_lost_race_uses_the_movement_up(self) -> None:
        hand = playing("|2S|||||", "2H2S|KS|||||", foundations=[built("S", 1), built("H", 1)])
        hand = do(hand, 0, up("2S", Source.C0)).hand
        hand = do(hand, 0, Call()).hand
        lost = do(hand, 1, up("2S"), seen=11)
        assert lost.verdict.outcome is Outcome.RETURNED
        assert refusal(lost.hand, command(lost.hand, 1, MoveToColumn(Source.DEMON, card("2S"), 1), seen=11)) is (
            Reason.ONE_HAND
        )

    def test_a_caller_moves_no_more(self) -> None:
        hand = self.called("|KS|2S|||2C|", "KD||||||")
        assert refusal(hand, command(hand, 0, up("2S", Source.C1), seen=10)) is Reason.ONE_HAND

    def test_calls_that_cannot_be_told_apart_are_both_credited(self) -> None:
        """Both play their last card, both call, and the hand ends."""
        hand = playing("2S|KS|||||", "2S|KS|||||", foundations=[built("S", 1, seat=1)])
        hand = do(hand, 0, up("2S")).hand
        hand = do(hand, 1, up("2S"), seen=10, arrived_ms=NOON + 20, now_ms=NOON + 20).hand
        hand = do(hand, 0, Call(), arrived_ms=NOON + 30, now_ms=NOON + 30).hand
        second = do(hand, 1, Call(), seen=10, arrived_ms=NOON + 40, now_ms=NOON + 40)
        assert isinstance(second.events[0], Called)
        assert (second.events[0].closes_at, second.hand.callers) == (hand.closes_at, (0, 1))
        over, event = transitions.end(second.hand, EndWhy.CALLED, now_ms=NOON + 1_000)
        assert event is not None
        assert over.phase is Phase.OVER

    @pytest.mark.parametrize(("seat", "seen", "arrived"), [(1, 11, 0), (1, 10, 81), (0, 10, 0)])
    def test_a_later_call_or_a_second_one_is_not_credited(self, seat: int, seen: int, arrived: int) -> None:
        hand = self.called("|KS|||||", "|KS|||||")
        asked = command(hand, seat, Call(), seen=seen, arrived_ms=NOON + arrived)
        assert refusal(hand, asked, NOON + 100) is Reason.ALREADY_CALLED


class TestVotes:
    """Rule 9, RD-10 (f)."""

    def test_a_vote_names_the_progress_that_its_player_saw(self) -> None:
        hand = replace(playing("KD||||||", "KD||||||"), progress=4)
        assert refusal(hand, command(hand, 0, Vote(Choice.SHIFT, 3))) is Reason.PROGRESS_SINCE
        assert do(hand, 0, Vote(Choice.SHIFT, 4)).hand.votes == (Choice.SHIFT, None)

    def test_a_vote_is_withdrawn_by_its_seat_or_by_progress_and_by_nothing_else(self) -> None:
        hand = do(playing("KD|9S|TH||||2C3C", "KD||||||"), 0, Vote(Choice.END, 0)).hand
        assert do(hand, 0, Vote(Choice.WITHDRAW, 0)).hand.votes == (None, None)
        turned = do(hand, 0, Recycle())
        moved = do(turned.hand, 0, MoveToColumn(Source.C0, card("9S"), 1))
        assert isinstance(moved.events[0], Moved)
        assert moved.hand.votes == (Choice.END, None)
        progress = do(moved.hand, 1, MoveToColumn(Source.DEMON, card("KD"), 0))
        assert (progress.hand.votes, progress.hand.progress) == ((None, None), 1)


class TestWhateverIsAsked:
    """Random seats that see late, repeat themselves and try what they may not."""

    @settings(max_examples=15)
    @given(seed=seeds, seats=st.integers(2, 8), options=houses)
    def test_cards_are_conserved(self, seed: int, seats: int, options: Options) -> None:
        """RD-14: after every event."""
        for hand in History(seed, seats, options).play(200).finish().hands:
            assert all(conserved(hand, seat) for seat in range(len(hand.layouts)))

    @settings(max_examples=15)
    @given(seed=seeds, options=houses)
    def test_the_log_is_gapless_and_a_command_counts_at_most_once(self, seed: int, options: Options) -> None:
        history = History(seed, 4, options).play(400)
        assert [event.seq for event in history.events] == list(range(1, len(history.events) + 1))
        judged = [(asked.seat, asked.n) for _, asked, _, _, events in history.answers if events]
        assert len(judged) == len(set(judged))

    @settings(max_examples=15)
    @given(seed=seeds, options=houses)
    def test_an_answer_without_an_event_changes_nothing_anybody_sees(self, seed: int, options: Options) -> None:
        for before, asked, after, verdict, events in History(seed, 3, options).play(300).answers:
            if events:
                assert (after.seq, after.seats[asked.seat].last_n) == (events[-1].seq, asked.n)
                continue
            assert replace(after, seats=before.seats) == before
            consumed = verdict.outcome is Outcome.REFUSED and asked.n == before.seats[asked.seat].last_n + 1
            assert consumed or after == before

    @settings(max_examples=15)
    @given(seed=seeds, options=houses)
    def test_every_contested_card_got_what_the_contest_says(self, seed: int, options: Options) -> None:
        """RD-8: recomputed from the event and the slot it met."""
        for before, asked, _, _, events in History(seed, 6, options).play(300).answers:
            event = events[0] if events else None
            if isinstance(event, Returned) or (isinstance(event, Played) and event.tie):
                slot = before.foundations[event.f].slots[event.rank - 1]
                decided = decide(
                    seen=asked.seen,
                    arrived_ms=min(asked.arrived_ms, event.at),
                    slot_seq=slot.seq,
                    slot_at_ms=slot.at_ms,
                    window_ms=options.tie_window_ms,
                    ties=options.contest != "first_only",
                )
                assert decided is (event.why if isinstance(event, Returned) else Contest.SHARED)

    @settings(max_examples=15)
    @given(seed=seeds, options=houses)
    def test_after_the_call_only_what_was_in_motion_arrives(self, seed: int, options: Options) -> None:
        """RD-11: one movement a seat, none of a caller's, and none at all where it is void."""
        moved: set[int] = set()
        for before, asked, _, _, events in History(seed, 5, options).play(1_500).answers:
            if before.phase is not Phase.CLOSING or not events:
                continue
            assert options.in_motion == "complete"
            event = events[0]
            assert before.call_seq is not None
            assert before.call_at is not None
            assert unaware(
                seen=asked.seen,
                arrived_ms=min(asked.arrived_ms, event.at),
                call_seq=before.call_seq,
                call_at_ms=before.call_at,
                window_ms=options.tie_window_ms,
            )
            assert asked.seat not in before.callers
            if not isinstance(event, Called):
                assert asked.seat not in moved
                moved.add(asked.seat)
