"""What Redis says of itself (INFO), as metrics of the one service that asks: scoring. Labels are closed sets.

Counters follow Redis' own: after a restart of Redis they go on from where they were. Of a cluster all are sums over its
primaries.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from prometheus_client import Counter, Gauge
from redis import exceptions
from redis.asyncio import Redis

from services.runtime.log import logger
from services.runtime.redis_nodes import figures

EVERY_SECONDS: Final = 5.0

UP: Final = Gauge("pandemonium_redis_up", "Whether Redis told its figures when last asked (1) or not (0).")
_GAUGES: Final = {
    "used_memory": Gauge("pandemonium_redis_memory_bytes", "Memory that Redis uses, bytes."),
    "used_memory_rss": Gauge("pandemonium_redis_memory_resident_bytes", "Memory that its process holds, bytes."),
    "maxmemory": Gauge("pandemonium_redis_memory_limit_bytes", "Memory that it may use, bytes; 0: no limit."),
    "connected_clients": Gauge("pandemonium_redis_clients", "Connections that are open."),
    "blocked_clients": Gauge("pandemonium_redis_clients_blocked", "Connections that wait in a blocking read."),
    "pubsub_channels": Gauge("pandemonium_redis_channels", "Channels that somebody has subscribed to."),
    "connected_slaves": Gauge("pandemonium_redis_replicas", "Replicas that are connected."),
    "latest_fork_usec": Gauge("pandemonium_redis_fork_seconds", "How long its last fork took, seconds."),
    "aof_enabled": Gauge("pandemonium_redis_log_enabled", "Whether it writes an append-only file (1) or not (0)."),
    "aof_last_write_status": Gauge("pandemonium_redis_log_written", "Whether the last write of that file succeeded."),
    "uptime_in_seconds": Gauge("pandemonium_redis_uptime_seconds", "Since it was started, seconds."),
}
KEYS: Final = Gauge("pandemonium_redis_keys", "Keys in all databases.")
_COUNTERS: Final = {
    "total_commands_processed": Counter("pandemonium_redis_commands", "Commands done, those of scripts included."),
    "total_connections_received": Counter("pandemonium_redis_clients_accepted", "Connections accepted."),
    "rejected_connections": Counter("pandemonium_redis_clients_rejected", "Connections refused: too many at once."),
    "total_net_input_bytes": Counter("pandemonium_redis_received_bytes", "Bytes read from connections."),
    "total_net_output_bytes": Counter("pandemonium_redis_sent_bytes", "Bytes written to connections."),
    "evicted_keys": Counter("pandemonium_redis_keys_evicted", "Keys thrown away for lack of memory; must stay 0."),
    "aof_delayed_fsync": Counter("pandemonium_redis_log_syncs_delayed", "Times that a write waited for the disk."),
    "total_error_replies": Counter("pandemonium_redis_errors_answered", "Commands answered with an error."),
    "script_calls": Counter("pandemonium_redis_scripts", "Calls of scripts."),
    "script_usec": Counter("pandemonium_redis_script_busy_seconds", "Time in scripts, seconds."),
}
_MICROSECONDS: Final = 1e-6

_log = logger(__name__)


async def watch_redis(client: Redis) -> None:
    """Asks every few seconds. Never returns; while Redis does not answer, ``pandemonium_redis_up`` is 0."""
    last: dict[str, float] = {}
    while True:
        try:
            last = told(await figures(client, "everything"), last)
            UP.set(1)
        except (exceptions.RedisError, exceptions.RedisClusterException, OSError) as error:
            UP.set(0)
            _log.debug("no figures of Redis", error=repr(error))
        await asyncio.sleep(EVERY_SECONDS)


def told(info: Mapping[str, Any], last: Mapping[str, float]) -> dict[str, float]:
    """Takes figures over; ``last`` is what this gave for those before. A field that is missing leaves its metric."""
    for name, gauge in _GAUGES.items():
        if name in info:
            gauge.set(_number(name, info[name]))
    KEYS.set(sum(database["keys"] for name, database in info.items() if name[:2] == "db" and name[2:].isdigit()))
    now: dict[str, float] = {}
    flat = {**info, **_scripts(info)}
    for name, counter in _COUNTERS.items():
        if name in flat:
            value = now[name] = _number(name, flat[name])
            before = last.get(name, 0.0)
            counter.inc(value - before if value >= before else value)
    return now


def _scripts(info: Mapping[str, Any]) -> dict[str, float]:
    stats = [info.get(f"cmdstat_{command}", {}) for command in ("eval", "evalsha", "fcall")]
    return {f"script_{figure}": sum(stat.get(figure, 0) for stat in stats) for figure in ("calls", "usec")}


def _number(name: str, value: Any) -> float:
    if name.endswith("usec"):
        return float(value) * _MICROSECONDS
    return 1.0 if value == "ok" else 0.0 if isinstance(value, str) else float(value)
