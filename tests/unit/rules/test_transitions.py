"""What the system itself does to a hand, once and only when it is due."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules import transitions
from services.rules.deal import commitment, decks
from services.rules.events import Ended, EndWhy, Shifted, ShiftWhy
from services.rules.hand import Hand, Phase, Seat
from services.rules.layout import deal as laid_out
from services.rules.moves import Call, Choice
from services.rules.options import RACING_DEMON, Options
from services.rules.verdict import Outcome, Verdict
from tests.unit.rules.hands import NOON, SECRET, built, do, players, playing


def prepared(seats: int = 2) -> Hand:
    hand, _ = transitions.prepare([Seat()] * seats, match="m", number=1, secret=SECRET, seq=7, now_ms=NOON)
    return hand


def dealt(seats: int = 2, options: Options = RACING_DEMON) -> Hand:
    hand, event = transitions.deal(
        prepared(seats), options=options, players=players(seats), start_at=NOON + 3_000, now_ms=NOON
    )
    assert event is not None
    return hand


def test_the_commitment_is_published_before_the_nonces_are_asked_for() -> None:
    hand, event = transitions.prepare([Seat()] * 3, match="m", number=2, secret=SECRET, seq=7, now_ms=NOON)
    assert (event.seq, event.hand, event.seats, event.commitment) == (8, 2, 3, commitment(SECRET))
    assert (hand.phase, hand.seq, hand.layouts) == (Phase.PREPARED, 8, ())


def test_a_seat_s_command_numbers_go_on_in_the_next_hand() -> None:
    seat = Seat(epoch=4).judged(Verdict(1, Outcome.APPLIED, seq=3))
    hand, _ = transitions.prepare([seat, Seat()], match="m", number=2, secret=SECRET, seq=7, now_ms=NOON)
    assert hand.seats == (seat, Seat())


@pytest.mark.parametrize("seats", [2, 8])
def test_each_seat_gets_its_own_shuffled_deck(seats: int) -> None:
    """RD-1, RD-2."""
    hand = dealt(seats, Options(demon_size=7))
    expected = decks(SECRET, [p.nonce for p in players(seats)], "m", 1)
    assert hand.layouts == tuple(laid_out(deck, 7) for deck in expected)
    assert hand.phase is Phase.DEALT


def test_a_hand_is_dealt_once() -> None:
    hand = dealt()
    assert transitions.deal(hand, options=Options(), players=players(2), start_at=0, now_ms=NOON) == (hand, None)


def test_a_hand_starts_once_and_not_before_its_countdown_is_over() -> None:
    """RD-3."""
    hand = dealt()
    assert transitions.start(prepared(), NOON + 3_000)[1] is None
    assert transitions.start(hand, NOON + 2_999) == (hand, None)
    started, event = transitions.start(hand, NOON + 3_000)
    assert event is not None
    assert (started.phase, event.seq) == (Phase.PLAYING, hand.seq + 1)
    assert transitions.start(started, NOON + 3_001) == (started, None)


def test_a_shift_turns_every_stock_over_and_leaves_all_else() -> None:
    """RD-10: columns, demons, foundations stay."""
    hand = replace(
        playing("AH|KS||||2C3C|4C5C", "KD|QS|||||9D", foundations=[built("S", 3)]),
        progress=5,
        votes=(Choice.SHIFT,) * 2,
    )
    shifted, event = transitions.shift(hand, ShiftWhy.AGREED, if_seq=hand.seq, away=(), now_ms=NOON)
    assert [layout.encode() for layout in shifted.layouts] == ["AH|KS||||4C2C3C5C|", "KD|QS||||9D|"]
    assert event == Shifted(hand.seq + 1, NOON, ShiftWhy.AGREED, 5, ())
    assert (shifted.votes, shifted.progress, shifted.foundations) == ((None, None), 5, hand.foundations)


def test_a_shift_or_end_computed_from_a_state_that_moved_on_does_nothing() -> None:
    hand = playing("AH|KS|||||", "KD|QS|||||")
    assert transitions.shift(hand, ShiftWhy.BLOCKED, if_seq=hand.seq - 1, away=(), now_ms=NOON) == (hand, None)
    for why in (EndWhy.DEAD, EndWhy.AGREED):
        assert transitions.end(hand, why, if_seq=hand.seq - 1, now_ms=NOON) == (hand, None)
        assert transitions.end(hand, why, now_ms=NOON) == (hand, None)
        assert transitions.end(hand, why, if_seq=hand.seq, now_ms=NOON)[1] is not None


def test_a_called_hand_ends_when_its_grace_is_over() -> None:
    """RD-11, RD-12."""
    hand = playing("|KS|||||", "KD2D|QS|||||", foundations=[built("S", 3, seat=1)])
    assert transitions.end(hand, EndWhy.CALLED, now_ms=NOON)[1] is None
    hand = do(hand, 0, Call()).hand
    assert transitions.shift(hand, ShiftWhy.BLOCKED, if_seq=hand.seq, away=(), now_ms=NOON)[1] is None
    assert transitions.end(hand, EndWhy.DEAD, if_seq=hand.seq, now_ms=NOON)[1] is None
    assert transitions.end(hand, EndWhy.CALLED, now_ms=NOON + 479)[1] is None
    over, event = transitions.end(hand, EndWhy.CALLED, now_ms=NOON + 480)
    assert isinstance(event, Ended)
    assert (over.phase, event.callers, event.secret) == (Phase.OVER, (0,), SECRET)
    assert [score.points for score in event.scores] == [0, -1]
    assert transitions.end(over, EndWhy.CALLED, now_ms=NOON + 481) == (over, None)


@pytest.mark.parametrize("hand", [prepared(), dealt(), playing("KD|QS|||||", "KD|QS|||||")])
def test_a_void_hand_has_no_scores_but_tells_its_secret(hand: Hand) -> None:
    over, event = transitions.end(hand, EndWhy.VOID, now_ms=NOON)
    assert isinstance(event, Ended)
    assert (over.phase, event.scores, event.secret) == (Phase.OVER, (), SECRET)
    assert transitions.end(over, EndWhy.VOID, now_ms=NOON) == (over, None)


def test_the_absent_seats_are_told_in_order() -> None:
    hand = playing("KD|QS|||||", "KD|QS|||||", "KD|QS|||||")
    _, event = transitions.end(hand, EndWhy.DEAD, if_seq=hand.seq, now_ms=NOON, away={2, 0})
    assert isinstance(event, Ended)
    assert event.away == (0, 2)


def test_attaching_raises_one_seat_s_epoch() -> None:
    hand = transitions.attach(transitions.attach(playing("KD||||||", "KD||||||"), 1), 1)
    assert [seat.epoch for seat in hand.seats] == [0, 2]
