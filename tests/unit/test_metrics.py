"""The catalogues of all services: every series is there from the start, and no label can take endlessly many values."""

from __future__ import annotations

import pytest

from tests.monitoring.catalogue import DOCUMENT, SERVICES, Metric, document, metrics_of

BOUNDED = {
    *("outcome", "kind", "why", "cause", "verdict", "state", "step", "result", "reason", "needed", "operation"),
    *("code", "bound", "check", "service", "method", "route", "status", "version", "python"),
}
"""Labels whose values the code lists. None names a table, a player, an address or a number that players choose."""
NAMED_WHEN_BUILT = {"pandemonium_grpc_handled", "pandemonium_grpc_handling_seconds", "pandemonium_ready"}
"""The series of a server's own methods and checks, which exist before it serves (test_serve, test_scope)."""


@pytest.fixture(params=SERVICES)
def metrics(request: pytest.FixtureRequest) -> tuple[Metric, ...]:
    """The metrics of a process that has only just loaded the service."""
    found = metrics_of(request.param)
    assert any(metric.name.startswith(f"pandemonium_{request.param}_") for metric in found)
    return found


def test_every_series_is_there_before_anything_happens(metrics: tuple[Metric, ...]) -> None:
    assert [m.name for m in metrics if not m.series and m.name not in NAMED_WHEN_BUILT] == []


def test_no_label_takes_values_without_end(metrics: tuple[Metric, ...]) -> None:
    assert {label for metric in metrics for label in metric.labels} <= BOUNDED


def test_every_service_tells_the_lag_of_its_loop_and_its_release(metrics: tuple[Metric, ...]) -> None:
    assert {"pandemonium_loop_lag_seconds", "pandemonium_build_info"} <= {metric.name for metric in metrics}


def test_a_meaning_is_a_sentence_and_durations_are_seconds(metrics: tuple[Metric, ...]) -> None:
    assert [metric.name for metric in metrics if not metric.meaning.endswith(".") or "|" in metric.meaning] == []
    assert [metric.name for metric in metrics if metric.name.endswith(("_ms", "_us", "_total", "_count"))] == []


def test_the_documented_catalogue_is_the_one_of_the_code() -> None:
    assert DOCUMENT.read_text() == document(), "make monitoring writes it anew"
