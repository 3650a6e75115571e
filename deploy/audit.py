"""``python -m deploy.audit``: whether anything that is locked has a known vulnerability.

Two advisory services are asked: one for what ``requirements.lock`` names, one for the page's tools. Exit code 0: none
is known of what could be asked, and a warning says what could not; 1: some are known, and are listed. A service that
gives no answer is never taken for one that knows of nothing.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
PATIENCE_SECONDS: Final = 300
PIP_AUDIT: Final = "pip-audit==2.10.1"

Run = Callable[[Sequence[str], Path], str]
"""Runs a command in a folder and gives what it printed; ``""`` if it could not be run or took too long."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one service knows. ``known`` None: it could not be asked."""

    what: str
    known: tuple[str, ...] | None


def packages(run: Run, uv: str) -> Finding:
    """What is known of the Python packages."""
    lock = "requirements.lock"
    options = ("--require-hashes", "--disable-pip", "-s", "osv", "-f", "json", "--progress-spinner", "off")
    answer = _read(run((uv, "tool", "run", "--from", PIP_AUDIT, "pip-audit", "-r", lock, *options), ROOT))
    asked = answer.get("dependencies")
    # One that was left out was not asked about: then the whole is not audited.
    if not isinstance(asked, list) or not asked or any("vulns" not in each for each in asked):
        return Finding(lock, None)
    found = (
        f"{each['name']} {each['version']}: {vuln['id']}, mended in {', '.join(vuln['fix_versions']) or 'none yet'}"
        for each in asked
        for vuln in each["vulns"]
    )
    return Finding(lock, tuple(found))


def page(run: Run) -> Finding:
    """What is known of the page's packages, those that only build it included."""
    what = "services/gateway/web/package-lock.json"
    answer = _read(run(("npm", "audit", "--json"), ROOT / "services/gateway/web"))
    known = answer.get("vulnerabilities")
    if "auditReportVersion" not in answer or not isinstance(known, dict):
        return Finding(what, None)
    return Finding(what, tuple(f"{name} {each['range']}: {each['severity']}" for name, each in known.items()))


def told(findings: Sequence[Finding], say: Callable[[str], object]) -> int:
    """Says what was found; the exit code."""
    for finding in findings:
        if finding.known is None:
            say(f"WARNING: {finding.what} was NOT audited: the advisory service could not be asked")
        elif finding.known:
            say(f"{finding.what}: {len(finding.known)} known vulnerabilities")
            for line in finding.known:
                say(f"  {line}")
        else:
            say(f"{finding.what}: no known vulnerability")
    return 1 if any(finding.known for finding in findings) else 0


def _read(printed: str) -> dict[str, Any]:
    try:
        answer = json.loads(printed)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


def _run(command: Sequence[str], folder: Path) -> str:
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


if __name__ == "__main__":
    uv = sys.argv[1] if len(sys.argv) > 1 else "uv"
    sys.exit(told([packages(_run, uv), page(_run)], print))
