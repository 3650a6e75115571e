"""docs/security.md points to what exists: a test for every measure, every limit by its setting and default."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from services.gateway.settings import GatewaySettings
from services.lobby.settings import LobbySettings
from tests.named_tests import is_a_test

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/security.md").read_text()


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, without its head."""
    section = TEXT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


MEASURES = [row for row in rows("Threats and measures") if not row[0].startswith("**")]


def test_there_are_measures() -> None:
    assert len(MEASURES) > 40


@pytest.mark.parametrize("row", MEASURES, ids=[row[0] for row in MEASURES])
def test_a_measure_is_shown_by_a_test_that_exists(row: list[str]) -> None:
    threat, measure, tests = row
    assert threat
    assert measure
    for test in tests.split(", "):
        assert is_a_test(test.strip("`")), test


def test_every_limit_is_a_setting_and_its_default_is_told() -> None:
    fields = {f"GATEWAY_{name}".upper(): field for name, field in GatewaySettings.model_fields.items()}
    fields |= {f"LOBBY_{name}".upper(): field for name, field in LobbySettings.model_fields.items()}
    for names, defaults, _ in rows("Limits"):
        for name, default in zip(names.split(", "), defaults.split(", "), strict=True):
            bare = name.strip("`")
            field = fields.get(bare) or fields[f"GATEWAY_{bare}"]
            assert float(field.default) == float(default), bare


def test_every_locked_package_has_its_hashes() -> None:
    for lock in ("requirements.lock", "requirements-native.lock", "requirements-chart.lock"):
        entries = re.split(r"\n(?=[a-zA-Z0-9])", "\n" + re.sub(r"(?m)^\s*#.*\n", "", (ROOT / lock).read_text()))[1:]
        assert entries
        assert all("==" in entry and "--hash=sha256:" in entry for entry in entries)


def test_the_way_to_report_names_no_one() -> None:
    report = (ROOT / "SECURITY.md").read_text()
    assert "private advisories" in report
    assert "@" not in report
