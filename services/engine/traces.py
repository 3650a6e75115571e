"""The engine's part of a command's trace, told when it is over: the way through the engine, the script within it."""

from __future__ import annotations

from services.engine.port import Command, Status
from services.runtime import tracing


def told(trace: str, command: Command, status: Status, *, since: float, sent: float, now: float, tries: int) -> None:
    """A command is decided. ``since`` it came, ``sent`` to Redis, ``now``: readings of ``time.perf_counter``."""
    judged = tracing.told(
        trace,
        "judge",
        since,
        now,
        table=command.table,
        seat=command.seat,
        n=command.n,
        status=status.value,
        tries=tries,
    )
    tracing.told(judged, "referee.lua", sent, now, **{"db.system.name": "redis"})
