"""The metrics that every service has, and the private port that shows them. One registry per process.

A service's own metrics are catalogued in its ``metrics.py``. Labels come from small closed sets: never a table, a
player or an address.
"""

from __future__ import annotations

import asyncio
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from prometheus_client import REGISTRY, Counter, Gauge, Histogram, start_http_server

FINE_SECONDS: Final = (
    *(0.0002, 0.0005, 0.001, 0.0015, 0.002, 0.003, 0.005, 0.0075),
    *(0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0),
)
"""Histogram buckets for plays, in seconds: the library's own start at 5 ms, where a play has long been over."""

GRPC_HANDLED: Final = Counter(
    "pandemonium_grpc_handled", "Calls that ended, by method and status code.", ("service", "method", "code")
)
GRPC_SECONDS: Final = Histogram(
    "pandemonium_grpc_handling_seconds",
    "How long unary calls took on the server.",
    ("service", "method"),
    buckets=FINE_SECONDS,
)
GRPC_OPEN: Final = Gauge("pandemonium_grpc_open_calls", "Calls being handled now, streams included.")
LOOP_LAG: Final = Histogram(
    "pandemonium_loop_lag_seconds", "How much later than asked the event loop woke a task.", buckets=FINE_SECONDS
)
BUILD: Final = Gauge(
    "pandemonium_build_info",
    "Always 1; its labels say which release runs here, on which Python.",
    ("version", "python"),
)
READY: Final = Gauge("pandemonium_ready", "Whether a readiness check passes (1) or not (0).", ("check",))
DEGRADED: Final = Gauge("pandemonium_degraded", "Whether something shared is away, so that all copies are (1: yes).")
DRAINING: Final = Gauge("pandemonium_draining", "Whether this process hands over what it has (1: yes).")

_LAG_INTERVAL_SECONDS: Final = 0.1


def _release() -> str:
    try:
        return version("pandemonium")
    except PackageNotFoundError:
        return "unknown"  # run from a folder that was never installed


BUILD.labels(_release(), platform.python_version()).set(1)


@contextmanager
def start_metrics(port: int, host: str = "127.0.0.1") -> Iterator[int]:
    """Serves ``/metrics`` while inside, on its own thread; ``port`` 0 takes a free one. Gives the port."""
    server, thread = start_http_server(port, addr=host, registry=REGISTRY)
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def watch_loop_lag() -> None:
    """Measures, ten times a second, how late the event loop is. Never returns."""
    while True:
        due = time.perf_counter() + _LAG_INTERVAL_SECONDS
        await asyncio.sleep(_LAG_INTERVAL_SECONDS)
        LOOP_LAG.observe(max(0.0, time.perf_counter() - due))
