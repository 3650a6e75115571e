from __future__ import annotations

from dataclasses import replace

import pytest

from services.lobby import match
from services.lobby.seating import claim_bot, close, leave, set_presence
from services.lobby.table import State
from services.rules.options import Options
from services.runtime.errors import Fault
from tests.unit.lobby.tables import NOW, counted, lease, playing, prepared, table

FULL = table(2, "ada", "bob")


def test_a_table_is_prepared_when_its_seats_are_taken_and_once() -> None:
    assert not match.awaits_preparing(table(2, "ada"))
    assert match.awaits_preparing(FULL)
    assert match.awaits_preparing(table(2, "ada", bots=1))
    done = prepared(FULL)
    assert done.commitment == "hash"
    assert not match.awaits_preparing(done)
    assert match.prepared(done, "m1", 1, "another", NOW) is done


@pytest.mark.parametrize(("name", "hand"), [("m1", 2), ("m1", 0), ("m2", 1)])
def test_the_preparation_of_another_hand_does_not_count(name: str, hand: int) -> None:
    assert match.prepared(FULL, name, hand, "hash", NOW) is FULL


def test_nonces_from_before_the_promise_are_dropped_but_readiness_stays() -> None:
    early = match.set_ready(FULL, "ada", True, "early")
    assert (early.seats[0].ready, early.seats[0].nonce) == (True, "")
    promised = prepared(early)
    assert promised.seats[0].ready
    again = match.set_ready(promised, "ada", True, "in time")
    assert again.seats[0].nonce == "in time"


@pytest.mark.parametrize("nonce", ["", "x" * 65, "tab\t", "\u00e9", "new\nline", "\x7f"])
def test_a_nonce_is_1_to_64_printable_ascii_characters(nonce: str) -> None:
    with pytest.raises(Fault, match="BAD_NONCE"):
        match.set_ready(prepared(FULL), "ada", True, nonce)
    assert match.set_ready(prepared(FULL), "ada", True, "~ " * 32).seats[0].ready


def test_not_ready_needs_no_nonce() -> None:
    ready = match.set_ready(prepared(FULL), "ada", True, "x")
    seat = match.set_ready(ready, "ada", False, "").seats[0]
    assert (seat.ready, seat.nonce) == (False, "")


def test_a_late_ready_changes_nothing() -> None:
    for some in (playing(FULL), counted(playing(FULL), 100, 0, winners=(0,))):
        assert match.set_ready(some, "ada", True, "late") is some


def test_only_who_sits_at_a_living_table_gets_ready() -> None:
    with pytest.raises(Fault, match="NOT_SEATED"):
        match.set_ready(FULL, "eve", True, "x")
    with pytest.raises(Fault, match="TABLE_CLOSED"):
        match.set_ready(close(FULL, NOW), "ada", True, "x")


def test_a_hand_starts_only_prepared_full_and_with_all_ready() -> None:
    some = prepared(FULL)
    for player in ("ada", "bob"):
        assert match.start(some, ["1", "2"], NOW) is some
        some = match.set_ready(some, player, True, f"of {player}")
    started = match.start(some, ["1", "2"], NOW)
    assert (started.state, started.hand) == (State.PLAYING, 1)
    assert [(seat.player, seat.nonce) for seat in started.deal] == [("ada", "of ada"), ("bob", "of bob")]
    assert match.start(replace(some, commitment=""), ["1", "2"], NOW).state is State.OPEN


def test_who_gave_no_nonce_gets_one() -> None:
    some = match.hurry(replace(prepared(FULL), state=State.BETWEEN), NOW)
    assert [seat.nonce for seat in match.start(some, ["1", "2"], NOW).deal] == ["1", "2"]


def test_who_leaves_while_the_hand_is_dealt_is_dealt_in_all_the_same() -> None:
    some = match.start(match.hurry(replace(prepared(FULL), state=State.BETWEEN), NOW), ["1", "2"], NOW)
    left = leave(some, "bob", NOW)
    assert [(seat.player, seat.nonce) for seat in left.deal] == [("ada", "1"), ("bob", "2")]
    assert left.seats[1].wanted


def test_a_hand_is_dealt_once_and_only_the_one_that_started() -> None:
    some = match.start(match.hurry(replace(prepared(FULL), state=State.BETWEEN), NOW), ["1", "2"], NOW)
    assert match.dealt(some, "m1", 2) is match.dealt(some, "m2", 1) is some
    done = match.dealt(some, "m1", 1)
    assert done.deal == ()
    assert match.dealt(done, "m1", 1) is done
    assert match.undealt(done, "m1", 1, NOW) is done


def test_a_preparation_that_was_lost_is_asked_for_again_with_new_nonces() -> None:
    some = match.start(match.hurry(replace(prepared(FULL), state=State.BETWEEN), NOW), ["1", "2"], NOW)
    again = match.undealt(some, "m1", 1, NOW)
    assert (again.state, again.hand, again.commitment, again.deal) == (State.OPEN, 0, "", ())
    assert not any(seat.ready or seat.nonce for seat in again.seats)
    assert match.awaits_preparing(again)


