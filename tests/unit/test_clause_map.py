"""docs/clauses.md points to what exists: every rule, option, symbol, test and playthrough of every row."""

from __future__ import annotations

import ast
import importlib
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from services.rules.aces_up.options import AcesUpOptions
from services.rules.options import CHOICES, PRESETS, RACING_DEMON

ROOT = Path(__file__).parents[2]
RULES = {f"RD-{number}" for number in range(1, 15)} | {f"AU-{number}" for number in range(1, 7)}
OPTIONS = {*RACING_DEMON.__slots__, *AcesUpOptions.__slots__}


class Row(NamedTuple):
    """One line of the map: the clauses' numbers, what they say, and where that is kept."""

    clauses: str
    says: str
    rule: str
    option: str
    code: str
    test: str


def row(line: str) -> Row:
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    return Row(*cells[:3], *(cell.strip("`") for cell in cells[3:]))


ROWS = [row(line) for line in (ROOT / "docs/clauses.md").read_text().splitlines() if re.match(r"\| S\d\.\d", line)]
IDS = [row.clauses.split()[0] for row in ROWS]


@cache
def names_of_tests(path: Path) -> set[str]:
    """The names of a file's tests, those of classes with their class."""
    found = set()
    for node in ast.parse(path.read_text()).body:
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        head = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
        names = (at.name for at in inside if isinstance(at, ast.FunctionDef | ast.AsyncFunctionDef))
        found |= {head + name for name in names if name.startswith("test_")}
    return found


def test_the_clauses_of_every_text_are_numbered_without_a_gap() -> None:
    numbers: dict[str, list[int]] = {}
    for clause in (clause for row in ROWS for clause in row.clauses.split()):
        text, number = clause.split(".")
        numbers.setdefault(text, []).append(int(number))
    assert sorted(numbers) == ["S0", "S1", "S2", "S3", "S4"]
    for text, found in numbers.items():
        assert found == list(range(1, len(found) + 1)), text


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_a_row_s_rule_and_option_exist(row: Row) -> None:
    assert row.says
    assert row.rule in RULES | {"advice", "word"}
    name, _, value = row.option.partition(" = ")
    if name.startswith("preset "):
        assert name.removeprefix("preset ") in PRESETS
    elif name:
        assert name in OPTIONS
        assert not value or value in map(str, CHOICES[name])


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_a_row_s_code_exists(row: Row) -> None:
    if row.code.startswith("docs/"):
        assert (ROOT / row.code).is_file()
        return
    module, symbol = row.code.split(":")
    found = importlib.import_module(f"services.{module}")
    for part in symbol.split("."):
        found = getattr(found, part)


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_a_row_s_test_exists(row: Row) -> None:
    path, _, name = row.test.partition("::")
    file = ROOT / "tests" / path
    assert file.is_file()
    if file.suffix == ".txt":
        assert not name
        assert row.rule in file.read_text().splitlines()[1].split(", ") or row.rule in ("advice", "word")
    else:
        assert name in names_of_tests(file)


def test_every_rule_and_every_option_of_the_texts_is_in_the_map() -> None:
    """RD-14 is the platform's own: no text says that cards don't vanish. So are the window and a number of hands."""
    assert {row.rule for row in ROWS} >= RULES - {"RD-14"}
    assert {row.option.split(" = ")[0] for row in ROWS} >= OPTIONS - {"tie_window_ms", "hands"}
    said = {row.option for row in ROWS}
    for name, values in CHOICES.items():
        assert name == "names" or f"{name} = {values[0]}" in said, name


def test_every_test_that_was_written_for_a_clause_is_in_the_map() -> None:
    path = ROOT / "tests/unit/rules/test_clauses.py"
    assert names_of_tests(path) <= {row.test.partition("::")[2] for row in ROWS}
