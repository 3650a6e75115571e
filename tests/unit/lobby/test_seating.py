from __future__ import annotations

from dataclasses import replace

import pytest

from services.lobby import seating
from services.lobby.seating import (
    MOST_BARRED,
    add_bot,
    claim_bot,
    close,
    drop_absent,
    fill_with_bots,
    join,
    lapse,
    leave,
    remove_bot,
    remove_player,
)
from services.lobby.table import Pace, PlayerId, State, Strength, Table
from services.runtime.errors import Fault
from tests.unit.lobby.tables import NOW, counted, lease, playing, table

ADA, BOB, EVE = PlayerId("ada"), PlayerId("bob"), PlayerId("eve")


def reason(transition: object, *args: object) -> str:
    with pytest.raises(Fault) as raised:
        transition(*args)  # type: ignore[operator]
    return raised.value.reason


@pytest.mark.parametrize("seats", [1, 9, 0, -1])
def test_a_table_has_two_to_eight_seats(seats: int) -> None:
    assert reason(seating.seat_count, seats) == "BAD_SEATS"


def test_who_joins_gets_the_first_free_seat_and_no_second_one() -> None:
    some = join(table(3, "ada"), BOB, "Bob", "", NOW)
    assert [seat.player for seat in some.seats] == ["ada", "bob", ""]
    assert join(some, BOB, "Bob", "", NOW) is some


def test_a_full_table_a_running_match_and_a_closed_table_take_nobody() -> None:
    full = table(2, "ada", "bob")
    assert reason(join, full, EVE, "Eve", "", NOW) == "TABLE_FULL"
    assert reason(join, playing(full), EVE, "Eve", "", NOW) == "MATCH_RUNNING"
    assert reason(join, close(full, NOW), EVE, "Eve", "", NOW) == "TABLE_CLOSED"
    assert reason(join, close(full, NOW), ADA, "Ada", "", NOW) == "TABLE_CLOSED"


def test_a_private_table_needs_the_invite_except_from_its_host() -> None:
    private = replace(table(2), public=False, invite="secret")
    assert reason(join, private, BOB, "Bob", "", NOW) == "BAD_INVITE"
    assert reason(join, private, BOB, "Bob", "s\u00e9cret", NOW) == "BAD_INVITE"
    assert reason(join, replace(private, invite=""), BOB, "Bob", "", NOW) == "BAD_INVITE"
    assert join(private, BOB, "Bob", "secret", NOW).seat_of("bob") == 0
    assert join(private, PlayerId("host"), "Host", "", NOW).seat_of("host") == 0


def test_before_and_after_a_match_a_seat_given_up_is_free() -> None:
    some = table(2, "ada", "bob")
    for before in (some, counted(playing(some), 100, 3, winners=(0,))):
        after = leave(before, "bob", NOW)
        assert after.seats[1].free
        assert after.state is before.state


def test_in_a_match_a_bot_takes_over_seat_and_points() -> None:
    some = playing(counted(playing(table(2, "ada", "bob")), 4, 30))
    seat = leave(some, "bob", NOW).seats[1]
    assert (seat.bot, seat.player, seat.total, seat.name) == (True, "", 30, "")


def test_the_next_person_becomes_host_and_the_last_one_closes_the_table() -> None:
    some = leave(table(3, "ada", "bob", bots=1), "ada", NOW)
    assert (some.host, some.state) == ("bob", State.OPEN)
    assert leave(some, "bob", NOW).state is State.CLOSED


def test_the_host_ends_its_table_but_never_one_of_quick_play_under_the_others() -> None:
    own = playing(table(2, "ada", "bob"))
    assert seating.end(own, "ada", NOW).state is State.CLOSED
    assert reason(seating.end, own, "bob", NOW) == "NOT_HOST"
    met = replace(own, quick=True)
    assert reason(seating.end, met, "ada", NOW) == "NOT_HOST"
    alone = leave(met, "bob", NOW)
    assert seating.end(alone, "ada", NOW).state is State.CLOSED


def test_a_watched_table_lives_without_people() -> None:
    some = leave(table(2, "ada", watched=True), "ada", NOW)
    assert (some.state, some.host) == (State.OPEN, "ada")


def test_a_bot_that_leaves_has_its_seat_wait_for_another() -> None:
    some = claim_bot(table(2, "ada", bots=1), lease(1), "Robot", NOW)
    left = leave(some, "robot", NOW)
    assert left.wanted == (1,)
    assert left.state is State.OPEN


def test_only_who_sits_can_leave_and_a_closed_table_is_left_as_it_is() -> None:
    some = table(2, "ada")
    assert reason(leave, some, "bob", NOW) == "NOT_SEATED"
    closed = close(some, NOW)
    assert leave(closed, "ada", NOW) is closed


def test_bots_come_and_go_before_the_match_only() -> None:
    some, index = add_bot(table(2, "ada"), Strength.HARD, Pace.FAST, NOW)
    assert (index, some.seats[1].strength, some.seats[1].pace) == (1, Strength.HARD, Pace.FAST)
    assert reason(add_bot, some, Strength.HARD, Pace.FAST, NOW) == "TABLE_FULL"
    assert remove_bot(some, 1).seats[1].free
    assert reason(remove_bot, some, 0) == reason(remove_bot, some, 7) == "NO_BOT_THERE"
    running = playing(claim_bot(some, lease(1), "Robot", NOW))
    assert reason(remove_bot, running, 1) == reason(add_bot, running, Strength.EASY, Pace.FAST, NOW) == "MATCH_RUNNING"