def test_a_result_counts_once_for_the_hand_that_was_played() -> None:
    some = playing(FULL)
    for other in (("m2", 1), ("m1", 2), ("m1", 0)):
        assert match.scored(some, match.Result(*other, (1, 2), False, ()), NOW) is some
    assert match.scored(some, match.Result("m1", 1, (1, 2, 3), False, ()), NOW) is some
    after = counted(some, 40, -6)
    assert ([seat.total for seat in after.seats], after.state, after.commitment) == ([40, -6], State.BETWEEN, "")
    assert not any(seat.ready for seat in after.seats)
    assert match.scored(after, match.Result("m1", 1, (40, -6), False, ()), NOW) is after


def test_a_result_counts_although_the_lobby_never_knew_of_the_deal() -> None:
    some = match.start(match.hurry(replace(prepared(FULL), state=State.BETWEEN), NOW), ["1", "2"], NOW)
    assert counted(some, 1, 2).deal == ()


def test_equal_totals_share_the_victory() -> None:
    ended = counted(playing(FULL), 104, 104, winners=(0, 1))
    assert (ended.state, ended.winners) == (State.ENDED, (0, 1))


def test_a_rematch_needs_all_people_and_starts_from_nothing() -> None:
    ended = counted(playing(FULL), 104, 20, winners=(0,))
    one = match.ask_rematch(ended, "ada")
    assert match.rematch(one, "m2", NOW) is one
    both = match.ask_rematch(one, "bob")
    again = match.rematch(both, "m2", NOW)
    assert (again.state, again.match, again.hand, again.winners, again.commitment) == (State.OPEN, "m2", 0, (), "")
    assert [(seat.total, seat.rematch) for seat in again.seats] == [(0, False), (0, False)]


def test_bots_follow_into_a_rematch_and_leavers_are_not_waited_for() -> None:
    some = claim_bot(table(3, "ada", "bob", bots=1), lease(2), "Robot", NOW)
    ended = counted(playing(some), 104, 20, 3, winners=(0,))
    assert not match.rematch_agreed(ended)
    assert match.rematch_agreed(leave(match.ask_rematch(ended, "ada"), "bob", NOW))


def test_the_host_of_a_table_of_bots_may_ask_for_a_rematch() -> None:
    some = table(2, bots=2, watched=True)
    for index in (0, 1):
        some = claim_bot(some, lease(index, f"bot{index}"), "Robot", NOW)
    ended = counted(playing(some), 104, 20, winners=(0,))
    with pytest.raises(Fault, match="NOT_SEATED"):
        match.ask_rematch(ended, "eve")
    assert match.rematch_agreed(match.ask_rematch(ended, "host"))


def test_a_rematch_keeps_the_rules_and_owes_nothing_to_the_match_before() -> None:
    rules = Options(match_end="playoff", dispute="replay_hand", demon_size=(13, 10)).to_json()
    tied = counted(playing(table(2, "ada", "bob", options=rules)), 104, 104, playoff=True)
    assert (tied.state, tied.playoff, tied.winners) == (State.BETWEEN, True, ())
    assert playing(tied).playoff
    ended = counted(playing(tied), 110, 120, winners=(1,))
    again = match.rematch(match.ask_rematch(match.ask_rematch(ended, "ada"), "bob"), "m2", NOW)
    assert (again.options, again.playoff, again.disputable) == (rules, False, False)


def test_a_void_hand_changes_no_total_and_the_match_goes_on() -> None:
    some = counted(playing(counted(playing(FULL), 30, -4)), 30, -4, counts=False)
    assert (some.state, some.hand, [seat.total for seat in some.seats]) == (State.BETWEEN, 2, [30, -4])


def test_there_is_no_rematch_of_a_match_that_is_not_over() -> None:
    for some in (FULL, playing(FULL)):
        with pytest.raises(Fault, match="MATCH_NOT_OVER"):
            match.ask_rematch(some, "ada")


def test_whoever_is_late_between_hands_counts_as_ready_except_bots_to_come() -> None:
    some = counted(playing(claim_bot(table(3, "ada", "bob", bots=1), lease(2), "Robot", NOW)), 1, 2, 3)
    some = leave(some, "bob", NOW)
    assert [seat.ready for seat in match.hurry(some, NOW).seats] == [True, False, True]


def test_before_the_first_hand_who_is_late_and_away_leaves_instead() -> None:
    some = set_presence(prepared(FULL), "ada", True, NOW)
    after = match.hurry(some, NOW)
    assert (after.seats[0].ready, after.seats[1].free) == (True, True)
    assert match.hurry(prepared(FULL), NOW).state is State.CLOSED
