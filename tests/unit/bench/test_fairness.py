"""B7 in small: what RD-8 promises, on any network that can be drawn."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import cycle
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.options import Options
from tests.bench.fairness import liars
from tests.bench.fairness.grid import cells
from tests.bench.fairness.mixes import mix
from tests.bench.fairness.schemes import ARRIVAL, OURS, arrival
from tests.bench.fairness.seats import HONEST, Client, Outcome, Play, Press, Seat
from tests.bench.fairness.table import Platform, Table
from tests.bench.fairness.tally import Tally
from tests.bench.fairness.wire import Delay

WINDOW_MS: Final = Options().tie_window_ms

milliseconds = st.floats(0, 300)
delays = st.lists(milliseconds, min_size=1, max_size=5).map(lambda drawn: cycle(drawn).__next__)
presses = st.lists(st.floats(0, 400), min_size=2, max_size=5)
clock_errors = st.floats(-20, 20)
liars_ = st.builds(
    Client,
    claims=st.sampled_from([liars.HIDING.claims, liars.AHEAD.claims, HONEST.claims, lambda shown, below: 0]),
    holds_pongs_ms=st.floats(0, liars.HOLDS_MS),
    backdates_ms=milliseconds,
)


@st.composite
def tables(draw: st.DrawFn, clients: st.SearchStrategy[Client]) -> tuple[list[Client], float, list[list[Play]]]:
    """Clients, the error of the edges' clocks, and the plays of three rounds. Seat 0 is honest."""
    at = draw(presses)
    programs = [HONEST, *(draw(clients) for _ in at[1:])]
    error = draw(clock_errors)
    platform = Platform(draw(delays), draw(delays), lambda: error)
    seats = [Seat(draw(delays), draw(delays), client=program) for program in programs]
    table = Table(seats, platform)
    table.rest(draw(st.floats(0, 5000)))
    blind = [program is not HONEST for program in programs]
    return programs, error, [table.play([Press(i, ms, blind[i]) for i, ms in enumerate(at)]) for _ in range(3)]


def _returned_though_first(plays: Sequence[Play], owner: Play, clock_error: float) -> list[Play]:
    """Cards that were played before the one that took the place, and reached the edge inside the cap."""
    return [
        play
        for play in plays
        if play.seq == 0 and play.pressed < owner.pressed and play.wire_ms + clock_error <= WINDOW_MS
    ]


def _owner(plays: Sequence[Play]) -> Play:
    return next(play for play in plays if play.outcome is Outcome.FIRST)


@given(tables(st.just(HONEST)))
@settings(max_examples=80)
def test_nobody_who_was_first_by_a_wire_inside_the_cap_is_robbed(
    drawn: tuple[list[Client], float, list[list[Play]]],
) -> None:
    _, error, rounds = drawn
    for plays in rounds:
        assert not _returned_though_first(plays, _owner(plays), error)
        assert Outcome.REFUSED not in [play.outcome for play in plays]


@given(tables(st.just(HONEST)))
@settings(max_examples=80)
def test_a_place_is_shared_only_by_cards_none_of_whose_players_could_have_seen_another_of_them(
    drawn: tuple[list[Client], float, list[list[Play]]],
) -> None:
    for plays in drawn[2]:
        holders = [play for play in plays if play.seq]
        assert not [(a, b) for a in holders for b in holders if a is not b and a.shown >= b.seq]


@given(tables(liars_))
@settings(max_examples=80)
def test_no_lie_of_others_robs_an_honest_player_who_was_first(
    drawn: tuple[list[Client], float, list[list[Play]]],
) -> None:
    programs, error, rounds = drawn
    for plays in rounds:
        honest = [play for play in plays if programs[play.seat] is HONEST]
        assert not _returned_though_first(honest, _owner(plays), error)