def test_the_host_sends_a_player_away_who_does_not_come_back() -> None:
    some = table(3, "ada", "bob")
    gone = remove_player(some, "ada", 1, NOW)
    assert gone.seats[1].free
    assert reason(join, gone, "bob", "Bob", "", NOW) == "SENT_AWAY"
    assert join(gone, PlayerId("eve"), "Eve", "", NOW).seat_of("eve") == 1
    assert reason(remove_player, some, "bob", 0, NOW) == "NOT_HOST"
    assert reason(remove_player, replace(some, quick=True), "ada", 1, NOW) == "NOT_HOST"
    assert [reason(remove_player, some, "ada", seat, NOW) for seat in (0, 2, 9)] == ["NO_PLAYER_THERE"] * 3
    robots = claim_bot(table(2, "ada", bots=1), lease(1), "Robot", NOW)
    assert reason(remove_player, robots, "ada", 1, NOW) == "NO_PLAYER_THERE"
    assert reason(remove_player, playing(table(2, "ada", "bob")), "ada", 1, NOW) == "MATCH_RUNNING"
    assert reason(remove_player, close(some, NOW), "ada", 1, NOW) == "TABLE_CLOSED"


def test_who_was_sent_away_is_remembered_but_not_without_end() -> None:
    some = table(2, "ada")
    for number in range(MOST_BARRED + 3):
        some = remove_player(join(some, PlayerId(f"p{number}"), "P", "", NOW), "ada", 1, NOW)
    assert len(some.barred) == MOST_BARRED
    assert some.barred[-1] == f"p{MOST_BARRED + 2}"


def test_a_bot_seat_is_claimed_once() -> None:
    some = table(3, "ada", bots=2)
    claimed = claim_bot(some, lease(1), "Robot", NOW)
    assert claimed.leases == {lease(1)}
    assert reason(claim_bot, claimed, lease(1, "other"), "Other", NOW) == "SEAT_TAKEN"
    assert reason(claim_bot, claimed, lease(2), "Robot", NOW) == "SEAT_TAKEN"
    assert reason(claim_bot, some, lease(0), "Robot", NOW) == "SEAT_TAKEN"
    assert reason(claim_bot, close(some, NOW), lease(1), "Robot", NOW) == "TABLE_CLOSED"


def test_a_lease_lapses_only_for_the_bot_that_holds_it() -> None:
    claimed = claim_bot(table(2, "ada", bots=1), lease(1), "Robot", NOW)
    for other in (lease(1, "other"), lease(1, worker="x"), lease(0)):
        assert lapse(claimed, other) is claimed
    assert lapse(claimed, lease(1)).wanted == (1,)


def test_free_seats_are_filled_with_bots_once() -> None:
    some = fill_with_bots(table(4, "ada", bots=1), NOW)
    assert some.wanted == (1, 2, 3)
    assert fill_with_bots(some, NOW) is some


def test_presence_is_noted_and_changes_nothing_when_repeated_or_of_a_stranger() -> None:
    some = seating.set_presence(table(2, "ada"), "ada", True, NOW)
    assert some.seats[0].present
    assert seating.set_presence(some, "ada", True, NOW) is some
    assert seating.set_presence(some, "eve", False, NOW) is some
    assert seating.set_presence(some, "ada", False, NOW + 5).seats[0].away_ms == NOW + 5


def test_where_no_engine_knows_the_newest_socket_only_that_can_go() -> None:
    some = seating.set_presence(table(2, "ada", "bob"), "ada", True, NOW, "older")
    some = seating.set_presence(some, "ada", True, NOW, "newer")
    assert seating.set_presence(some, "ada", False, NOW, "older") is some
    gone = seating.set_presence(some, "ada", False, NOW + 5, "newer")
    assert gone.seats[0].away_ms == NOW + 5
    assert seating.set_presence(gone, "ada", False, NOW + 9, "older") is gone, "since when it is away stays"
    assert not seating.set_presence(some, "ada", False, NOW, "").seats[0].present, "which an engine knows"


def test_who_is_told_to_be_here_without_a_name_can_go_under_any() -> None:
    some = seating.set_presence(table(2, "ada", "bob"), "ada", True, NOW, "older")
    some = seating.set_presence(some, "ada", True, NOW)
    assert not seating.set_presence(some, "ada", False, NOW, "other").seats[0].present


def test_only_people_away_for_so_long_are_dropped() -> None:
    some = seating.set_presence(table(3, "ada", "bob", "eve"), "ada", True, NOW)
    some = seating.set_presence(some, "bob", True, NOW)
    some = seating.set_presence(some, "bob", False, NOW + 100)
    after = drop_absent(some, NOW + 50, NOW + 200)
    assert [seat.player for seat in after.seats] == ["ada", "bob", ""]


def test_all_who_sit_elsewhere_are_dropped_and_the_last_one_closes() -> None:
    some: Table = table(3, "ada", "bob")
    assert seating.drop(some, [EVE], NOW) is some
    assert seating.drop(some, [ADA, EVE], NOW).people[0].player == "bob"
    assert seating.drop(some, [ADA, BOB], NOW).state is State.CLOSED
