"""From settings to a running service and to an orderly end. Each service's ``__main__`` calls :func:`run`.

A stop (SIGTERM, SIGINT, or a background task that broke) begins with the drain: not ready any more, nothing new, what
is here is handed over (``Scope.drain``). Then: no new calls, ``scope.stopping`` tells the open ones to finish, what is
left after half of ``stop_seconds`` is cut off, tasks are cancelled, and what was entered is left. If all that takes
longer than ``stop_seconds`` the process ends on the spot with status 70. SIGUSR1 drains and does not stop: the process
stays, not ready, until it is told to end.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

import grpc
from grpc_reflection.v1alpha import reflection

from services.runtime import collector, log, metrics, tracing
from services.runtime.call_context import ContextInterceptor
from services.runtime.errors import BY_CODE
from services.runtime.event_loop import loop_factory
from services.runtime.health import Health
from services.runtime.interceptors import (
    DeadlineInterceptor,
    FaultInterceptor,
    MetricsInterceptor,
    ReadingInterceptor,
)
from services.runtime.orders import Reporter
from services.runtime.redis import connect
from services.runtime.registry import RegisteringServer
from services.runtime.scope import Scope
from services.runtime.settings import ServiceSettings

if TYPE_CHECKING:
    from services.runtime.app_server import AppServer

S = TypeVar("S", bound=ServiceSettings)
Build = Callable[[S, grpc.aio.Server, Scope], Awaitable[None]]
"""Registers a service's servicers and starts what it needs; the server is not serving yet."""
BuildApp = Callable[[S, Scope], "Awaitable[AppServer]"]
"""Makes a service's HTTP server; it is not serving yet."""

EXIT_STUCK: Final = 70

_OPTIONS: Final = (
    # Clients look every 2 s whether we still answer; that is no abuse.
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 500),
    ("grpc.http2.max_ping_strikes", 0),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.keepalive_time_ms", 5_000),
    ("grpc.keepalive_timeout_ms", 2_000),
    ("grpc.http2.ping_timeout_ms", 2_000),
    # Two processes on one port would share calls by chance; a second one shall fail instead.
    ("grpc.so_reuseport", 0),
)

_log = log.logger(__name__)


@dataclass(frozen=True, slots=True)
class Served:
    """A service that runs: where it is, and its scope."""

    port: int
    metrics_port: int
    scope: Scope


def run(settings: S, build: Build[S]) -> None:
    """Serves gRPC until a signal; ends the process with an error if the service broke."""
    _run(settings, serving(settings, build))


def run_app(settings: S, build: BuildApp[S]) -> None:
    """Serves HTTP until a signal; ends the process with an error if the service broke."""
    _run(settings, serving_app(settings, build))


@asynccontextmanager
async def serving(settings: S, build: Build[S]) -> AsyncIterator[Served]:
    """A gRPC service that runs while inside, without logging set up and without signals: for one process of many."""
    async with _scope(settings) as (scope, metrics_port):
        domain = f"{settings.service}.pandemonium"
        server = RegisteringServer(
            grpc.aio.server(
                interceptors=[
                    MetricsInterceptor(),
                    ContextInterceptor(),
                    FaultInterceptor(domain),
                    DeadlineInterceptor(),
                    ReadingInterceptor(),
                ],
                options=_OPTIONS,
            )
        )
        health = Health(scope)
        try:
            await build(settings, server, scope)
            await health.register(server)
            _name_methods(server.methods)
            reflection.enable_server_reflection([*server.methods, reflection.SERVICE_NAME], server)
            tls, address = settings.tls, f"{settings.host}:{settings.port}"
            port = server.add_secure_port(address, tls.of_server()) if tls else server.add_insecure_port(address)
            await server.start()
            scope.spawn(health.watch, "health")
            await _report(settings, scope, port, metrics_port)
            _log.info("serving", port=port, metrics_port=metrics_port)
            yield Served(port, metrics_port, scope)
        finally:
            await health.stop()
            await _drained(scope)
            await server.stop(settings.stop_seconds / 2)


