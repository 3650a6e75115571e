"""How the embedded Redis is run as one of the platform's processes: on loopback, durable at every write."""

from __future__ import annotations

from pathlib import Path

from services.cli.probes import redis_answers
from services.cli.process import Spec
from services.runtime.redis_server import command, find_redis_server


def redis_spec(folder: Path, port: int) -> Spec:
    """The Redis that keeps its files in ``folder``. Raises ``RedisNotFound``."""
    # Only warnings: its greeting fills a screen.
    options = ("--loglevel", "warning")
    return Spec("redis", (*command(find_redis_server(), folder, port), *options), redis_answers(port))
