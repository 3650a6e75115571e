"""How busy Redis is: a few figures of its INFO. Reads only, knows no key."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Final, Self

from redis.exceptions import RedisClusterException, RedisError

from services.runtime.redis import connect
from services.runtime.redis_nodes import figures

FIGURES: Final = {
    "instantaneous_ops_per_sec": "commands_per_s",
    "used_memory": "memory_bytes",
    "connected_clients": "clients",
    "instantaneous_input_kbps": "in_kib_per_s",
    "instantaneous_output_kbps": "out_kib_per_s",
    "aof_current_size": "aof_bytes",
}
"""What is taken, and what it is called here."""


class RedisLoad:
    """An async context manager that looks at one Redis."""

    def __init__(self, url: str) -> None:
        self._redis = connect(url)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._redis.aclose()

    async def look(self) -> dict[str, float]:
        """The figures now; none while Redis does not answer."""
        try:
            info: dict[str, Any] = await figures(self._redis)
        except (RedisError, RedisClusterException, OSError):
            return {}
        keys = sum(float(told["keys"]) for told in info.values() if isinstance(told, dict) and "keys" in told)
        return {ours: float(info[theirs]) for theirs, ours in FIGURES.items() if theirs in info} | {"keys": keys}
