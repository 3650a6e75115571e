"""The catalogues of all services: every series is there from the start, and no label can take endlessly many values."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SERVICES = ("bots", "engine", "gateway", "lobby", "scoring")
BOUNDED = {
    *("outcome", "kind", "why", "cause", "verdict", "state", "step", "result", "reason", "needed", "operation"),
    *("code", "bound", "check", "service", "method"),
}
"""Labels whose values the code lists. None names a table, a player, an address or a number that players choose."""
NAMED_WHEN_BUILT = {"pandemonium_grpc_handled", "pandemonium_grpc_handling_seconds", "pandemonium_ready"}
"""The series of a server's own methods and checks, which exist before it serves (test_serve, test_scope)."""

_LOOK = """
import importlib, json, sys
from prometheus_client import REGISTRY
importlib.import_module(f"services.{sys.argv[1]}.build")
found = {}
for collector in set(REGISTRY._collector_to_names):
    labels = getattr(collector, "_labelnames", ())
    for family in collector.collect():
        if family.name.startswith("pandemonium_"):
            found[family.name] = [list(labels), len(family.samples)]
print(json.dumps(found))
"""


@pytest.fixture(scope="module", params=SERVICES)
def families(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Name, labels and number of series of each metric in a process that has only just loaded the service."""
    out = subprocess.run(
        [sys.executable, "-c", _LOOK, request.param], cwd=ROOT, check=True, capture_output=True, timeout=60
    )
    found: dict[str, Any] = json.loads(out.stdout)
    assert any(name.startswith(f"pandemonium_{request.param}_") for name in found)
    return found


def test_every_series_is_there_before_anything_happens(families: dict[str, Any]) -> None:
    assert [name for name, (_, series) in families.items() if not series and name not in NAMED_WHEN_BUILT] == []


def test_no_label_takes_values_without_end(families: dict[str, Any]) -> None:
    assert {label for labels, _ in families.values() for label in labels} <= BOUNDED


def test_every_service_tells_the_lag_of_its_loop(families: dict[str, Any]) -> None:
    assert "pandemonium_loop_lag_seconds" in families
