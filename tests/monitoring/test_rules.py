from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest
import yaml

from deploy.grafana.__main__ import files
from tests.monitoring.catalogue import DOCUMENT, ROOT, SERVICES
from tests.monitoring.prometheus import program
from tests.monitoring.rules import DASHBOARDS, RULES, TESTS, names, panels, rule_tests, rules, vectors

LIBRARY = {
    *("process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds", "process_max_fds"),
    "process_start_time_seconds",
}
"""What prometheus_client tells of every process by itself."""


def known() -> set[str]:
    found = set(LIBRARY) | {rule["record"] for rule in rules("record")}
    # The page is held to the code by tests/unit/test_metrics.py.
    for name, kind in re.findall(r"^\| `(pandemonium_\w+)` \| (\w+) \|", DOCUMENT.read_text(), re.MULTILINE):
        found |= {name + suffix for suffix in (("_bucket", "_sum", "_count") if kind == "histogram" else ("",))}
    return found


def test_nothing_asks_for_a_metric_that_is_not_there() -> None:
    asked = {expression: where for where, expression in panels()}
    asked |= {rule["expr"]: rule.get("alert") or rule["record"] for rule in (*rules("alert"), *rules("record"))}
    assert len(asked) > 100
    exist = known()
    assert {where: missing for expression, where in asked.items() if (missing := names(expression) - exist)} == {}


def test_the_dashboards_are_those_of_the_code() -> None:
    made = files()
    assert {path: path.read_text() for path in made} == made, "make monitoring writes them anew"
    assert sorted(made) == sorted(next(iter(made)).parent.glob("*.json"))


def test_no_panel_lies_on_another_or_has_its_number() -> None:
    for path in DASHBOARDS.glob("*.json"):
        shown = json.loads(path.read_text())["panels"]
        places = [panel["gridPos"] for panel in shown]
        cells = [
            (x, y)
            for at in places
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        ]
        assert len(set(cells)) == len(cells), path.name
        assert max(x for x, _ in cells) < 24
        assert len({panel["id"] for panel in shown}) == len(shown)


def test_every_alert_says_what_it_is_about_how_urgent_it_is_and_where_to_read_on() -> None:
    section = (ROOT / "docs/operations.md").read_text().partition("\n## Alerts\n")[2].partition("\n## ")[0]
    headings = {line[4:].lower() for line in section.splitlines() if line[:4] == "### "}
    for alert in rules("alert"):
        name, notes = alert["alert"], alert["annotations"]
        assert alert["labels"]["severity"] in ("page", "ticket"), name
        assert notes["summary"], name
        assert notes["runbook"] == f"docs/operations.md#{name.lower()}"
        assert name.lower() in headings
    assert headings == {alert["alert"].lower() for alert in rules("alert")}


def test_prometheus_asks_every_service_under_its_own_name() -> None:
    config = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yml").read_text())
    assert set(SERVICES) <= {job["job_name"] for job in config["scrape_configs"]}


def test_every_alert_is_tested_to_fire_and_not_to_fire() -> None:
    outcomes: dict[str, set[bool]] = {}
    for case in rule_tests():
        for one in case["alert_rule_test"]:
            outcomes.setdefault(one["alertname"], set()).add(bool(one["exp_alerts"]))
    assert outcomes == {alert["alert"]: {True, False} for alert in rules("alert")}


async def test_promtool_finds_the_rules_right() -> None:
    await promtool("check", "rules", *map(str, sorted(RULES.glob("*.yml"))))


async def test_alerts_fire_when_they_should_and_only_then() -> None:
    said = await promtool("test", "rules", *map(str, sorted(TESTS.glob("*.yml"))))
    assert said.count("SUCCESS") == len(list(TESTS.glob("*.yml")))


async def test_an_alert_that_does_not_fire_as_its_test_says_is_found(tmp_path: Path) -> None:
    spoilt = (RULES / "alerts.yml").read_text()
    (tmp_path / "rules").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "rules/alerts.yml").write_text(re.sub(r"(backlog_age_seconds\)) > 30", r"\1 > 3000", spoilt))
    (tmp_path / "rules/levels.yml").write_text((RULES / "levels.yml").read_text())
    (tmp_path / "tests/saturation.yml").write_text((TESTS / "saturation.yml").read_text())
    with pytest.raises(AssertionError, match="ScoringBehind"):
        await promtool("test", "rules", str(tmp_path / "tests/saturation.yml"))


@pytest.mark.parametrize(
    ("expression", "inside"),
    [
        ("up == 0", ["up"]),
        ("sum(a{b!='c'}) / b > 14.4 * 0.001 and c > 0", ["sum(a{b!='c'}) / b", "c"]),
        ("a > 0.8 * b\nand b > 0", ["a", "0.8 * b", "b"]),
    ],
)
def test_what_an_alert_looks_at_is_told_from_what_it_is_compared_to(expression: str, inside: list[str]) -> None:
    assert vectors(expression) == inside


async def promtool(*arguments: str) -> str:
    child = await asyncio.create_subprocess_exec(
        program("promtool"), *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    out, _ = await asyncio.wait_for(child.communicate(), 100)
    assert child.returncode == 0, out.decode()
    return out.decode()
