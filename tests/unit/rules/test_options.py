from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from services.rules.options import PRESETS, RACING_DEMON, OptionError, Options, preset_of


def test_the_defaults_are_racing_demon() -> None:
    assert (RACING_DEMON.demon_size, RACING_DEMON.draw, RACING_DEMON.tie_window_ms) == (13, 3, 80)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("demon_size", 4),
        ("demon_size", 21),
        ("demon_size", True),
        ("demon_size", 13.0),
        ("draw", 2),
        ("draw", "3"),
        ("tie_window_ms", 0),
        ("tie_window_ms", 251),
        ("target", 9),
        ("gap_fill", "none"),
        ("gap_fill", None),
        ("demon_penalty", 3),
        ("demon_penalty", False),
    ],
)
def test_an_impossible_value_is_refused_with_the_option_named(option: str, value: Any) -> None:
    with pytest.raises(OptionError) as refused:
        Options.from_mapping({option: value})
    assert refused.value.option == option


@pytest.mark.parametrize(
    ("option", "given"),
    [
        ("stuck", {"passes": 1}),
        ("target", {"hands": 5, "target": 50}),
        ("hands", {"hands": 51}),
        ("demon_size", {"demon_size": [13]}),
        ("demon_size", {"demon_size": [13] * 9}),
        ("demon_size", {"demon_size": [13, 4]}),
        ("demon_size", {"demon_size": [13, "9"]}),
        ("demon_size", {"demon_size": [13, True]}),
        ("demon_size", {"demon_size": {"0": 13}}),
        ("preset", {"preset": "poker"}),
        ("preset", {"preset": ["nerts"]}),
        ("stuck", {"preset": "turn_one", "stuck": "shift"}),
    ],
)
def test_an_impossible_combination_is_refused_with_the_option_named(option: str, given: Any) -> None:
    with pytest.raises(OptionError) as refused:
        Options.from_mapping(given)
    assert refused.value.option == option


@pytest.mark.parametrize(
    ("option", "given", "seats"),
    [
        ("teams", {"teams": "pairs"}, 2),
        ("teams", {"preset": "pairs"}, 5),
        ("demon_size", {"demon_size": [13, 10, 8]}, 4),
    ],
)
def test_what_so_many_seats_can_t_play_is_refused_with_the_option_named(option: str, given: Any, seats: int) -> None:
    with pytest.raises(OptionError) as refused:
        Options.from_mapping(given).check_seats(seats)
    assert refused.value.option == option


def test_pairs_are_four_six_or_eight_and_a_handicap_is_one_number_a_seat() -> None:
    for seats in (4, 6, 8):
        PRESETS["pairs"].check_seats(seats)
    uneven = Options.from_json('{"demon_size":[13,10,20]}')
    uneven.check_seats(3)
    assert [uneven.demon_of(seat) for seat in range(3)] == [13, 10, 20]
    assert Options.from_json(uneven.to_json()) == uneven
    with pytest.raises(IndexError):
        uneven.demon_of(3)


class TestThePresets:
    """The lines under the table of rules.md."""

    def test_there_are_these(self) -> None:
        assert list(PRESETS) == [
            *("racing_demon", "classic", "nerts", "pounce", "turn_one", "pairs", "family", "tournament")
        ]

    @pytest.mark.parametrize(
        ("name", "than", "differs"),
        [
            (
                "classic",
                "racing_demon",
                {
                    "contest": "first_only",
                    "call": "automatic",
                    "in_motion": "void",
                    "match_end": "playoff",
                    "names": "out",
                },
            ),
            ("nerts", "classic", {"names": "nerts"}),
            ("pounce", "nerts", {"names": "pounce", "demon_penalty": 0}),
            ("turn_one", "classic", {"draw": 1, "passes": 1, "stuck": "end"}),
            ("pairs", "classic", {"teams": "pairs"}),
            ("family", "racing_demon", {"target": 50}),
            ("tournament", "racing_demon", {"target": 200}),
        ],
    )
    def test_each_differs_from_another_just_so(self, name: str, than: str, differs: dict[str, Any]) -> None:
        one, other = asdict(PRESETS[name]), asdict(PRESETS[than])
        assert {option: value for option, value in one.items() if other[option] != value} == differs

    def test_a_preset_can_be_named_and_changed(self) -> None:
        assert Options.from_json('{"preset":"nerts"}') == PRESETS["nerts"]
        changed = Options.from_mapping({"preset": "nerts", "target": 50})
        assert (changed.target, changed.names) == (50, "nerts")
        assert (preset_of(changed), preset_of(PRESETS["nerts"])) == (None, "nerts")

    def test_what_was_asked_stays_as_it_was(self) -> None:
        asked = {"preset": "nerts", "demon_size": [13, 13]}
        Options.from_mapping(asked)
        assert asked == {"preset": "nerts", "demon_size": [13, 13]}


def test_an_unknown_option_is_refused_by_name() -> None:
    with pytest.raises(OptionError) as refused:
        Options.from_json('{"jokers":2}')
    assert refused.value.option == "jokers"


@pytest.mark.parametrize("text", ["[]", "3", "{", '"x"', '{"target":' + "9" * 5_000 + "}", "[" * 100_000])
def test_options_are_a_json_object(text: str) -> None:
    with pytest.raises(OptionError):
        Options.from_json(text)


def test_options_are_their_text() -> None:
    house = Options(demon_size=10, draw=1, gap_fill="demon_only", target=50)
    assert Options.from_json(house.to_json()) == house
    assert Options.from_json("") == RACING_DEMON
    assert list(json.loads(house.to_json()))[:3] == ["demon_size", "draw", "passes"]


@pytest.mark.parametrize(("name", "told"), [("\ud800", "\\ud800"), ("ä", "\\xe4"), ("x" * 500, "x" * 64)])
def test_a_name_that_can_t_be_written_is_told_in_one_that_can(name: str, told: str) -> None:
    with pytest.raises(OptionError) as refused:
        Options.from_mapping({name: 1})
    assert refused.value.option == told
    str(refused.value).encode("ascii")
