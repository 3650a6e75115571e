from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from services.lobby import dispute, match, seating, solo
from services.lobby.agenda import Step, Timing, due, next_step
from services.lobby.seating import set_presence
from services.lobby.table import Pace, PlayerId, State, Strength, Table
from services.rules.aces_up.options import AcesUpOptions
from services.rules.options import Options
from services.runtime.errors import Fault, InvalidArgument
from tests.unit.lobby.tables import NOW, counted, playing, prepared, solo_table, table

TIMING = Timing()


def running(player: str = "ada") -> Table:
    """A solo table whose game is dealt, though its player was never ready."""
    begun = match.start(prepared(solo_table(player)), ["spare"], NOW)
    assert begun.state is State.PLAYING
    return match.dealt(begun, begun.match, begun.hand)


def here(some: Table) -> Table:
    return set_presence(some, "ada", True, NOW)


def refused(call: Callable[..., Any], *args: Any) -> str:
    with pytest.raises(Fault) as fault:
        call(*args)
    return fault.value.reason


def test_a_game_is_private_has_one_seat_and_begins_without_being_asked() -> None:
    new = solo_table("ada")
    assert (new.solo, new.public, new.invite, new.countdown_ms, new.host) == (True, False, "", 0, "ada")
    assert [step(new), step(prepared(new))] == [Step.PREPARE, Step.START]
    begun = match.start(prepared(new), ["spare"], NOW)
    assert [(seat.player, seat.nonce) for seat in begun.deal] == [("ada", "spare")]
    assert step(begun) is Step.DEAL
    assert step(running()) is None


def step(some: Table) -> Step | None:
    return next_step(here(some), NOW, TIMING)


def test_a_table_of_racing_demon_is_no_solo_table() -> None:
    assert not table(2, "ada").solo
    assert not solo.done_with(counted(playing(table(2, "ada", "bob")), 100, 0, winners=(0,)))


@pytest.mark.parametrize("winners", [(), (0,)])
@pytest.mark.parametrize("told_over", [True, False])
def test_a_game_is_over_with_its_one_hand(winners: tuple[int, ...], told_over: bool) -> None:
    result = match.Result("m1", 1, (0,), told_over, winners)
    after = match.scored(running(), result, NOW)
    assert (after.state, after.winners, after.disputable, after.commitment) == (State.ENDED, winners, False, "")
    assert step(after) is None
    assert solo.done_with(after)


def test_the_same_deal_can_be_played_again_at_the_same_table() -> None:
    over = counted(running(), 0, winners=(0,))
    again = match.rematch(match.ask_rematch(over, "ada"), "m2", NOW)
    assert (again.state, again.match, again.hand, again.options) == (State.OPEN, "m2", 0, over.options)
    assert next_step(prepared(again), NOW, TIMING) is Step.START


def test_nobody_else_comes_in() -> None:
    for some in (solo_table("ada"), running()):
        assert refused(seating.join, some, PlayerId("eve"), "Eve", "", NOW) == "BAD_INVITE"
        assert refused(seating.add_bot, some, Strength.EASY, Pace.FAST, NOW) in ("TABLE_FULL", "MATCH_RUNNING")
        assert seating.join(some, PlayerId("ada"), "Ada", "", NOW) is some


@pytest.mark.parametrize("ready", [True, False])
def test_readiness_changes_nothing(ready: bool) -> None:
    some = prepared(solo_table("ada"))
    assert match.set_ready(some, "ada", ready, "mine") is some
    assert refused(match.set_ready, some, "eve", ready, "mine") == "NOT_SEATED"


def test_there_is_nothing_to_dispute() -> None:
    assert refused(dispute.ask, counted(running(), 0), "ada", False) == "NO_DISPUTES"


def test_a_deal_that_was_lost_with_its_engine_is_dealt_anew_without_being_asked() -> None:
    fixed = match.start(prepared(solo_table("ada")), ["spare"], NOW)
    again = match.undealt(fixed, "m1", 1, NOW)
    assert (again.state, step(again), step(prepared(again))) == (State.OPEN, Step.PREPARE, Step.START)


def test_who_leaves_closes_the_table_and_no_bot_goes_on() -> None:
    left = seating.leave(running(), "ada", NOW)
    assert (left.state, left.wanted, left.seats[0].free) == (State.CLOSED, (), True)
    assert step(left) is Step.SETTLE


def test_a_game_waits_for_a_player_who_is_away_as_long_as_tables_that_get_no_further() -> None:
    gone = set_presence(here(running()), "ada", False, NOW + 1_000)
    until_ms = NOW + 1_000 + TIMING.stale_ms
    assert TIMING.stale_ms > TIMING.absent_ms
    kept = seating.kept(gone, until_ms + 1)
    assert next_step(kept, until_ms - 1, TIMING) is None
    assert (due(kept, TIMING).at_ms, due(kept, TIMING).step) == (until_ms, Step.CLOSE)


def test_a_game_that_is_over_keeps_nobody_and_a_running_one_does() -> None:
    over = counted(running(), 0)
    assert solo.close_done(over, NOW).state is State.CLOSED
    assert solo.close_done(running(), NOW).state is State.PLAYING
    closed = seating.close(over, NOW)
    assert not solo.done_with(closed)


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("", "game"),
        (Options().to_json(), "game"),
        ('{"game":"chess","number":1}', "game"),
        ('{"game":"aces_up"}', "number"),
        ('{"game":"aces_up","number":0}', "number"),
        ('{"game":"aces_up","number":true}', "number"),
        ('{"game":"aces_up","number":2147483649}', "number"),
        ('{"game":"aces_up","number":1,"practice":1}', "practice"),
        ('{"game":"aces_up","number":1,"draw":3}', "draw"),
        ("[", "options"),
    ],
)
def test_options_that_cannot_be_are_refused_and_named(text: str, option: str) -> None:
    with pytest.raises(InvalidArgument) as bad:
        solo.options(text)
    assert (bad.value.reason, bad.value.metadata["option"]) == ("BAD_OPTION", option)


def test_options_are_kept_whole() -> None:
    assert solo.options('{"game":"aces_up","number":7}') == AcesUpOptions(7)
    assert solo_table(number=7).options == '{"game":"aces_up","number":7,"practice":false,"auto_remove":false}'
