"""The rule book: four languages that say the same, and say what ``services/rules/options.py`` says."""

from __future__ import annotations

import re
from dataclasses import asdict
from itertools import combinations
from pathlib import Path

import pytest

from services.rules.aces_up.options import LAST_NUMBER, AcesUpOptions
from services.rules.options import CHOICES, PAIRS_SEATS, PRESETS, RACING_DEMON, RANGES
from services.rules.words import WORDS

ROOT = Path(__file__).parents[2]
LANGUAGES = ("en", "es", "pt", "ru")
LINES = {
    language: [line for line in (ROOT / f"docs/rules/{language}.md").read_text().splitlines() if line]
    for language in LANGUAGES
}
OTHERS = LANGUAGES[1:]
RULES = [f"RD-{number}" for number in range(1, 15)] + [f"AU-{number}" for number in range(1, 7)]
CODE = re.compile(r"`([^`]+)`")
ENGLISH_ONLY = {"the", "and", "of", "that", "are", "when", "with", "which", "card", "cards", "player", "hand"}


def shape(line: str) -> str:
    """What kind of block a line is, with the rule's number if it is the heading of a rule."""
    heading = re.match(r"(#+) ((?:RD|AU)-\d+)?", line)
    if heading:
        return f"{heading[1]} {heading[2] or ''}"
    if line.startswith("|"):
        return f"a row of {line.count('|') - 1}"
    return "an item" if line.startswith("- ") else "a paragraph"


def codes(line: str) -> list[str]:
    return sorted(CODE.findall(line))


def words(line: str) -> list[str]:
    """The words outside of code, in lower case."""
    return re.findall(r"[^\W\d_]+", CODE.sub(" ", line).lower())


def options_said(lines: list[str]) -> dict[str, set[str]]:
    """Each option with the lists of values that are given for it."""
    said: dict[str, set[str]] = {}
    for name, values in re.findall(r"`(\w+) = ([^`]+)`", "\n".join(lines)):
        said.setdefault(name, set()).add(values)
    return said


def rows_of(lines: list[str], first_cell: str) -> list[list[str]]:
    """The body of the table that has ``first_cell`` in it for the first time, cell by cell."""
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {first_cell} |"))
    table = lines[start:]
    end = next((i for i, line in enumerate(table) if not line.startswith("|")), len(table))
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table[:end]]


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_chapters_items_and_rows(language: str) -> None:
    assert list(map(shape, LINES[language])) == list(map(shape, LINES["en"]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_a_chapter_and_they_are_in_order(language: str) -> None:
    assert re.findall(r"^### ((?:RD|AU)-\d+) ", "\n".join(LINES[language]), re.MULTILINE) == RULES


@pytest.mark.parametrize("language", OTHERS)
def test_every_block_names_the_same_rules_options_and_numbers_in_every_language(language: str) -> None:
    for line, english in zip(LINES[language], LINES["en"], strict=True):
        assert codes(line) == codes(english), line
        assert sorted(re.findall(r"\d+", line)) == sorted(re.findall(r"\d+", english)), line


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_options_and_all_their_values_are_those_of_the_rules(language: str) -> None:
    said = options_said(LINES[language])
    expected = {name: " | ".join(map(str, values)) for name, values in CHOICES.items()}
    expected |= {name: f"{low}..{high}" for name, (low, high) in RANGES.items()}
    assert {name: values for name, values in said.items() if name in asdict(RACING_DEMON)} == {
        name: {values} for name, values in expected.items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("option", RANGES)
def test_what_a_number_usually_is_is_the_default(language: str, option: str) -> None:
    item = next(line for line in LINES[language] if line.startswith(f"- `{option} = "))
    usual = re.search(r"\), \w+ (\d+)\.", item)
    assert usual
    assert int(usual[1]) == asdict(RACING_DEMON)[option]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_is_explained_once_and_where_it_bites(language: str) -> None:
    items = [match[1] for line in LINES[language] if (match := re.match(r"- `(\w+) = ", line))]
    assert items == list(asdict(RACING_DEMON))
    bites = set(re.findall(r"\(\S+ `(\w+) = ", "\n".join(LINES[language])))
    assert bites >= set(items)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_presets_differ_from_the_usual_rules_as_the_table_says(language: str) -> None:
    usual = asdict(RACING_DEMON)
    said = {
        name.strip("`"): dict(re.findall(r"`(\w+): (\w+)`", differs))
        for name, differs, _ in rows_of(LINES[language], "`racing_demon`")
        if not name.startswith(("preset", "---"))
    }
    assert said == {
        name: {option: str(value) for option, value in asdict(preset).items() if value != usual[option]}
        for name, preset in PRESETS.items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_for_the_call_is_told_in_the_language(language: str) -> None:
    rows = {row[0].strip("`"): row[1:] for row in rows_of(LINES[language], "`names`")[2:]}
    assert list(rows) == list(CHOICES["names"])
    calls = [call for call, _ in rows.values()]
    assert len(set(calls)) == len(calls)
    assert all("!" in call for call in calls)


def test_the_words_in_english_are_those_of_the_rules() -> None:
    rows = rows_of(LINES["en"], "`names`")[2:]
    assert {name.strip("`"): (call.strip('"'), pile) for name, call, pile in rows} == WORDS


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_options_of_aces_up_are_those_of_the_rules(language: str) -> None:
    said = options_said(LINES[language])
    assert {name: said[name] for name in AcesUpOptions.__slots__} == {
        "number": {f"1..{LAST_NUMBER}"},
        "practice": {"false | true"},
        "auto_remove": {"false | true"},
    }
    assert (AcesUpOptions(1).practice, AcesUpOptions(1).auto_remove) == (False, False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_option_is_named_that_is_none(language: str) -> None:
    assert options_said(LINES[language]).keys() == set(asdict(RACING_DEMON)) | set(AcesUpOptions.__slots__)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_seats_of_pairs_are_told(language: str) -> None:
    impossible = next(line for line in LINES[language] if line.startswith("- `teams: pairs`"))
    assert tuple(map(int, re.findall(r"\d+", impossible))) == PAIRS_SEATS


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_left_in_english(language: str) -> None:
    for line in LINES[language]:
        assert not ENGLISH_ONLY & set(words(line)), line


@pytest.mark.parametrize(("one", "other"), list(combinations(LANGUAGES, 2)))
def test_no_block_is_in_the_wrong_language(one: str, other: str) -> None:
    """Spanish and Portuguese have many words in common, other pairs hardly any."""
    allowed = 0.65 if (one, other) == ("es", "pt") else 0.35
    for line, counterpart in zip(LINES[one], LINES[other], strict=True):
        said, said_there = set(words(line)), set(words(counterpart))
        if min(len(said), len(said_there)) > 6:
            assert len(said & said_there) <= allowed * min(len(said), len(said_there)), line


def test_every_russian_paragraph_is_in_cyrillic() -> None:
    for line in LINES["ru"]:
        said = words(line)
        if len(said) > 3:
            cyrillic = [word for word in said if "\u0400" <= word[0] <= "\u04ff"]
            assert len(cyrillic) > len(said) / 2, line


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_is_plain_markdown(language: str) -> None:
    for line in LINES[language]:
        assert not re.search(r"</?\w+>|&\w+;|!\[|\]\(", line), line
        assert line == line.strip(), line
