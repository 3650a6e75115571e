from __future__ import annotations

from services.lobby.seating import claim_bot, close
from services.lobby.table import PlayerId, Seat
from tests.unit.lobby.tables import NOW, lease, table


def test_a_seat_is_free_a_persons_wanted_or_a_bots() -> None:
    free, person = Seat(), Seat(player=PlayerId("ada"))
    wanted, bot = Seat(bot=True), Seat(bot=True, player=PlayerId("robot"))
    assert [(s.free, s.person, s.wanted) for s in (free, person, wanted, bot)] == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
        (False, False, False),
    ]


def test_only_a_player_with_a_socket_is_present() -> None:
    assert Seat(player=PlayerId("ada")).present
    assert not Seat(player=PlayerId("ada"), away_ms=NOW).present
    assert not Seat().present


def test_nobody_is_found_at_a_free_seat() -> None:
    assert table(3, "ada").seat_of("") is None
    assert table(3, "ada").seat_of("ada") == 0
    assert table(3, "ada").free_seat() == 1


def test_a_closed_table_wants_no_bots_and_has_no_leases() -> None:
    some = claim_bot(table(3, "ada", bots=2), lease(2), "Robot", NOW)
    assert some.wanted == (1,)
    assert some.leases == {lease(2)}
    closed = close(some, NOW)
    assert (closed.wanted, closed.leases) == ((), frozenset())


def test_an_equal_seat_leaves_the_very_same_table() -> None:
    some = table(2, "ada")
    assert some.with_seat(0, some.seats[0]) is some
