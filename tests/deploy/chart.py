"""The Helm chart as its programs see it: linted, rendered, and compared with the schemas of Kubernetes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest
import yaml

from tests.deploy import custom_objects
from tests.deploy.custom_objects import KINDS

ROOT: Final = Path(__file__).parents[2]
CHART: Final = ROOT / "deploy" / "helm" / "pandemonium"
_TOOLS: Final = ROOT / ".venv" / "chart"
_SECONDS: Final = 100.0

Object = dict[str, Any]


def values_of(name: str) -> Path:
    """A file of values that the chart is tried with."""
    return CHART / "ci" / f"{name}-values.yaml"


def helm(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs Helm to its end; without it the test is skipped, or fails if ``REQUIRE_HELM=1``."""
    own = _TOOLS / "helm" / "helm"
    program = str(own) if own.exists() else shutil.which("helm")
    if program is None:
        _missing("no helm: make helm")
    return _run([program, *arguments], {})


def render(name: str, *arguments: str) -> list[Object]:
    """Every object of the chart with the values of that name, as the release ``cards`` in the namespace ``games``."""
    done = helm("template", "cards", CHART, "--namespace", "games", "--values", values_of(name), *arguments)
    assert done.returncode == 0, done.stderr
    return [found for found in yaml.safe_load_all(done.stdout) if found]


def invalid(objects: list[Object], version: str, folder: Path) -> str:
    """What the schemas of that Kubernetes have against the objects; "" if nothing."""
    program = _TOOLS / "bin" / "kubernetes-validate"
    if not program.exists():
        _missing("no schemas of Kubernetes: make helm")
    file = folder / f"objects-{version}.yaml"
    file.write_text(yaml.safe_dump_all(each for each in objects if each["kind"] not in KINDS))
    line: list[str | Path] = [sys.executable, program, "--strict", "--quiet", "--kubernetes-version", version, file]
    done = _run(line, {"PYTHONPATH": str(_TOOLS)})
    return "" if done.returncode == 0 else done.stdout + done.stderr


def invalid_custom(objects: list[Object], folder: Path) -> str:
    """What Prometheus' operator and KEDA have against the objects of their kinds; "" if nothing."""
    if not (_TOOLS / "cloudcoil").exists():
        _missing("no schemas of custom objects: make helm")
    file = folder / "custom.yaml"
    file.write_text(yaml.safe_dump_all(each for each in objects if each["kind"] in KINDS))
    done = _run([sys.executable, custom_objects.__file__, file], {"PYTHONPATH": str(_TOOLS)})
    return "" if done.returncode == 0 else done.stdout + done.stderr


def _run(line: list[str | Path], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        line,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )


def _missing(reason: str) -> NoReturn:
    if os.environ.get("REQUIRE_HELM") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
