"""docs/rules.md has every rule that the code names, and the options, presets and refusals as they are."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from services.rules.options import CHOICES, PRESETS, RACING_DEMON, RANGES, OptionError, Options

ROOT = Path(__file__).parents[3]
DOCUMENT = (ROOT / "docs/rules.md").read_text()
ROWS = {
    name: (default, others)
    for name, default, others in re.findall(r"^\| `(\w+)` \| (\S+) \| ([^|]+) \|", DOCUMENT, re.MULTILINE)
}
PRESET_ROWS = re.findall(r"^\| `(\w+)` \| ([^|]*)\|$", DOCUMENT, re.MULTILINE)
NEEDS: dict[tuple[str, int | str], dict[str, str]] = {("passes", 1): {"stuck": "end"}}
"""What else must be chosen for a value to be possible."""


def value(text: str) -> Any:
    text = text.strip()
    return int(text) if text.isdecimal() else text


def test_every_rule_that_is_named_anywhere_is_in_the_document() -> None:
    rules = re.findall(r"^\*\*((?:RD|AU)-\d+)", DOCUMENT, re.MULTILINE)
    assert rules == [f"RD-{number}" for number in range(1, 15)] + [f"AU-{number}" for number in range(1, 7)]
    files = [file for folder in ("services", "tests", "docs") for file in (ROOT / folder).rglob("*.*")]
    texts = (file.read_text() for file in files if file.suffix in (".py", ".lua", ".md", ".txt"))
    assert {rule for text in texts for rule in re.findall(r"\b(?:RD|AU)-\d+", text)} <= set(rules)


def test_every_ruling_of_a_rule_that_is_named_anywhere_is_in_the_document() -> None:
    """RD-10 (a) to (i), RD-13 (a) to (f): named as "RD-10 c", "RD-10 (c)" or "RD-10 f, g"."""
    chapters = re.split(r"^\*\*((?:RD|AU)-\d+)", DOCUMENT, flags=re.MULTILINE)
    known = {
        rule: set(re.findall(r"^- \((\w)\)", text, re.MULTILINE))
        for rule, text in zip(chapters[1::2], chapters[2::2], strict=True)
    }
    files = [file for folder in ("services", "tests") for file in (ROOT / folder).rglob("*.py")]
    for file in files:
        for rule, letters in re.findall(
            r"\b(RD-\d+) \(?([a-z](?:(?:, | to )[a-z])*)\b\)?(?![a-z' ])", file.read_text()
        ):
            assert set(re.findall(r"\b[a-z]\b", letters)) <= known[rule], f"{file}: {rule} {letters}"


def test_the_documents_options_are_the_options() -> None:
    assert {name: value(default) for name, (default, _) in ROWS.items()} == asdict(Options())


@pytest.mark.parametrize("name", ROWS)
def test_what_the_document_allows_is_allowed_and_nothing_else(name: str) -> None:
    default, others = ROWS[name]
    low_high = re.fullmatch(r"(\d+) to (\d+)", others)
    if low_high:
        assert tuple(map(int, low_high.groups())) == RANGES[name]
        for allowed in RANGES[name]:
            Options.from_mapping({name: allowed})
        for beyond in (RANGES[name][0] - 1, RANGES[name][1] + 1):
            with pytest.raises(OptionError):
                Options.from_mapping({name: beyond})
        return
    assert (value(default), *map(value, others.split(","))) == CHOICES[name]
    for other in CHOICES[name]:
        Options.from_mapping({name: other, **NEEDS.get((name, other), {})})


def test_the_documents_presets_are_the_presets() -> None:
    known: dict[str, Options] = {}
    for name, text in PRESET_ROWS:
        base = re.match(r"`(\w+)` with ", text)
        changes = text[base.end() :] if base else text
        differs = dict(change.split() for change in changes.split(",") if change.strip())
        known[name] = replace(known[base[1]] if base else RACING_DEMON, **{k: value(v) for k, v in differs.items()})
    assert known == PRESETS


@pytest.mark.parametrize(
    ("given", "seats", "named"),
    [
        ({"passes": 1}, 4, "stuck"),
        ({"hands": 5, "target": 50}, 4, "target"),
        ({"teams": "pairs"}, 5, "teams"),
        ({"demon_size": [13, 10]}, 3, "demon_size"),
    ],
)
def test_what_does_not_go_together_is_refused_by_the_name_that_the_document_gives(
    given: dict[str, Any], seats: int, named: str
) -> None:
    refused = DOCUMENT[DOCUMENT.index("\nRefused: ") :].partition("\n\n")[0]
    assert all(f"`{name}`" in refused for name in given)
    assert f"(`{named}`)" in refused or f"(named: `{named}`)" in refused
    with pytest.raises(OptionError) as error:
        Options.from_mapping(given).check_seats(seats)
    assert error.value.option == named


def test_the_files_that_the_document_points_to_exist() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", DOCUMENT):
        assert (ROOT / "docs" / target).exists(), target
