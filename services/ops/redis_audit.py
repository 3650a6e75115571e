"""The record of what operators did and tried to do: a stream in Redis, as durable as the tables' logs."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Final

from redis.asyncio import Redis

from services.ops import metrics
from services.runtime import keys
from services.runtime.errors import Fault
from services.runtime.redis import faults

KEPT: Final = 100_000
"""So many entries at least are kept, the last ones."""
LONGEST: Final = 500
"""Characters of one field."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Who did what, to what, with which result: ``begun``, ``done``, or the reason of a refusal. ``at`` in ms."""

    id: str
    at: int
    who: str
    address: str
    what: str
    on: str
    detail: str
    result: str


class RedisAudit:
    """The record. Raises ``Unavailable`` while Redis can't be reached: then nothing is done either."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def write(self, who: str, address: str, what: str, on: str, detail: str, result: str) -> None:
        """Appends an entry."""
        fields = {"who": who, "address": address, "what": what, "on": on, "detail": detail, "result": result}
        entry: dict[Any, Any] = {"at": str(time.time_ns() // 1_000_000)}
        entry |= {name: text[:LONGEST] for name, text in fields.items()}
        try:
            async with faults():
                await self._client.xadd(keys.audit(), entry, maxlen=KEPT, approximate=True)
        except Fault:
            metrics.AUDIT_FAILURES.inc()
            raise

    async def expire(self, days: float) -> int:
        """Removes entries that are older; how many those were."""
        oldest = time.time_ns() // 1_000_000 - round(days * 86_400_000)
        async with faults():
            removed: int = await self._client.xtrim(keys.audit(), minid=max(0, oldest), approximate=False)
        return removed

    async def read(self, before: str, limit: int) -> list[Entry]:
        """Entries before that one (empty: the last ones), newest first."""
        async with faults():
            found: Any = await self._client.xrevrange(keys.audit(), f"({before}" if before else "+", "-", count=limit)
        return [
            Entry(
                id=entry.decode(),
                at=int(fields[b"at"]),
                **{
                    name: fields[name.encode()].decode()
                    for name in ("who", "address", "what", "on", "detail", "result")
                },
            )
            for entry, fields in found
        ]
