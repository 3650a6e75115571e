from __future__ import annotations

from dataclasses import replace

import pytest

from services.lobby import dispute, match, seating
from services.lobby.agenda import Due, Step, Timing, due, next_step
from services.lobby.seating import claim_bot, close, leave, set_presence
from services.lobby.table import State, Table
from services.rules.options import Options
from tests.unit.lobby.tables import NOW, counted, lease, playing, prepared, table

TIMING = Timing()
FULL = table(2, "ada", "bob")


def steps(some: Table, now_ms: int) -> Step | None:
    return next_step(some, now_ms, TIMING)


def here(some: Table) -> Table:
    """Everybody has a socket."""
    for seat in some.seats:
        some = set_presence(some, seat.player, True, NOW)
    return some


def test_a_table_that_waits_for_people_needs_nothing() -> None:
    some = here(table(2, "ada"))
    assert steps(some, NOW) is None
    assert due(some, TIMING).at_ms == NOW + TIMING.keep_ms


@pytest.mark.parametrize(
    ("some", "step"),
    [
        (FULL, Step.PREPARE),
        (table(2, "ada", bots=1), Step.PREPARE),
        (prepared(table(2, "ada", bots=1)), Step.OFFER),
        (table(3, "ada", bots=1), Step.OFFER),
        (match.hurry(prepared(here(FULL)), NOW), Step.START),
        (match.start(match.hurry(prepared(here(FULL)), NOW), ["1", "2"], NOW), Step.DEAL),
        (playing(FULL), None),
        (counted(playing(FULL), 1, 2), Step.PREPARE),
        (prepared(counted(playing(FULL), 1, 2)), None),
        (counted(playing(FULL), 100, 2, winners=(0,)), None),
        (close(FULL, NOW), Step.SETTLE),
        (seating.settled(close(FULL, NOW)), None),
    ],
)
def test_what_is_due_at_once(some: Table, step: Step | None) -> None:
    assert steps(some, NOW) is step
    if step is not None:
        assert due(some, TIMING).at_ms <= NOW
        assert due(some, TIMING).step is step


def test_a_disputed_hand_is_taken_back_before_anything_else_goes_on() -> None:
    full = here(table(2, "ada", "bob", options=Options(dispute="replay_hand").to_json()))
    for before in (counted(playing(full), 1, 2), prepared(counted(playing(full), 1, 2))):
        asked = dispute.ask(dispute.ask(before, "ada", withdraw=False), "bob", withdraw=False)
        assert steps(asked, NOW) is Step.UPHOLD
        upheld = match.hurry(dispute.uphold(asked), NOW)
        assert steps(upheld, NOW) is Step.VOID
        assert due(upheld, TIMING) == Due(0, Step.VOID)
        assert steps(upheld, NOW + TIMING.ready_ms) is Step.VOID
    ended = counted(playing(full), 100, 2, winners=(0,))
    for player in ("ada", "bob"):
        ended = match.ask_rematch(dispute.ask(ended, player, withdraw=False), player)
    assert steps(ended, NOW) is Step.UPHOLD
    assert steps(dispute.uphold(ended), NOW) is Step.VOID
    again = dispute.voided(dispute.uphold(ended), "m1", 1, dispute.Standing((0, 0), False), NOW)
    assert steps(again, NOW) is Step.PREPARE


def test_a_quick_play_table_that_is_not_full_in_time_gets_bots() -> None:
    some = here(table(4, "ada", quick=True))
    assert due(some, TIMING) == due(some, TIMING)
    assert (due(some, TIMING).at_ms, due(some, TIMING).step) == (NOW + 20_000, Step.FILL)
    assert steps(some, NOW + 19_999) is None
    assert steps(some, NOW + 20_000) is Step.FILL
    assert steps(here(table(4, "ada")), NOW + 20_000) is None


def test_readiness_is_waited_for_30_s_between_hands_and_in_quick_play_only() -> None:
    between = prepared(counted(playing(here(FULL)), 1, 2))
    quick = prepared(replace(here(FULL), hurried=True))
    for some in (between, quick):
        assert steps(some, NOW + 29_999) is None
        assert steps(some, NOW + 30_000) is Step.HURRY
    assert steps(prepared(here(FULL)), NOW + 30_000) is None


def test_the_wait_for_a_bot_to_come_is_not_hurried() -> None:
    some = match.hurry(prepared(leave(counted(playing(here(FULL)), 1, 2), "bob", NOW)), NOW)
    assert steps(some, NOW + 100_000) is Step.OFFER


def test_people_away_for_long_lose_their_seat_before_a_match_only() -> None:
    some = set_presence(table(3, "ada", "bob"), "ada", True, NOW)
    assert steps(some, NOW + TIMING.absent_ms) is Step.DROP_ABSENT
    running = set_presence(playing(FULL), "ada", True, NOW)
    assert steps(running, NOW + TIMING.absent_ms) is None


def test_a_match_whose_people_are_all_away_for_long_is_closed_unless_it_is_watched() -> None:
    some = playing(FULL)
    assert steps(some, NOW + TIMING.absent_ms - 1) is None
    assert steps(some, NOW + TIMING.absent_ms) is Step.CLOSE
    assert steps(replace(some, watched=True), NOW + TIMING.absent_ms) is None


def test_after_a_match_a_table_closes_when_nobody_goes_on() -> None:
    ended = counted(playing(here(FULL)), 100, 2, winners=(0,))
    assert steps(ended, NOW + TIMING.idle_ms - 1) is None
    assert steps(ended, NOW + TIMING.idle_ms) is Step.CLOSE
    asked = match.ask_rematch(match.ask_rematch(ended, "ada"), "bob")
    assert steps(asked, NOW + 1) is Step.REMATCH


def test_a_closed_table_is_forgotten_after_its_time() -> None:
    some = seating.settled(close(FULL, NOW))
    assert (due(some, TIMING).at_ms, due(some, TIMING).step) == (NOW + 60_000, Step.FORGET)


def test_claims_are_checked_soon_after_a_seat_was_taken_and_then_renewed_in_time() -> None:
    some = here(table(2, "ada"))
    some = seating.join(some, FULL.seats[1].player, "Bob", "", NOW + 7)
    assert steps(prepared(some), NOW + 7 + TIMING.check_ms - 1) is None
    assert steps(prepared(some), NOW + 7 + TIMING.check_ms) is Step.KEEP
    kept = seating.kept(prepared(some), NOW + 600_000)
    assert steps(kept, NOW + 599_999) is not Step.KEEP
    assert steps(kept, NOW + 600_000) is not None


def test_a_table_that_gets_nowhere_closes_in_the_end() -> None:
    for some in (here(table(2, "ada")), playing(here(FULL)), prepared(table(2, "ada", bots=1))):
        assert steps(seating.kept(some, NOW + 10**9), NOW + TIMING.stale_ms) in (Step.CLOSE, Step.DROP_ABSENT)


def test_every_living_table_has_something_coming() -> None:
    for state in State:
        assert due(replace(FULL, state=state), TIMING)


def test_a_bots_only_table_goes_on_by_itself() -> None:
    some = table(2, bots=2, watched=True)
    for index in (0, 1):
        some = claim_bot(some, lease(index, f"bot{index}"), "Robot", NOW)
    between = counted(playing(some), 1, 2)
    assert steps(between, NOW) is Step.PREPARE
    assert steps(prepared(between), NOW + 30_000) is Step.HURRY
