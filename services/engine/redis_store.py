"""The ports on one Redis: connections opened and closed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from redis.asyncio import Redis

from services.engine.redis_log import RedisLog
from services.engine.redis_nodes import ClusterCalls, ClusterNodes
from services.engine.redis_referee import SOURCE, RedisReferee
from services.engine.redis_timers import RedisTimers
from services.engine.redis_wire import PlainRedis, ScriptCalls
from services.runtime.redis import blocking, connect
from services.runtime.redis_nodes import answers
from services.runtime.redis_place import Cluster, place


@dataclass(frozen=True, slots=True)
class Store:
    """Where hands are kept."""

    referee: RedisReferee
    log: RedisLog
    timers: RedisTimers
    redis: Redis

    async def reached(self) -> bool:
        """Whether Redis answers."""
        return await answers(self.redis)


@asynccontextmanager
async def store(url: str, replicas: int = 0) -> AsyncIterator[Store]:
    """The store at ``url``, usable while inside. Nothing is connected before it is used.

    What the referee decides is told when so many ``replicas`` have it too.
    """
    redis, subscriptions = connect(url), blocking(url)
    where = place(url)
    plain: PlainRedis | ClusterNodes
    if isinstance(where, Cluster):
        plain = nodes = ClusterNodes(where)
        referee = RedisReferee(ClusterCalls(nodes, SOURCE, replicas))
    else:
        plain = one = PlainRedis(url)
        referee = RedisReferee(ScriptCalls(one, SOURCE, replicas))
    try:
        yield Store(referee, RedisLog(redis, subscriptions), RedisTimers(redis, plain), redis)
    finally:
        plain.close()
        await redis.aclose()
        await subscriptions.aclose()
