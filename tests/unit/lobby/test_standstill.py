"""A table that is held still: nothing falls due, and afterwards everything waits as long as it had to wait before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.lobby import seating, standstill
from services.lobby.agenda import Step, Timing, due, next_step
from services.lobby.table import PlayerId, Seat, State, Table, TableId
from services.runtime.errors import FailedPrecondition

HOUR_MS = 3_600_000
TIMING = Timing()


def table(**more: object) -> Table:
    seats = (Seat(PlayerId("ada"), "Ada"), Seat(PlayerId("bob"), "Bob", away_ms=2_000))
    base = Table(
        TableId("t"), seats, PlayerId("ada"), created_ms=1_000, since_ms=1_000, match="m", keep_at_ms=10 * HOUR_MS
    )
    return replace(base, state=State.BETWEEN, commitment="c", waiting_ms=1_500, **more)  # type: ignore[arg-type]


def test_nothing_but_the_order_to_the_engine_is_due_at_a_table_that_is_held_still() -> None:
    still = standstill.freeze(table(), 3_000)
    assert next_step(still, 9 * HOUR_MS, TIMING) is Step.FREEZE
    still = standstill.told(still, True)
    assert next_step(still, 9 * HOUR_MS, TIMING) is None
    assert due(still, TIMING).step is Step.KEEP


def test_a_deal_that_was_fixed_is_carried_out_before_the_engine_holds_the_hand() -> None:
    still = standstill.freeze(table(deal=(Seat(), Seat())), 3_000)
    still = replace(still, state=State.PLAYING)
    assert next_step(still, 3_000, TIMING) is Step.DEAL


def test_a_table_that_goes_on_first_has_the_engine_told_and_then_waits_as_long_as_before() -> None:
    before = table()
    still = standstill.told(standstill.freeze(before, 3_000), True)
    on = standstill.thaw(still, 3_000 + HOUR_MS)
    assert next_step(on, 3_000 + HOUR_MS, TIMING) is Step.THAW
    on = standstill.told(on, False)
    assert due(on, TIMING).at_ms == due(before, TIMING).at_ms + HOUR_MS
    assert on.seats[1].away_ms == before.seats[1].away_ms + HOUR_MS
    assert on.seats[0].present


def test_what_began_while_it_stood_still_waits_from_when_it_goes_on() -> None:
    still = standstill.freeze(table(), 3_000)
    away = seating.set_presence(still, "ada", False, 5_000)
    assert standstill.thaw(away, 9_000).seats[0].away_ms == 9_000


def test_holding_still_twice_and_going_on_twice_change_nothing_more() -> None:
    still = standstill.freeze(table(), 3_000)
    assert standstill.freeze(still, 4_000) is still
    on = standstill.thaw(still, 5_000)
    assert standstill.thaw(on, 6_000) is on


def test_a_closed_table_is_not_held_still_and_one_that_stands_still_can_be_closed() -> None:
    closed = seating.close(standstill.freeze(table(), 3_000), 4_000)
    assert next_step(closed, 4_000, TIMING) is Step.SETTLE
    for change in (standstill.freeze, standstill.thaw):
        with pytest.raises(FailedPrecondition) as refused:
            change(closed, 5_000)
        assert refused.value.reason == "TABLE_CLOSED"


def test_whom_an_operator_sends_away_leaves_the_seat_to_a_bot_and_does_not_come_back() -> None:
    after = seating.expel(table(public=True), 0, 3_000)
    assert (after.seats[0].bot, after.host) == (True, "bob")
    with pytest.raises(Exception, match="sent away"):
        seating.join(after, PlayerId("ada"), "Ada", "", 4_000)
    with pytest.raises(FailedPrecondition) as nobody:
        seating.expel(after, 0, 5_000)
    assert nobody.value.reason == "NO_PLAYER_THERE"
