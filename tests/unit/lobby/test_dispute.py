from __future__ import annotations

from dataclasses import replace

import pytest

from services.lobby import dispute, match
from services.lobby.dispute import Standing
from services.lobby.seating import claim_bot, close, leave
from services.lobby.table import State, Table
from services.rules.options import Options
from services.runtime.errors import Fault
from tests.unit.lobby.tables import NOW, counted, lease, playing, prepared, table

RULES = Options(dispute="replay_hand").to_json()
FULL = table(2, "ada", "bob", options=RULES)
BETWEEN = counted(playing(FULL), 30, -4)
ENDED = counted(playing(FULL), 104, 20, winners=(0,))
BEFORE = Standing((0, 0), playoff=False)


def asked(some: Table, *players: str) -> Table:
    for player in players:
        some = dispute.ask(some, player, withdraw=False)
    return some


def void(some: Table, standing: Standing = BEFORE) -> Table:
    return dispute.voided(some, some.match, some.hand, standing, NOW + 5)


@pytest.mark.parametrize("counted_hand", [BETWEEN, ENDED])
def test_a_hand_is_void_once_all_people_have_asked_for_it(counted_hand: Table) -> None:
    one = asked(counted_hand, "ada")
    assert [seat.dispute for seat in one.seats] == [True, False]
    assert dispute.uphold(one) is one
    both = dispute.uphold(asked(one, "bob"))
    assert both.voiding
    again = void(both)
    assert (again.state, again.hand, again.winners, again.voiding) == (State.BETWEEN, 1, (), False)
    assert [(seat.total, seat.dispute, seat.ready) for seat in again.seats] == [(0, False, False)] * 2
    assert (again.since_ms, again.waiting_ms) == (NOW + 5, NOW + 5)
    assert match.start(again, ["1", "2"], NOW) is again, "its next hand is prepared and agreed to as any other"


def test_bots_follow() -> None:
    some = claim_bot(table(2, "ada", bots=1, options=RULES), lease(1), "Robot", NOW)
    between = counted(playing(some), 1, 2)
    assert dispute.ask(between, "robot", withdraw=False) is between
    assert dispute.uphold(between) is between
    assert dispute.uphold(asked(between, "ada")).voiding


def test_what_only_bots_played_stands() -> None:
    some = table(2, bots=2, watched=True, options=RULES)
    for index in (0, 1):
        some = claim_bot(some, lease(index, f"bot{index}"), "Robot", NOW)
    between = counted(playing(some), 1, 2)
    assert dispute.uphold(between) is between
    with pytest.raises(Fault, match="NOT_SEATED"):
        asked(between, "host")


def test_who_asks_is_not_ready_for_the_next_hand_and_may_take_it_back() -> None:
    ready = match.set_ready(prepared(BETWEEN), "ada", True, "x")
    one = asked(ready, "ada")
    assert (one.seats[0].ready, one.seats[0].nonce) == (False, "")
    back = dispute.ask(one, "ada", withdraw=True)
    assert not back.seats[0].dispute
    assert dispute.uphold(asked(back, "bob")) == asked(back, "bob")


def test_what_all_have_agreed_to_is_not_taken_back() -> None:
    both = dispute.uphold(asked(prepared(BETWEEN), "ada", "bob"))
    assert dispute.ask(both, "ada", withdraw=True) is both
    for player in ("ada", "bob"):
        both = match.set_ready(both, player, True, "x")
    assert match.start(both, ["1", "2"], NOW) is both
    assert leave(both, "bob", NOW).voiding


def test_a_hand_stands_for_who_did_not_ask_and_is_not_disputed_once_the_next_one_begins() -> None:
    some = prepared(asked(BETWEEN, "ada"))
    started = match.start(match.hurry(some, NOW), ["1", "2"], NOW)
    assert (started.state, started.disputable) == (State.PLAYING, False)
    assert not any(seat.dispute for seat in started.seats)
    with pytest.raises(Fault, match="HAND_RUNNING"):
        asked(started, "bob")


@pytest.mark.parametrize(
    ("some", "reason"),
    [
        (counted(playing(table(2, "ada", "bob")), 1, 2), "NO_DISPUTES"),
        (FULL, "NOTHING_TO_DISPUTE"),
        (prepared(FULL), "NOTHING_TO_DISPUTE"),
        (playing(FULL), "HAND_RUNNING"),
        (counted(playing(FULL), 0, 0, counts=False), "NOTHING_TO_DISPUTE"),
        (void(dispute.uphold(asked(BETWEEN, "ada", "bob"))), "NOTHING_TO_DISPUTE"),
        (match.rematch(match.ask_rematch(match.ask_rematch(ENDED, "ada"), "bob"), "m2", NOW), "NOTHING_TO_DISPUTE"),
        (leave(ENDED, "bob", NOW), "PLAYER_LEFT"),
        (close(BETWEEN, NOW), "TABLE_CLOSED"),
    ],
)
def test_what_cannot_be_disputed_says_why(some: Table, reason: str) -> None:
    with pytest.raises(Fault, match=reason):
        asked(some, "ada")


