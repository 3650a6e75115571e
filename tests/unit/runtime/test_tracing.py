from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from structlog.contextvars import get_contextvars

from services.runtime import tracing
from tests.spans import everything_traced


@pytest.fixture
def exported() -> Iterator[InMemorySpanExporter]:
    """Everything is traced, into memory."""
    with everything_traced() as exporter:
        yield exporter


def test_while_off_nothing_is_traced_and_nothing_is_chosen() -> None:
    assert not tracing.chosen()
    assert tracing.begin("command") is None
    assert tracing.told("", "judge", 0.0, 1.0) is None
    with tracing.span("GET"):
        assert tracing.current() == ""
        assert get_contextvars() == {}


# redis-py loads the part of it that is for metrics by itself.
@pytest.mark.parametrize("service", ["gateway", "engine", "lobby", "scoring", "bots", "ops"])
def test_while_off_a_service_loads_nothing_of_it(service: str) -> None:
    look = (
        f"import sys, services.{service}.build\nfrom services.runtime import tracing\n"
        "tracing.configure('x', 0.0, 'http://127.0.0.1:4317')\n"
        "sys.exit(any(name.startswith(('opentelemetry.sdk.trace', 'opentelemetry.exporter')) for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", look], timeout=60).returncode == 0


def test_a_span_inside_is_the_child_of_the_one_around(exported: InMemorySpanExporter) -> None:
    with tracing.span("GET"):
        outer = get_contextvars()["trace_id"]
        with tracing.span("GetTable", tracing.current()):
            assert get_contextvars()["trace_id"] == outer
    inner, around = exported.get_finished_spans()
    assert (inner.name, around.name) == ("GetTable", "GET")
    assert inner.parent is not None
    assert inner.parent.span_id == around.context.span_id
    assert f"{around.context.trace_id:032x}" == outer


def test_only_the_share_that_is_wanted_is_traced(exported: InMemorySpanExporter) -> None:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exported))
    tracing.install(provider, 1e-12)
    for _ in range(100):
        with tracing.span("GET"):
            pass
    assert exported.get_finished_spans() == ()


def test_what_happened_is_told_with_its_own_times(exported: InMemorySpanExporter) -> None:
    now = time.perf_counter()
    tracing.told("00-" + "a" * 32 + "-" + "b" * 16 + "-01", "judge", now - 2.0, now - 0.5, seat=1)
    (span,) = exported.get_finished_spans()
    assert span.start_time is not None
    assert span.end_time is not None
    assert (span.end_time - span.start_time) / 1e9 == pytest.approx(1.5)
    assert abs(span.end_time / 1e9 - (time.time() - 0.5)) < 5
    assert f"{span.context.trace_id:x}" == "a" * 32


def test_a_collector_that_is_not_there_does_not_hold_up_the_end() -> None:
    tracing.configure("echo", 1.0, "http://127.0.0.1:1")
    with tracing.span("GET"):
        pass
    begun = time.monotonic()
    tracing.close()
    assert time.monotonic() - begun < 60
    assert tracing.share == 0.0
