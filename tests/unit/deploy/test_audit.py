"""What was not asked is never called safe."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from deploy.audit import Finding, Run, packages, page, told


def printing(answer: Any) -> Run:
    def run(_command: Sequence[str], folder: Path) -> str:
        assert folder.is_dir()
        return answer if isinstance(answer, str) else json.dumps(answer)

    return run


def package(*vulns: dict[str, Any]) -> dict[str, Any]:
    return {"name": "left", "version": "1.0", "vulns": list(vulns)}


CLEAN = {"auditReportVersion": 2, "vulnerabilities": {}}
NO_ANSWER: list[Any] = [
    "",
    "Traceback (most recent call last)",
    {},
    {"dependencies": []},
    {"dependencies": [package(), {"name": "right", "skip_reason": "not found"}]},
    {"message": "405 Method Not Allowed", "statusCode": 405},
    {"error": {"code": "ENOTFOUND"}},
    [],
]


@pytest.mark.parametrize("answer", NO_ANSWER)
def test_no_answer_or_half_of_one_is_no_all_clear(answer: Any) -> None:
    said: list[str] = []
    findings = [packages(printing(answer), "uv"), page(printing(answer))]
    assert [finding.known for finding in findings] == [None, None]
    assert told(findings, said.append) == 0
    assert all("WARNING" in line and "NOT audited" in line for line in said)


def test_what_is_known_is_listed_and_fails() -> None:
    vuln = {"id": "PYSEC-1", "fix_versions": ["1.1"]}
    found = packages(printing({"dependencies": [package(vuln), package()]}), "uv")
    assert found.known == ("left 1.0: PYSEC-1, mended in 1.1",)
    tools = page(printing({**CLEAN, "vulnerabilities": {"right": {"range": "<2", "severity": "high"}}}))
    assert tools.known == ("right <2: high",)
    said: list[str] = []
    assert told([found, Finding("other", None)], said.append) == 1
    assert said[:2] == ["requirements.lock: 1 known vulnerabilities", "  left 1.0: PYSEC-1, mended in 1.1"]


def test_an_answer_that_knows_of_nothing_is_an_all_clear() -> None:
    said: list[str] = []
    assert told([packages(printing({"dependencies": [package()]}), "uv"), page(printing(CLEAN))], said.append) == 0
    assert all(line.endswith("no known vulnerability") for line in said)