def test_only_who_sits_there_disputes() -> None:
    with pytest.raises(Fault, match="NOT_SEATED"):
        asked(BETWEEN, "eve")


def test_the_hand_before_a_void_one_stands() -> None:
    second = playing(
        void(dispute.uphold(asked(counted(playing(BETWEEN), 9, 9), "ada", "bob")), Standing((30, -4), False))
    )
    with pytest.raises(Fault, match="NOTHING_TO_DISPUTE"):
        asked(counted(second, 30, -4, counts=False), "ada")


def test_whoever_stays_decides_between_hands_but_not_when_the_winner_of_a_match_has_gone() -> None:
    left = leave(asked(BETWEEN, "ada"), "bob", NOW)
    assert left.seats[1].wanted
    assert dispute.uphold(left).voiding
    gone = leave(asked(ENDED, "bob"), "ada", NOW)
    assert dispute.uphold(gone) is gone


def test_who_leaves_a_match_that_goes_on_again_is_replaced_by_a_bot() -> None:
    left = leave(dispute.uphold(asked(ENDED, "ada", "bob")), "bob", NOW)
    assert (left.seats[1].bot, left.seats[1].total) == (True, 20)
    again = void(left)
    assert (again.state, again.free_seats, again.wanted) == (State.BETWEEN, 0, (1,))


def test_whoever_is_ready_by_then_is_ready_for_the_next_hand() -> None:
    some = claim_bot(table(2, "ada", bots=1, options=RULES), lease(1), "Robot", NOW)
    ready = match.set_ready(prepared(counted(playing(some), 1, 2)), "robot", True, "of robot")
    again = void(dispute.uphold(asked(ready, "ada")))
    assert [(seat.ready, seat.nonce) for seat in again.seats] == [(False, ""), (True, "of robot")]
    both = match.set_ready(again, "ada", True, "of ada")
    assert [seat.nonce for seat in match.start(both, ["1", "2"], NOW).deal] == ["of ada", "of robot"]


def test_a_playoff_that_is_disputed_is_to_be_played_again() -> None:
    tied = counted(playing(FULL), 104, 104, playoff=True)
    assert (tied.state, tied.playoff) == (State.BETWEEN, True)
    decided = counted(playing(tied), 110, 120, winners=(1,))
    assert (decided.state, decided.playoff) == (State.ENDED, False)
    again = void(dispute.uphold(asked(decided, "ada", "bob")), Standing((104, 104), playoff=True))
    assert (again.state, again.playoff, [seat.total for seat in again.seats]) == (State.BETWEEN, True, [104, 104])
    twice = void(dispute.uphold(asked(tied, "ada", "bob")))
    assert not twice.playoff


@pytest.mark.parametrize(("name", "hand"), [("m2", 1), ("m1", 2), ("m1", 0)])
def test_an_answer_about_another_hand_changes_nothing(name: str, hand: int) -> None:
    both = dispute.uphold(asked(BETWEEN, "ada", "bob"))
    assert dispute.voided(both, name, hand, BEFORE, NOW) is both
    assert dispute.dismissed(both, name, hand) is both


def test_an_answer_counts_once() -> None:
    both = dispute.uphold(asked(BETWEEN, "ada", "bob"))
    assert void(void(both)) == void(both)
    assert dispute.dismissed(void(both), "m1", 1) == void(both)
    closed = close(both, NOW)
    assert void(closed) is closed
    assert void(both, Standing((1, 2, 3), False)) is both


def test_a_hand_that_scoring_does_not_take_back_stands_and_the_match_goes_on() -> None:
    stands = dispute.dismissed(dispute.uphold(asked(BETWEEN, "ada", "bob")), "m1", 1)
    assert [(seat.total, seat.dispute) for seat in stands.seats] == [(30, False), (-4, False)]
    assert match.start(match.hurry(prepared(stands), NOW), ["1", "2"], NOW).state is State.PLAYING
    ended = dispute.dismissed(dispute.uphold(asked(ENDED, "ada", "bob")), "m1", 1)
    assert (ended.state, ended.winners) == (State.ENDED, (0,))


def test_a_rematch_waits_for_the_dispute_and_the_dispute_ends_the_wish_for_one() -> None:
    some = match.ask_rematch(match.ask_rematch(asked(ENDED, "ada", "bob"), "ada"), "bob")
    both = dispute.uphold(some)
    assert match.rematch(both, "m2", NOW) is both
    assert not any(seat.rematch for seat in void(both).seats)


def test_a_table_without_rules_of_its_own_has_no_disputes() -> None:
    assert not match.has_disputes(replace(FULL, options=""))
    assert match.has_disputes(FULL)