@asynccontextmanager
async def serving_app(settings: S, build: BuildApp[S]) -> AsyncIterator[Served]:
    """An HTTP service that runs while inside, without logging set up and without signals."""
    async with _scope(settings) as (scope, metrics_port):
        server = await build(settings, scope)
        scope.spawn(Health(scope).watch, "health")
        async with server.serving(settings.host, settings.port, scope) as port:
            await _report(settings, scope, port, metrics_port)
            _log.info("serving", port=port, metrics_port=metrics_port)
            try:
                yield Served(port, metrics_port, scope)
            finally:
                await _drained(scope)


async def _report(settings: ServiceSettings, scope: Scope, port: int, metrics_port: int) -> None:
    if settings.reports:
        # The scope's, not the task's: a task is cancelled again and again, and what it closes would stay open.
        client = await scope.enter(aclosing(connect(settings.redis_url)))
        scope.spawn(Reporter(settings, scope, client, port=port, metrics_port=metrics_port).run, "reporter")


async def _drained(scope: Scope) -> None:
    """The drain in whole, unless something broke: then nothing is there to be handed over in order."""
    if not scope.stopping.is_set():
        await scope.drained()
    scope.stopping.set()


@asynccontextmanager
async def _scope(settings: ServiceSettings) -> AsyncIterator[tuple[Scope, int]]:
    with metrics.start_metrics(settings.metrics_port, settings.metrics_host) as metrics_port:
        scope = Scope()
        scope.spawn(metrics.watch_loop_lag, "loop lag")
        try:
            yield scope, metrics_port
        finally:
            await scope.close()


def _name_methods(methods: dict[str, tuple[str, ...]]) -> None:
    """Makes the series of every method exist from the start, so that a first error is seen as a rise from 0."""
    codes = ("OK", "CANCELLED", "UNKNOWN", *(code.name for code in BY_CODE))
    for service, names in methods.items():
        for name in names:
            for code in codes:
                metrics.GRPC_HANDLED.labels(service, name, code)
            metrics.GRPC_SECONDS.labels(service, name)


def _run(settings: ServiceSettings, service: AbstractAsyncContextManager[Served]) -> None:
    log.configure(settings.service, settings.log_level, form=settings.log_format)
    tracing.configure(settings.service, settings.trace_share, settings.trace_endpoint)
    _log.info("starting", pid=os.getpid(), **settings.describe())
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        failed = runner.run(_until_told(settings.stop_seconds, service))
    tracing.close()
    _log.info("stopped", failed=failed)
    if failed:
        sys.exit(1)


async def _until_told(stop_seconds: float, service: AbstractAsyncContextManager[Served]) -> bool:
    """Runs the service until a signal or a broken task; tells whether it broke. A signal also ends a slow start."""
    started, told = asyncio.Event(), asyncio.Event()
    guard = threading.Timer(stop_seconds, os._exit, (EXIT_STUCK,))
    guard.daemon = True

    def stop(cause: str) -> None:
        if told.is_set():
            return
        _log.info("stopping", cause=cause)
        told.set()
        guard.start()
        if not started.is_set():
            life.cancel()

    async def live() -> bool:
        async with service as served:
            started.set()
            running.set_result(served.scope)
            collector.settle()
            await _first(told.wait(), served.scope.stopping.wait())
            stop("a background task")
        return served.scope.failed

    loop = asyncio.get_running_loop()
    running: asyncio.Future[Scope] = loop.create_future()
    loop.add_signal_handler(signal.SIGUSR1, running.add_done_callback, _drain)
    life = asyncio.create_task(live(), name="service")
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop, number.name)
    try:
        return await life
    except asyncio.CancelledError:
        return not told.is_set()
    except Exception as error:
        _log.error("service broke", exc_info=error)
        return True
    finally:
        guard.cancel()


def _drain(running: asyncio.Future[Scope]) -> None:
    if not running.cancelled():
        _log.info("draining")
        running.result().drain()


async def _first(*waits: Coroutine[Any, Any, Any]) -> None:
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
