"""Whether new tables are opened: one flag for all lobbies, set by operators, kept until it is taken back."""

from __future__ import annotations

from redis.asyncio import Redis

from services.lobby.redis_gate import Gate
from services.runtime import keys
from services.runtime.errors import FailedPrecondition


class Pause:
    """The flag. Raises ``Unavailable`` when Redis is."""

    def __init__(self, client: Redis, gate: Gate) -> None:
        self._redis = client
        self._gate = gate

    async def is_on(self) -> bool:
        """Whether no new tables are opened."""
        async with self._gate():
            return bool(await self._redis.exists(keys.creation_paused()))

    async def set(self, paused: bool) -> None:
        """Pauses, or goes on."""
        async with self._gate():
            if paused:
                await self._redis.set(keys.creation_paused(), 1)
            else:
                await self._redis.delete(keys.creation_paused())

    async def require_none(self) -> None:
        """Raises ``CREATION_PAUSED``."""
        if await self.is_on():
            raise FailedPrecondition("CREATION_PAUSED", "no new tables are opened at the moment")
