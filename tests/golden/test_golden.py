"""Every playthrough says what the rules give today; together they show every rule, preset, refusal and end."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from types import ModuleType

import pytest

from services.rules.aces_up.events import AcesEndWhy
from services.rules.aces_up.moves import Reason as AcesUpReason
from services.rules.contest import Contest
from services.rules.events import EVENTS, EndWhy, ShiftWhy
from services.rules.moves import Reason
from services.rules.options import CHOICES, PRESETS, RANGES
from services.rules.verdict import Outcome
from tests.golden import picture, spoken
from tests.golden.playthrough import FOLDER, BadPlaythrough, header, played
from tests.golden.table import Table

FILES = sorted(FOLDER.glob("*.txt"))
TEXTS = [path.read_text() for path in FILES]
ALL = "\n".join(TEXTS)
OUTPUT = "\n".join(line for line in ALL.splitlines() if line.startswith("    "))
HINT = "made differently now: look at the difference, and if it is meant, run `make golden`"


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_playthrough_comes_out_as_it_is_written(path: Path) -> None:
    text = path.read_text()
    assert played(text).splitlines() == text.splitlines(), HINT


@pytest.mark.parametrize("module", [spoken, picture])
def test_the_examples_in_the_language_s_own_text_hold(module: ModuleType) -> None:
    assert doctest.testmod(module).attempted
    assert not doctest.testmod(module).failed


def test_every_playthrough_has_a_title_of_its_own_and_names_its_rules() -> None:
    titles = [header(text)[0] for text in TEXTS]
    assert len(set(titles)) == len(titles)
    for text in TEXTS:
        assert all(re.fullmatch(r"(RD|AU)-\d+", rule) for rule in header(text)[1]), text[:80]


def test_every_rule_is_shown() -> None:
    shown = {rule for text in TEXTS for rule in header(text)[1]}
    assert shown >= {f"RD-{number}" for number in range(1, 15)} | {f"AU-{number}" for number in range(1, 7)}


def test_every_preset_and_every_value_of_every_option_is_played() -> None:
    assert set(re.findall(r"^rules (\w+)", ALL, re.MULTILINE)) == set(PRESETS)
    houses = []
    for line in re.findall(r"^rules .*", ALL, re.MULTILINE):
        table = Table()
        table.read(line)
        houses.append(table.options)
    for name, values in CHOICES.items():
        assert {getattr(options, name) for options in houses} == set(values), name
    for name in RANGES:
        assert len({getattr(options, name) for options in houses}) > 1, name


def test_every_verdict_refusal_event_and_end_occurs() -> None:
    assert set(re.findall(r"^    (\w+)(?=:| *$|,)", OUTPUT, re.MULTILINE)) >= set(Outcome)
    refused = set(re.findall(r"refused: (\w+)", OUTPUT))
    # A command of the other game, or at a table that is held still, is refused before the rules are asked.
    assert refused >= (set(Reason) - {Reason.OTHER_GAME, Reason.FROZEN}) | set(AcesUpReason)
    assert set(re.findall(r"#\d+ (\w+)", OUTPUT)) >= set(EVENTS) - {"prepare"}
    assert set(re.findall(r"#\d+ (?:end|shift|aces_end), why (\w+)", OUTPUT)) >= (
        set(EndWhy) | set(ShiftWhy) | set(AcesEndWhy) - {AcesEndWhy.VOID}
    )
    assert set(re.findall(r"return, .*why (\w+)", OUTPUT)) == {Contest.LATE, Contest.SEEN}


@pytest.mark.parametrize(
    "line",
    [
        "at 1000  0 plays 2S from nowhere, seen 3, arrived 990",
        "at 1000  0 sings, seen 3, arrived 990",
        "at noon  0 calls",
        "0: demon 2S | c9 KS",
        "0: demon 2S 2S",
        "rules nobody_plays",
    ],
)
def test_input_that_says_nothing_is_refused(line: str) -> None:
    text = f"Title\nRD-1\n\nrules racing_demon\nhand 1 laid out\n0: demon AS\n1: demon KS\n{line}\n"
    with pytest.raises(BadPlaythrough):
        played(text + "at 1000  0 calls\n")
