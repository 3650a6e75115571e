"""How many sockets a player may have open."""

from __future__ import annotations

from contextlib import ExitStack

from services.gateway.holdings import Holdings


def test_a_player_has_so_many_and_one_that_is_gone_makes_room() -> None:
    holdings = Holdings(2)
    with holdings.one_more("ada") as first:
        with holdings.one_more("ada") as second, holdings.one_more("ada") as third, holdings.one_more("bob") as other:
            assert (first, second, third, other) == (True, True, False, True)
        with holdings.one_more("ada") as again:
            assert again
    assert len(holdings) == 0


def test_who_is_refused_takes_nothing_from_those_who_are_there() -> None:
    holdings = Holdings(1)
    with holdings.one_more("ada"):
        for _ in range(3):
            with holdings.one_more("ada") as may:
                assert not may
    with holdings.one_more("ada") as may:
        assert may


def test_nobody_in_particular_and_no_limit_are_not_counted() -> None:
    limited, unlimited = Holdings(1), Holdings(0)
    with ExitStack() as stack:
        assert all(stack.enter_context(limited.one_more(None)) for _ in range(3))
        assert all(stack.enter_context(unlimited.one_more("ada")) for _ in range(3))
        assert len(limited) == len(unlimited) == 0
