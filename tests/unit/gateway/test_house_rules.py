"""The edge tells of house rules what the rules themselves say."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from pandemonium.lobby.v1 import lobby_pb2
from pandemonium.scoring.v1 import scoring_pb2

from services.gateway import convert, house_rules
from services.gateway.house_rules import catalogue
from services.rules.options import PRESETS, OptionError, Options

CATALOGUE = catalogue()
PAIRS = PRESETS["pairs"].to_json()


def made(option: str, value: Any) -> Options:
    """Options with this value, beside whatever it needs to be possible."""
    beside = {"stuck": "end"} if (option, value) == ("passes", 1) else {}
    return Options.from_mapping({option: value, **beside})


def test_every_option_is_listed_in_order_with_its_default() -> None:
    assert [option.name for option in CATALOGUE.options] == [field.name for field in fields(Options)]
    for option in CATALOGUE.options:
        assert getattr(Options(), option.name) == option.default
        assert (option.choices is None) is (option.lowest is not None)
        assert (option.lowest is None) is (option.highest is None)


@pytest.mark.parametrize("option", CATALOGUE.options, ids=lambda option: option.name)
def test_whatever_the_list_allows_is_allowed_and_nothing_beside_it(option: Any) -> None:
    possible = option.choices or [option.lowest, option.highest]
    for value in possible:
        assert getattr(made(option.name, value), option.name) == value
    for value in ["nonsense", 2.5, None] + ([] if option.choices else [option.lowest - 1, option.highest + 1]):
        with pytest.raises(OptionError):
            made(option.name, value)
    a_list = [possible[0], possible[-1]]
    if option.per_seat:
        assert getattr(made(option.name, a_list), option.name) == tuple(a_list)
    else:
        with pytest.raises(OptionError):
            made(option.name, a_list)


def test_presets_are_listed_whole_and_are_known_again() -> None:
    assert {name: Options.from_mapping(given) for name, given in CATALOGUE.presets.items()} == PRESETS
    for name, preset in PRESETS.items():
        assert house_rules.preset(preset.to_json()) == name
    assert house_rules.preset(Options(draw=1).to_json()) is None


def test_pairs_have_the_seats_that_are_listed() -> None:
    for seats in range(2, 9):
        if seats in CATALOGUE.pairs_seats:
            Options(teams="pairs").check_seats(seats)
        else:
            with pytest.raises(OptionError):
                Options(teams="pairs").check_seats(seats)


def test_every_name_has_its_words() -> None:
    (names,) = (option for option in CATALOGUE.options if option.name == "names")
    assert list(CATALOGUE.words) == names.choices
    assert CATALOGUE.words["nerts"].model_dump() == {"call": "Nerts!", "pile": "nerts pile"}


def test_a_table_tells_its_preset_its_teams_and_who_disputes() -> None:
    seats = [lobby_pb2.Seat(index=i, player=f"p{i}", total=10 * i, dispute=i == 2) for i in range(4)]
    table = lobby_pb2.Table(
        id="t1", state=lobby_pb2.TABLE_STATE_BETWEEN, options_json=PAIRS, seats=seats, playoff=True, disputable=True
    )
    told = convert.table(table)
    assert told.preset == "pairs"
    assert [(team.seats, team.total) for team in told.teams] == [([0, 2], 20), ([1, 3], 40)]
    assert [seat.dispute for seat in told.seats] == [False, False, True, False]
    assert (told.playoff, told.disputable) == (True, True)
    table.options_json = Options(hands=3).to_json()
    plain = convert.table(table)
    assert (plain.preset, plain.teams, plain.options["hands"]) == (None, [], 3)


def test_a_match_tells_the_teams_of_every_hand_and_how_they_stand() -> None:
    def hand(number: int, *points: int) -> scoring_pb2.HandSheet:
        scores = [scoring_pb2.SeatScore(seat=i, points=p, total=number * p) for i, p in enumerate(points)]
        return scoring_pb2.HandSheet(hand=number, why="called", seats=scores)

    match = scoring_pb2.Match(id="m1", options_json=PAIRS, hands=[hand(1, 5, 6, 7, -8), hand(2, 5, 6, 7, -8)])
    told = convert.match(match)
    assert [(team.seats, team.points, team.total) for team in told.hands[1].teams] == [
        ([0, 2], 12, 24),
        ([1, 3], -2, -4),
    ]
    assert [(team.seats, team.total) for team in told.teams] == [([0, 2], 24), ([1, 3], -4)]
    assert told.preset == "pairs"
    del match.hands[:]
    assert convert.match(match).teams == []


@pytest.mark.parametrize("text", ["", "?", '{"of_a_newer_lobby":1}'])
def test_rules_that_this_edge_cannot_read_are_no_preset_and_have_no_teams(text: str) -> None:
    assert house_rules.preset(text) is None
    assert house_rules.standing({0: 1, 1: 2}, text) == []
