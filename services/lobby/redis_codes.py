"""The tables' short codes: one key each, which only one table can have and which ends by itself if nobody renews it."""

from __future__ import annotations

from typing import Any, Final

from redis.asyncio import Redis

from services.lobby.code import new_code
from services.lobby.redis_gate import Gate
from services.lobby.redis_hold import HOLD, RELEASE
from services.lobby.table import TableId
from services.runtime import keys
from services.runtime.errors import Unavailable

_MOST_TRIES: Final = 20


class Codes:
    """The codes that tables have. Raises ``Unavailable`` when Redis is."""

    def __init__(self, client: Redis, gate: Gate, held_ms: int) -> None:
        self._redis = client
        self._gate = gate
        self._held_ms = held_ms

    async def take(self, table: TableId) -> str:
        """A code that is this table's from now on."""
        for _ in range(_MOST_TRIES):
            code = new_code()
            async with self._gate():
                if await self._redis.set(keys.code(code), table, nx=True, px=self._held_ms):
                    return code
        raise Unavailable("CONTENDED", "no code is free; try again")

    async def table_of(self, code: str) -> TableId | None:
        """The table that has the code."""
        async with self._gate():
            table: Any = await self._redis.get(keys.code(code))
        return TableId(table.decode()) if table else None

    async def hold(self, code: str, table: TableId) -> bool:
        """Keeps the code for longer. False: it was lost, and another table has it."""
        async with self._gate():
            return bool(await HOLD(self._redis, [keys.code(code)], [table, self._held_ms]))

    async def release(self, code: str, table: TableId) -> None:
        """Gives the code free, if it is this table that has it."""
        async with self._gate():
            await RELEASE(self._redis, [keys.code(code)], [table])
