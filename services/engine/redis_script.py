"""Calls of the referee's script, many in one pipeline, on one ordered connection of redis-py. Knows no key."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from redis import exceptions
from redis.asyncio import Redis

from services.runtime.errors import Unavailable
from services.runtime.redis import Script, unavailable

ANSWER_SECONDS: Final = 1.0
"""How long a pipeline may take before its outcome counts as unknown."""

Call = tuple[Sequence[str], Sequence[str]]
"""Keys and arguments of one call."""


class ScriptCalls:
    """Runs calls of one script, in order, and never twice."""

    def __init__(self, redis: Redis, source: str) -> None:
        self._redis = redis
        self._script = Script(source)

    async def run(self, calls: Sequence[Call]) -> list[Any]:
        """Each call's reply, or the error that Redis answered. Raises ``Unavailable`` if the outcome is unknown."""
        pipeline = self._redis.pipeline(transaction=False)
        for keys, args in calls:
            pipeline.evalsha(self._script.sha, len(keys), *keys, *args)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                replies = await pipeline.execute(raise_on_error=False)
        except (TimeoutError, exceptions.RedisError) as error:
            raise unavailable(error) or Unavailable("REDIS_UNAVAILABLE", "no answer in time") from error
        for i, reply in enumerate(replies):
            if isinstance(reply, exceptions.NoScriptError):
                # It has not run, so this can't run it twice.
                keys, args = calls[i]
                replies[i] = await self._script(self._redis, keys, args)
        return replies
