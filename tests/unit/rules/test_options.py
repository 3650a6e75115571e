from __future__ import annotations

import json
from typing import Any

import pytest

from services.rules.options import RACING_DEMON, OptionError, Options


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
    ("option", "value"),
    [
        ("passes", 1),
        ("contest", "first_only"),
        ("call", "automatic"),
        ("in_motion", "void"),
        ("stuck", "end"),
        ("match_end", "playoff"),
        ("teams", "pairs"),
        ("dispute", "replay_hand"),
        ("names", "nerts"),
    ],
)
def test_a_rule_that_is_not_built_is_refused_and_never_ignored(option: str, value: Any) -> None:
    with pytest.raises(OptionError, match="not available yet"):
        Options.from_mapping({option: value})


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
