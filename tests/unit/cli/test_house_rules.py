from __future__ import annotations

import pytest
from typer.testing import CliRunner

from services.cli.__main__ import app
from services.cli.house_rules import in_words, read
from services.rules.options import PRESETS, OptionError, Options


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_read_by_its_name_and_named_again(preset: str) -> None:
    assert read(preset, ()) == PRESETS[preset]
    assert in_words(PRESETS[preset]).startswith(f"{preset}, to ")


@pytest.mark.parametrize(
    ("setting", "options"),
    [
        ("draw=1", Options(draw=1)),
        ("gap_fill=demon_only", Options(gap_fill="demon_only")),
        ("demon_size=13,10", Options(demon_size=(13, 10))),
        ("demon_size=[13,10]", Options(demon_size=(13, 10))),
        ("hands=3", Options(hands=3)),
    ],
)
def test_what_differs_is_a_number_a_list_or_a_word(setting: str, options: Options) -> None:
    assert read("racing_demon", [setting]) == options


def test_a_target_of_its_own_goes_before_that_of_the_preset() -> None:
    assert read("family", (), target=30) == Options(target=30)
    assert in_words(read("nerts", (), target=30)) == "nerts, to 30 points"
    assert in_words(read("nerts", ["hands=1"])) == "nerts, 1 hand"
    assert in_words(read("nerts", ["draw=1"])) == "rules of its own, to 100 points"


@pytest.mark.parametrize(
    ("preset", "settings", "option"),
    [
        ("poker", [], "preset"),
        ("nerts", ["draw"], "draw"),
        ("nerts", ["draw=2"], "draw"),
        ("nerts", ["draw="], "draw"),
        ("nerts", ["colour=red"], "colour"),
        ("nerts", ["passes=1"], "stuck"),
        ("nerts", ["demon_size=" + "[" * 5000], "demon_size"),
        ("family", ["hands=2"], "target"),
    ],
)
def test_rules_that_cannot_be_are_refused_by_name(preset: str, settings: list[str], option: str) -> None:
    with pytest.raises(OptionError) as refused:
        read(preset, settings)
    assert refused.value.option == option


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["match", "--rules", "poker"], "option 'preset': must be one of racing_demon, classic"),
        (["match", "--rules", "pairs", "--seats", "5"], "option 'teams': pairs need 4, 6 or 8 seats, not 5"),
        (["match", "--option", "demon_size=13,10", "--seats", "3"], "option 'demon_size': a handicap of 2 seats"),
        (["match", "--target", "5"], "option 'target': must be a whole number from 10 to 1000"),
        (["up", "--demo", "--rules", "poker"], "option 'preset'"),
    ],
)
def test_the_command_line_refuses_them_in_one_sentence_before_anything_starts(command: list[str], why: str) -> None:
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 1
    assert result.output.startswith(f"pandemonium: {why}")
    assert result.output.count("\n") == 1
