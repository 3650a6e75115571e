"""docs/rules.md has every rule that the code names, and the options as they are."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from services.rules.options import OptionError, Options

ROOT = Path(__file__).parents[3]
DOCUMENT = (ROOT / "docs/rules.md").read_text()
ROWS = {
    name: (default, others)
    for name, default, others in re.findall(r"^\| `(\w+)` \| (\S+) \| ([^|]+) \|", DOCUMENT, re.MULTILINE)
}


def value(text: str) -> Any:
    text = text.strip("* ")
    return int(text) if text.isdecimal() else text


def test_every_rule_that_is_named_anywhere_is_in_the_document() -> None:
    rules = re.findall(r"^\*\*(RD-\d+)", DOCUMENT, re.MULTILINE)
    assert rules == [f"RD-{number}" for number in range(1, 15)]
    files = [file for folder in ("services", "tests", "docs") for file in (ROOT / folder).rglob("*.*")]
    texts = (file.read_text() for file in files if file.suffix in (".py", ".lua", ".md"))
    assert {rule for text in texts for rule in re.findall(r"\bRD-\d+", text)} <= set(rules)


def test_the_documents_options_are_the_options() -> None:
    assert {name: value(default) for name, (default, _) in ROWS.items()} == asdict(Options())


@pytest.mark.parametrize("name", ROWS)
def test_what_the_document_allows_is_allowed_and_what_it_calls_unavailable_is_refused(name: str) -> None:
    others = ROWS[name][1]
    low_high = re.fullmatch(r"(\d+) to (\d+)", others)
    if low_high:
        for allowed in map(int, low_high.groups()):
            Options.from_mapping({name: allowed})
        for beyond in (int(low_high[1]) - 1, int(low_high[2]) + 1):
            with pytest.raises(OptionError):
                Options.from_mapping({name: beyond})
        return
    for other in others.split(", "):
        if other.startswith("*"):
            with pytest.raises(OptionError, match="not available yet"):
                Options.from_mapping({name: value(other)})
        else:
            Options.from_mapping({name: value(other)})
