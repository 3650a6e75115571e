"""What Prometheus and Grafana will ask: the expressions of the rules and of the dashboards, and what is inside them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import yaml

from tests.monitoring.catalogue import ROOT

RULES: Final = ROOT / "deploy" / "prometheus" / "rules"
TESTS: Final = ROOT / "deploy" / "prometheus" / "tests"
DASHBOARDS: Final = ROOT / "deploy" / "grafana" / "dashboards"

_COMPARISON: Final = re.compile(r"(?:[<>]=?|[!=]=)\s*(?:bool\s)?")


def rules(kind: str) -> list[dict[str, Any]]:
    """All rules that are an ``alert``, or all that ``record``."""
    groups = [group for path in sorted(RULES.glob("*.yml")) for group in yaml.safe_load(path.read_text())["groups"]]
    return [rule for group in groups for rule in group["rules"] if kind in rule]


def rule_tests() -> list[dict[str, Any]]:
    """All cases of promtool."""
    return [case for path in sorted(TESTS.glob("*.yml")) for case in yaml.safe_load(path.read_text())["tests"]]


def panels() -> Iterator[tuple[str, str]]:
    """Of every query of every panel: where it stands, and its expression."""
    for path in sorted(DASHBOARDS.glob("*.json")):
        for panel in _flat(json.loads(path.read_text())["panels"]):
            for target in panel.get("targets", ()):
                yield f"{path.stem}: {panel['title']} ({target['legendFormat']})", target["expr"]


def vectors(expression: str) -> list[str]:
    """What an alert looks at, without what it is compared to.

    >>> vectors("a / b > 0.8 and c{d!='e'} == 0")
    ['a / b', "c{d!='e'}"]
    """
    return [side for part in _split(expression, " and ") for side in _sides(part) if not _is_number(side)]


def names(expression: str) -> set[str]:
    """The metrics and recorded series of an expression.

    >>> sorted(names('sum by (le) (rate(pandemonium_x_bucket{a="pandemonium_no"}[5m])) / process_max_fds'))
    ['pandemonium_x_bucket', 'process_max_fds']
    """
    plain = re.sub(r'"[^"]*"|\'[^\']*\'', "", expression)
    return set(re.findall(r"\b(?:pandemonium[a-z0-9_:]+|process_[a-z_]+|python_[a-z_]+)", plain))


def _sides(part: str) -> list[str]:
    depth = 0
    for position, letter in enumerate(part):
        depth += (letter in "({[") - (letter in ")}]")
        found = _COMPARISON.match(part, position)
        if depth == 0 and found:
            return [part[:position].strip(), part[found.end() :].strip()]
    return [part.strip()]


def _split(text: str, word: str) -> list[str]:
    text = " ".join(text.split())
    parts, depth, start = [], 0, 0
    for position, letter in enumerate(text):
        depth += (letter in "({[") - (letter in ")}]")
        if depth == 0 and text.startswith(word, position):
            parts.append(text[start:position])
            start = position + len(word)
    return [*parts, text[start:]]


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[\d.* ]+", text) is not None


def _flat(found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for panel in found:
        yield panel
        yield from _flat(panel.get("panels") or [])
