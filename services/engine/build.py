"""Puts an engine together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc

from services.engine.hands import Hands
from services.engine.judge import Judge
from services.engine.redis_store import store
from services.engine.service import EngineService, register
from services.engine.settings import EngineSettings
from services.engine.timers import Timers
from services.runtime.scope import Scope


async def build(settings: EngineSettings, server: grpc.aio.Server, scope: Scope) -> None:
    """Registers the service and starts its timers."""
    kept = await scope.enter(store(settings.redis_url, settings.replicas))
    hands = Hands(kept.referee)
    timers = Timers(kept.timers, hands)
    judge = Judge(kept.referee, seats=settings.remembered_seats, voted=timers.hurry)
    await scope.enter(_drained(judge, timers))
    register(EngineService(kept.referee, kept.log, judge, hands, scope.draining), server)
    scope.health("redis", kept.reached, shared=True)
    scope.spawn(timers.poll, "timers")
    scope.spawn(timers.sweep, "sweeper")


@asynccontextmanager
async def _drained(judge: Judge, timers: Timers) -> AsyncIterator[None]:
    yield
    await judge.drain()
    await timers.drain()
