"""Traces by OpenTelemetry. Off unless the settings say which share of the work is traced, and then nothing is loaded.

While they are off, hot paths test one number, :data:`share`, and nothing else. What is traced is chosen where work
enters the platform, the edge; the others follow (``traceparent``, W3C Trace Context). A client's own header is not
followed: else anyone could have everything traced.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from structlog.contextvars import bound_contextvars

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, Tracer

TRACEPARENT: Final = "traceparent"
_EXPORT_SECONDS: Final = 3.0

share: float = 0.0
"""The share of commands and requests that are traced, 0 to 1."""
_tracer: Tracer | None = None
_provider: TracerProvider | None = None


def configure(service: str, wanted: float, endpoint: str) -> None:
    """Sends the traces of ``wanted`` (0 to 1) of the work to an OTLP collector (gRPC); 0: none, of nobody's."""
    if not wanted:
        return
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource({"service.name": f"pandemonium-{service}"}), shutdown_on_exit=False)
    exporter = OTLPSpanExporter(endpoint, insecure=endpoint.startswith("http://"), timeout=_EXPORT_SECONDS)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    install(provider, wanted)


def install(provider: TracerProvider, wanted: float) -> None:
    """Traces by ``provider`` from now on."""
    global share, _tracer, _provider
    share, _provider, _tracer = wanted, provider, provider.get_tracer("pandemonium")


def close() -> None:
    """Sends what is left, for a few seconds at most, and ends tracing."""
    global share, _tracer, _provider
    provider, share, _provider, _tracer = _provider, 0.0, None, None
    if provider is not None:
        provider.shutdown()


def chosen() -> bool:
    """Whether this piece of work, which enters the platform here, is traced."""
    return bool(share) and random.random() < share


def begin(name: str, **attributes: str | int) -> Span | None:
    """A trace's first span; None while tracing is off. End it by :meth:`end`."""
    return None if _tracer is None else _tracer.start_span(name, attributes=attributes)


def end(span: Span, error: str = "", **attributes: str | int) -> None:
    """Ends a span; ``error`` says what went wrong, if anything did."""
    from opentelemetry.trace import StatusCode

    span.set_attributes(attributes)
    if error:
        span.set_status(StatusCode.ERROR, error)
    span.end()


def parent_of(span: Span) -> str:
    """What tells another process that its work belongs to ``span``."""
    context = span.get_span_context()
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}"


def told(parent: Any, name: str, begun: float, ended: float, **attributes: str | int) -> Any:
    """A span of what happened between two readings of ``time.perf_counter``. Gives what is parent to spans within it.

    ``parent``: another span's ``traceparent``, or what this gave before. Nothing while tracing is off.
    """
    if _tracer is None:
        return None
    from opentelemetry.trace import set_span_in_context

    then = time.time() - time.perf_counter()
    context = _context(parent) if isinstance(parent, str) else parent
    start, stop = (round((then + moment) * 1e9) for moment in (begun, ended))
    span = _tracer.start_span(name, context, attributes=attributes, start_time=start)
    span.end(stop)
    return set_span_in_context(span)


@contextmanager
def span(name: str, parent: str = "", **attributes: str | int) -> Iterator[None]:
    """Inside, work is traced as ``name``: under ``parent`` (``traceparent``), or as a trace of its own if ``chosen``.

    Logs inside carry ``trace_id``, and :func:`current` is what calls to other services take along.
    """
    if _tracer is None or not (parent or chosen()):
        yield
        return
    context = _context(parent) if parent else None
    with (
        _tracer.start_as_current_span(name, context, attributes=attributes) as one,
        bound_contextvars(trace_id=f"{one.get_span_context().trace_id:032x}"),
    ):
        yield


def current() -> str:
    """The ``traceparent`` of the span that this code runs in; empty if none."""
    if _tracer is None:
        return ""
    from opentelemetry.trace import get_current_span

    span = get_current_span()
    return parent_of(span) if span.is_recording() else ""


def _context(parent: str) -> Any:
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract({TRACEPARENT: parent})
