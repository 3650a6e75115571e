"""Logs as JSON lines on stderr: one object a line, with time, level, service and event; as text on a terminal.

What context variables hold (``request_id``, ``table``, ``trace_id``) is on every line. Knows no settings class.

Libraries that log through :mod:`logging` come out in the same shape.
"""

from __future__ import annotations

import logging
import sys
from typing import Any, Literal, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

Form = Literal["auto", "json", "text"]


def configure(service: str, level: str = "INFO", stream: TextIO | None = None, form: Form = "auto") -> None:
    """Sends all logging of this process to ``stream`` (stderr), every line naming ``service``."""
    out = stream if stream is not None else sys.stderr
    text = form == "text" or (form == "auto" and out.isatty())
    rendering: list[Processor] = (
        [structlog.dev.ConsoleRenderer(colors=out.isatty())]
        if text
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(default=str)]
    )

    def add_service(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        event.setdefault("service", service)
        return event

    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        add_service,
        structlog.stdlib.ExtraAdder(),
    ]
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *rendering,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def logger(name: str) -> Any:
    """A logger whose calls take an event and named values: ``logger(__name__).info("started", port=7001)``."""
    return structlog.stdlib.get_logger(name)
