"""Lighthouse, run on one address in a browser that is there already."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

CATEGORIES: Final = ("performance", "accessibility", "best-practices")
_HERE: Final = Path(__file__).parent
_PROGRAM: Final = _HERE / "node_modules/.bin/lighthouse"
_INSTALLED: Final = _HERE / "node_modules/.package-lock.json"
_TOOLS: Final = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


class AuditFailed(Exception):
    """Lighthouse, or its installation, ended without a report; the text is what it said."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found of a view: scores of 100 by category, times in ms, and what cost points."""

    scores: Mapping[str, int]
    times: Mapping[str, float]
    findings: tuple[str, ...]

    @property
    def worst(self) -> int:
        """The lowest score."""
        return min(self.scores.values())


async def install() -> None:
    """Brings what the lock file says, unless it is here. Raises :class:`AuditFailed`."""
    if not _INSTALLED.exists() or _INSTALLED.stat().st_mtime < (_HERE / "package-lock.json").stat().st_mtime:
        await _run("npm", "--silent", "ci")


async def audit(url: str, port: int, *, desktop: bool) -> Audit:
    """Looks at ``url`` in the browser whose debugging port this is: as a slow phone sees it, or as a desk does."""
    report: dict[str, Any] = json.loads(
        await _run(
            str(_PROGRAM),
            url,
            f"--port={port}",
            f"--only-categories={','.join(CATEGORIES)}",
            "--output=json",
            "--quiet",
            "--no-enable-error-reporting",
            *(("--preset=desktop",) if desktop else ()),
        )
    )
    if "runtimeError" in report:
        raise AuditFailed(report["runtimeError"]["message"])
    return read(report)


def read(report: Mapping[str, Any]) -> Audit:
    """What a report says."""
    audits = report["audits"]
    scores = {name: round(100 * (report["categories"][name]["score"] or 0)) for name in CATEGORIES}
    weighed = [each["id"] for name in CATEGORIES for each in report["categories"][name]["auditRefs"] if each["weight"]]
    findings = tuple(
        f"{name}: {audits[name]['title']} {audits[name].get('displayValue', '')}".strip()
        for name in weighed
        if audits[name]["score"] is not None and audits[name]["score"] < 0.9
    )
    names = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "speed-index")
    times = {name: float(audits[name]["numericValue"]) for name in names}
    return Audit(scores, times | {"layout-shift": audits["cumulative-layout-shift"]["numericValue"]}, findings)


async def _run(*command: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=_HERE,
        env=os.environ | {"PATH": _TOOLS},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, error = await process.communicate()
    if process.returncode:
        raise AuditFailed(error.decode() or out.decode())
    return out.decode()
