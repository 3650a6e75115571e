"""The trace of one command, which begins at the edge and goes on in the engine (``services/engine/traces.py``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from services.gateway.commands import Command, Outcome
from services.runtime import tracing

if TYPE_CHECKING:
    from opentelemetry.trace import Span


def begin(command: Command) -> tuple[Command, Span | None]:
    """Begins the trace of a command, if it is chosen, and marks the command with it."""
    span = tracing.begin("command", table=command.table, seat=command.seat, n=command.n) if tracing.chosen() else None
    if span is None:
        return command, None
    return msgspec.structs.replace(command, trace=tracing.parent_of(span)), span


def answered(span: Span, outcome: Outcome) -> None:
    """The command has its verdict."""
    tracing.end(span, outcome=outcome.name.lower())


def left(span: Span, why: str) -> None:
    """Nobody waits for the verdict any more."""
    tracing.end(span, error=why)
