"""What the console leaves for gateways in Redis, and what they leave for it (docs/architecture.md, "The console")."""

from __future__ import annotations

import secrets
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import msgspec
from redis.asyncio import Redis

from services.gateway.frames import Notice
from services.gateway.notices import NOTHING
from services.gateway.sockets import Sight
from services.runtime import keys
from services.runtime.log import logger
from services.runtime.redis import faults

SHOWN_MS: Final = 5_000
"""How long it is shown which sockets are at a table that is looked at."""

_log = logger(__name__)


class RedisConsole:
    """``notices.Console``."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._name = secrets.token_hex(6)

    async def look(self) -> tuple[Notice, Sequence[str]]:
        """See the port. What can't be read is no notice."""
        async with faults(), self._client.pipeline(transaction=False) as pipe:
            pipe.get(keys.notice())
            pipe.hgetall(keys.looked_at())
            body, looked = await pipe.execute()
        now_ms = time.time_ns() // 1_000_000
        tables = [table.decode() for table, until in looked.items() if int(until) > now_ms]
        try:
            return (msgspec.json.decode(body, type=Notice) if body else NOTHING), tables
        except msgspec.DecodeError as error:
            _log.warning("a notice that can't be read", error=str(error))
            return NOTHING, tables

    async def show(self, sights: Sequence[Sight]) -> None:
        """See the port."""
        by_table: defaultdict[str, list[Sight]] = defaultdict(list)
        for sight in sights:
            by_table[sight.table].append(sight)
        if not by_table:
            return
        async with faults(), self._client.pipeline(transaction=False) as pipe:
            for table, some in by_table.items():
                pipe.hset(keys.sights(table), self._name, msgspec.json.encode(some))
                pipe.pexpire(keys.sights(table), SHOWN_MS)
            await pipe.execute()
