"""What a process would log, as a test reads it."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog

from services.runtime import log


@contextmanager
def logged_as(service: str) -> Iterator[io.StringIO]:
    """Where the log goes while inside; logging is as before afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    log.configure(service, "INFO", stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def lines(out: io.StringIO) -> list[dict[str, Any]]:
    """Its lines, each an object."""
    return [json.loads(line) for line in out.getvalue().splitlines()]
