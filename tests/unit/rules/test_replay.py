"""Anyone can play a hand again from its log, and finds out if it was altered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules import transitions
from services.rules.contest import Contest
from services.rules.deal import commitment
from services.rules.events import (
    Asked,
    Called,
    Dealt,
    Ended,
    EndWhy,
    Event,
    Moved,
    Played,
    Returned,
    SeatEvent,
    Shifted,
    ShiftWhy,
    Turned,
    digest,
    encode_body,
    seal,
)
from services.rules.hand import Hand
from services.rules.moves import Choice, Source, Vote
from services.rules.options import Options
from services.rules.replay import Contradiction, Report, advance, replay, verify
from tests.unit.rules.hands import HOUSES, NOON, SECRET, History, built, do, houses, playing, sealed

Alter = Callable[[list[Event]], None]


def found(events: Sequence[Event]) -> str:
    """The first problem of a log whose digests are right."""
    report = verify(sealed(events))
    assert not report.verified
    return report.problems[0]


def at(events: list[Event], kind: type[Event], **fields: Any) -> int:
    """Where the first such event is."""
    return next(
        i
        for i, event in enumerate(events)
        if isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())
    )


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 8), options=houses)
def test_a_log_leads_to_the_same_hand_and_is_verified(seed: int, seats: int, options: Options) -> None:
    history = History(seed, seats, options).play(600).finish()
    replayed = replay(history.events)
    assert replace(replayed, seats=history.hand.seats) == history.hand
    assert verify(sealed(history.events)) == Report(())


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_a_hand_that_still_runs_is_replayed_with_its_secret(seed: int) -> None:
    history = History(seed).play(200)
    events = [event for event in history.events if not isinstance(event, Ended)]
    assert replay(events, SECRET).layouts == history.hands[len(events) - 1].layouts
    with pytest.raises(Contradiction, match="secret"):
        replay(events)


def test_a_hand_that_ended_by_itself_is_verified() -> None:
    """Called and dead ends, shifts and ties are all among these."""
    histories = [History(seed, seats=2 + seed % 4).play(5_000) for seed in range(14)]
    assert all(verify(sealed(history.events)).verified for history in histories)
    events = [event for history in histories for event in history.events]
    assert {event.why for event in events if isinstance(event, Ended)} == {EndWhy.CALLED, EndWhy.DEAD}
    assert any(isinstance(event, Shifted) for event in events)
    assert any(isinstance(event, Played) and event.tie for event in events)
    assert any(isinstance(event, Returned) and event.why is Contest.LATE for event in events)


def test_hands_end_by_themselves_and_are_verified_by_whatever_rules() -> None:
    """Automatic calls, with and without a grace, blocked ends and the question of an idle table are among these."""
    histories = [History(seed, 2 + seed % 3, options).play(5_000) for options in HOUSES for seed in range(3)]
    assert all(verify(sealed(history.events)).verified for history in histories)
    events = [event for history in histories for event in history.events]
    assert {event.why for event in events if isinstance(event, Ended)} == {EndWhy.CALLED, EndWhy.DEAD, EndWhy.BLOCKED}
    assert any(isinstance(event, Asked) for event in events)
    calls = [(before, call) for before, call in pairwise(events) if isinstance(call, Called)]
    assert any(isinstance(before, Played | Moved) and before.n == call.n for before, call in calls)


def test_an_automatic_call_can_t_be_left_out_put_off_or_changed() -> None:
    options = Options(demon_size=5, call="automatic")
    events = next(
        events
        for seed in range(50)
        for events in [History(seed, 2, options).play(5_000).events]
        if any(isinstance(event, Called) for event in events)
    )
    at = next(i for i, event in enumerate(events) if isinstance(event, Called))
    call = events[at]
    assert isinstance(call, Called)
    assert found([*events[:at], *(replace(e, seq=e.seq - 1) for e in events[at + 1 :])]).startswith(f"event {call.seq}")
    for altered in (replace(call, n=call.n + 1), replace(call, seat=1 - call.seat), replace(call, at=call.at + 1)):
        assert found([*events[:at], altered, *events[at + 1 :]]).startswith(f"event {call.seq}: the rules give")


def test_a_hand_later_in_a_table_s_log_is_verified_by_itself() -> None:
    history = History(3).play(100).finish()
    moved_on = [
        replace(event, seq=event.seq + 500, **({"seen": event.seen + 500} if isinstance(event, SeatEvent) else {}))
        for event in history.events
    ]
    log = sealed(moved_on, previous="0123456789abcdef")
    assert verify(log) == Report(())
    assert verify(log, previous="0123456789abcdef") == Report(())
    assert verify(log, previous="f" * 16).problems == ("event 501: its digest is not that of this history",)


def _other_secret(events: list[Event]) -> None:
    end = events[-1]
    assert isinstance(end, Ended)
    events[-1] = replace(end, secret="11" * 32)


def _other_secret_and_commitment(events: list[Event]) -> None:
    _other_secret(events)
    for i in (0, 1):
        events[i] = replace(events[i], commitment=commitment("11" * 32))  # type: ignore[call-arg]


def _another_top(events: list[Event]) -> None:
    deal = events[1]
    assert isinstance(deal, Dealt)
    top, other = deal.layouts[0].top, deal.layouts[1].top
    assert top is not other
    events[1] = replace(deal, layouts=(replace(deal.layouts[0], top=other), *deal.layouts[1:]))


def _another_nonce(events: list[Event]) -> None:
    deal = events[1]
    assert isinstance(deal, Dealt)
    events[1] = replace(deal, seats=(replace(deal.seats[0], nonce="chosen"), *deal.seats[1:]))


def _a_seat_too_few(events: list[Event]) -> None:
    deal = events[1]
    assert isinstance(deal, Dealt)
    events[1] = replace(deal, seats=deal.seats[1:])


def _started_early(events: list[Event]) -> None:
    events[2] = replace(events[2], at=events[2].at - 1)


def _a_lost_card_stays(events: list[Event]) -> None:
    i = at(events, Returned)
    lost = events[i]
    assert isinstance(lost, Returned)
    stamp = (lost.seq, lost.at, lost.seat, lost.n, lost.seen, lost.arrived)
    events[i] = Played(*stamp, lost.source, lost.card, lost.to, None, lost.f, lost.rank, tie=True)


def _seen_for_late(events: list[Event]) -> None:
    i = at(events, Returned, why=Contest.SEEN)
    events[i] = replace(events[i], why=Contest.LATE)  # type: ignore[call-arg]


def _a_tie_denied(events: list[Event]) -> None:
    i = at(events, Played, tie=True)
    events[i] = replace(events[i], tie=False)  # type: ignore[call-arg]


def _another_gap(events: list[Event]) -> None:
    i = at(events, Returned)
    events[i] = replace(events[i], gap=99_999)  # type: ignore[call-arg]


def _a_card_shown_that_is_not_there(events: list[Event]) -> None:
    i = at(events, Turned)
    turned = events[i]
    assert isinstance(turned, Turned)
    deal = events[1]
    assert isinstance(deal, Dealt)
    events[i] = replace(turned, shows=deal.layouts[turned.seat].top)


def _a_seat_that_is_not_there(events: list[Event]) -> None:
    i = at(events, Turned)
    events[i] = replace(events[i], seat=-1)  # type: ignore[call-arg]


def _a_command_judged_twice(events: list[Event]) -> None:
    """Two events of one seat under one number."""
    numbers: dict[int, int] = {}
    for i, event in enumerate(events):
        if isinstance(event, SeatEvent) and event.seat in numbers:
            events[i] = replace(event, n=numbers[event.seat])
            return
        if isinstance(event, SeatEvent):
            numbers[event.seat] = event.n


def _no_column(events: list[Event]) -> None:
    i = at(events, Moved)
    events[i] = replace(events[i], to=Source.DEMON)  # type: ignore[call-arg]


def _other_scores(events: list[Event]) -> None:
    end = events[-1]
    assert isinstance(end, Ended)
    events[-1] = replace(end, scores=(replace(end.scores[0], points=100), *end.scores[1:]))


def _a_missing_seat_that_is_not_there(events: list[Event]) -> None:
    events[-1] = replace(events[-1], away=(99,))  # type: ignore[call-arg]


def _a_seat_missing_twice(events: list[Event]) -> None:
    events[-1] = replace(events[-1], away=(1, 1))  # type: ignore[call-arg]


def _a_secret_written_differently(events: list[Event]) -> None:
    end = events[-1]
    assert isinstance(end, Ended)
    events[-1] = replace(end, secret=end.secret.upper())


def _another_grace(events: list[Event]) -> None:
    i = at(events, Called)
    events[i] = replace(events[i], closes_at=NOON)  # type: ignore[call-arg]


def _ended_early(events: list[Event]) -> None:
    called = events[at(events, Called)]
    assert isinstance(called, Called)
    events[-1] = replace(events[-1], at=called.closes_at - 1)


def _a_second_deal(events: list[Event]) -> None:
    events[2:] = [replace(events[1], seq=3), *(replace(event, seq=event.seq + 1) for event in events[2:])]


def _a_second_prepare(events: list[Event]) -> None:
    events[2:] = [replace(events[0], seq=3), *(replace(event, seq=event.seq + 1) for event in events[2:])]


def _a_shift_of_a_table_that_could_play(events: list[Event]) -> None:
    events[3:] = [
        Shifted(4, events[2].at, ShiftWhy.BLOCKED, 0, ()),
        *(replace(event, seq=event.seq + 1) for event in events[3:]),
    ]


def _a_shift_that_nobody_agreed_to(events: list[Event]) -> None:
    _a_shift_of_a_table_that_could_play(events)
    events[3] = replace(events[3], why=ShiftWhy.AGREED)  # type: ignore[call-arg]


def _no_end(events: list[Event]) -> None:
    del events[-1]


def _no_beginning(events: list[Event]) -> None:
    del events[0]


def _a_thousand_million_seats(events: list[Event]) -> None:
    events[0] = replace(events[0], seats=10**9)  # type: ignore[call-arg]


ALTERATIONS: list[tuple[Alter, str]] = [
    (_other_secret, "the secret is not the one that was committed to"),
    (_other_secret_and_commitment, "event 2: the rules give"),
    (_another_top, "event 2: the rules give"),
    (_another_nonce, "event 2: the rules give"),
    (_a_seat_too_few, "event 2: dealt to"),
    (_started_early, "event 3: nothing like it could happen then"),
    (_a_lost_card_stays, "the rules give"),
    (_seen_for_late, "the rules give"),
    (_a_tie_denied, "the rules give"),
    (_another_gap, "the rules give"),
    (_a_card_shown_that_is_not_there, "the rules give"),
    (_a_seat_that_is_not_there, "no seat -1"),
    (_a_command_judged_twice, "was judged before"),
    (_no_column, "demon is no column"),
    (_other_scores, "the rules give"),
    (_a_missing_seat_that_is_not_there, "the table was not as end says"),
    (_a_seat_missing_twice, "the table was not as end says"),
    (_a_secret_written_differently, "lower-case hex"),
    (_another_grace, "the rules give"),
    (_ended_early, "nothing like it could happen then"),
    (_a_second_deal, "event 3: nothing like it could happen then"),
    (_a_second_prepare, "event 3: a second prepare in one hand"),
    (_a_shift_of_a_table_that_could_play, "event 4: the table was not as shift says"),
    (_a_shift_that_nobody_agreed_to, "event 4: the table was not as shift says"),
    (_no_end, "the log does not reach the end of a hand"),
    (_no_beginning, "the log does not begin with a prepare event"),
    (_a_thousand_million_seats, "event 1: 1000000000 seats"),
]


@pytest.fixture(scope="module")
def called() -> list[Event]:
    """A whole hand with ties and lost races that ended by a call."""
    for seed in range(100):
        events = History(seed, seats=4).play(5_000).events
        ties = any(isinstance(event, Played) and event.tie for event in events)
        end = events[-1]
        if ties and isinstance(end, Ended) and end.why is EndWhy.CALLED:
            return events
    raise AssertionError("no such hand")


@pytest.mark.parametrize(("alter", "problem"), ALTERATIONS, ids=[alter.__name__ for alter, _ in ALTERATIONS])
def test_an_altered_log_is_found_out_even_with_the_right_digests(
    called: list[Event], alter: Alter, problem: str
) -> None:
    altered = list(called)
    alter(altered)
    assert problem in found(altered)


def test_an_altered_byte_is_found_out_by_the_digests(called: list[Event]) -> None:
    log = sealed(called)
    log[5] = log[5].replace('"seen":', '"seen":1')
    assert "event 6: its digest is not that of this history" in verify(log).problems


def test_a_missing_or_repeated_event_is_found_out(called: list[Event]) -> None:
    log = sealed(called)
    assert verify(log[:7] + log[8:]).problems[0] == "event 9: follows 7"
    assert verify(log[:7] + log[6:]).problems[0] == "event 7: follows 7"


def test_an_event_that_is_written_differently_is_found_out(called: list[Event]) -> None:
    body = encode_body(called[0]).replace('"hand":', '"hand": ')
    log = [seal(body, digest("", body)), *sealed(called)[1:]]
    assert verify(log).problems[0] == "event 1: not written as the protocol says"


@pytest.mark.parametrize("log", [[], [b"\xff"], ["{}"], ["[]"], [b"[" * 100_000]])
def test_anything_at_all_is_reported_and_never_raised(log: list[bytes | str]) -> None:
    assert not verify(log).verified


class TestStuckTables:
    """RD-10: what shift and end say must have been so. (Cards are not conserved in made-up positions.)"""

    stuck = ("9H|KS|KC|KD|KH|7H2S5H|", "9H|KS|KC|KD|KH||")
    dead = ("9H|KS|KC|KD|KH||", "9H|KS|KC|KD|KH||")
    free = ("2S|KS|KC|KD|KH||", "9H|KS|KC|KD|KH||")

    def table(self, layouts: tuple[str, ...], *votes: Choice) -> Hand:
        hand = playing(*layouts, foundations=[built("S", 1)], options=Options(dispute="replay_hand"))
        for seat, choice in enumerate(votes):
            hand = do(hand, seat, Vote(choice, hand.progress)).hand
        return hand

    @pytest.mark.parametrize(
        ("layouts", "votes", "why", "away", "holds"),
        [
            (stuck, (), ShiftWhy.BLOCKED, (), True),
            (free, (), ShiftWhy.BLOCKED, (), False),
            (free, (), ShiftWhy.BLOCKED, (0,), True),
            (free, (), ShiftWhy.BLOCKED, (0, 1), False),
            (free, (Choice.SHIFT, Choice.SHIFT), ShiftWhy.AGREED, (), True),
            (free, (Choice.SHIFT,), ShiftWhy.AGREED, (), False),
            (free, (Choice.SHIFT,), ShiftWhy.AGREED, (1,), False),
            (free, (Choice.END, Choice.END), ShiftWhy.AGREED, (), False),
            (dead, (), EndWhy.DEAD, (), True),
            (stuck, (), EndWhy.DEAD, (), False),
            (stuck, (), EndWhy.DEAD, (0,), True),
            (free, (), EndWhy.DEAD, (), False),
            (free, (Choice.END, Choice.END), EndWhy.AGREED, (), True),
            (free, (Choice.END, Choice.SHIFT), EndWhy.AGREED, (), False),
            (free, (Choice.SHIFT, Choice.SHIFT), EndWhy.AGREED, (), False),
            (free, (Choice.REPLAY, Choice.REPLAY), EndWhy.DISPUTED, (), True),
            (free, (Choice.REPLAY, Choice.END), EndWhy.DISPUTED, (), False),
            (dead, (), EndWhy.BLOCKED, (), False),
        ],
    )
    def test_the_table_must_have_been_as_shift_and_end_say(
        self,
        layouts: tuple[str, ...],
        votes: tuple[Choice, ...],
        why: ShiftWhy | EndWhy,
        away: tuple[int, ...],
        holds: bool,
    ) -> None:
        hand = self.table(layouts, *votes)
        if isinstance(why, ShiftWhy):
            _, event = transitions.shift(hand, why, if_seq=hand.seq, away=away, now_ms=NOON)
        else:
            _, event = transitions.end(hand, why, if_seq=hand.seq, away=away, now_ms=NOON)
        assert event is not None
        with pytest.raises(Contradiction) as contradiction:
            advance(hand, event)
        assert ("was not as" in str(contradiction.value)) is not holds
        assert ("has not its 52 cards" in str(contradiction.value)) is holds