@given(tables(liars_))
@settings(max_examples=80)
def test_no_lie_gains_more_than_a_shared_place_inside_the_window(
    drawn: tuple[list[Client], float, list[list[Play]]],
) -> None:
    for plays in drawn[2]:
        owner = _owner(plays)
        for play in plays:
            if play.outcome is Outcome.SHARED:
                # An arrival that is stamped in the future counts as now.
                assert min(play.arrived_ms, int(play.committed)) <= int(owner.committed) + WINDOW_MS


@given(tables(liars_))
@settings(max_examples=80)
def test_no_claim_counts_for_more_than_its_player_had_been_shown(
    drawn: tuple[list[Client], float, list[list[Play]]],
) -> None:
    programs, _, rounds = drawn
    for play in [play for plays in rounds for play in plays]:
        assert play.seen <= play.shown
        assert play.seen == play.shown or programs[play.seat] is not HONEST


def _steady(ms: float) -> Delay:
    return lambda: ms


def _two(slow_up_ms: float) -> list[Play]:
    """The first by this wire, the second 10 ms later by one of 5 ms."""
    seats = [Seat(_steady(slow_up_ms), _steady(5)), Seat(_steady(5), _steady(5))]
    table = Table(seats, Platform(_steady(1), _steady(1), _steady(0)))
    return table.play([Press(0, 100), Press(1, 110)])


def test_arrival_order_robs_the_longer_wire_and_this_rule_does_not() -> None:
    plays = _two(60)
    assert arrival(plays).kept == {1}
    assert [play.outcome for play in plays] == [Outcome.SHARED, Outcome.FIRST]


def test_a_wire_longer_than_the_cap_can_be_robbed_which_is_counted_apart() -> None:
    """It takes the window, and what the other's wire, the commit (1 ms) and the true gap add to it."""
    inside, beyond = _two(WINDOW_MS + 5 + 1 + 10), _two(WINDOW_MS + 5 + 1 + 10 + 1)
    assert [play.outcome for play in inside] == [Outcome.SHARED, Outcome.FIRST]
    assert [play.outcome for play in beyond] == [Outcome.RETURNED, Outcome.FIRST]
    tally = Tally(WINDOW_MS)
    tally.count(beyond, arrival)
    assert (tally.robbed, tally.robbed_inside, tally.inside) == (1, 0, 0)


def test_a_player_who_had_seen_the_place_taken_gets_the_card_back() -> None:
    table = Table([Seat(_steady(5), _steady(5))] * 2, Platform(_steady(1), _steady(1), _steady(0)))
    first, second = table.play([Press(0, 100), Press(1, None)])
    assert (first.outcome, second.outcome) == (Outcome.FIRST, Outcome.RETURNED)
    assert second.shown >= first.seq


def test_the_study_in_small_finds_arrival_order_robbing_and_this_rule_never() -> None:
    rng = random.Random(1)
    parts = [cell.tallies for cell in cells(rng, "rough", steps=(20, 100), tables=3)] + [mix(rng, 5, tables=6)]
    assert sum(part[OURS].robbed_inside for part in parts) == 0
    assert sum(part[OURS].seen_ties for part in parts) == 0
    assert sum(part[OURS].ties for part in parts) > 0
    assert sum(part[ARRIVAL].robbed_inside for part in parts) > 0


def test_who_hides_what_it_has_seen_shares_and_who_forges_a_clock_robs_where_clocks_are_believed() -> None:
    rng = random.Random(2)
    hiding, forging = (
        liars.late(rng, liars.LIARS[name], tables=3) for name in ("hides what it has seen", "forges its clock")
    )
    assert hiding[OURS].robs == forging[OURS].robs == 0
    assert 0 < hiding[OURS].latest_shared_ms <= WINDOW_MS
    assert forging["clocks, capped"].robs > 0


def test_who_fires_blindly_gains_nothing_by_claiming_what_is_under_way() -> None:
    rng = random.Random(3)
    honest = liars.blind(rng, HONEST, 150.0, tries=False, tables=3)
    lying = liars.blind(rng, liars.AHEAD, 150.0, tries=True, tables=3)
    assert honest.shared > 0.9 * honest.places
    assert lying.alone + lying.shared < 0.1 * lying.places
