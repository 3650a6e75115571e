from __future__ import annotations

from typing import Any

import pytest

from services.rules.aces_up.options import LAST_NUMBER, AcesUpOptions
from services.rules.options import OptionError


def test_comforts_are_off_by_default() -> None:
    assert AcesUpOptions.from_mapping({"number": 1}) == AcesUpOptions(1, practice=False, auto_remove=False)


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ({}, "number"),
        ({"number": 0}, "number"),
        ({"number": LAST_NUMBER + 1}, "number"),
        ({"number": True}, "number"),
        ({"number": 1.0}, "number"),
        ({"number": "1"}, "number"),
        ({"number": None}, "number"),
        ({"number": 1, "practice": 1}, "practice"),
        ({"number": 1, "auto_remove": None}, "auto_remove"),
        ({"number": 1, "draw": 3}, "draw"),
        ({"number": 1, 3: 4}, "3"),
        ([], "options"),
        (None, "options"),
    ],
)
def test_an_impossible_option_is_refused_by_its_name(given: Any, option: str) -> None:
    with pytest.raises(OptionError) as refused:
        AcesUpOptions.from_mapping(given)
    assert refused.value.option == option


def test_options_are_their_text() -> None:
    options = AcesUpOptions(LAST_NUMBER, practice=True)
    assert options.to_json() == '{"game":"aces_up","number":2147483648,"practice":true,"auto_remove":false}'
    assert AcesUpOptions.from_json(options.to_json()) == options


@pytest.mark.parametrize("text", ["", "{", "[1]", "[" * 100_000, '{"number":' + "9" * 5_000 + "}"])
def test_a_text_that_says_no_options_is_refused(text: str) -> None:
    with pytest.raises(OptionError):
        AcesUpOptions.from_json(text)
