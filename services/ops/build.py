"""Puts the console together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Final

import httpx2
import uvicorn

from services.ops.accounts import Accounts
from services.ops.app import create_app
from services.ops.backend import Engines, Lobby
from services.ops.console import Console
from services.ops.doorkeeper import Doorkeeper
from services.ops.redis_audit import RedisAudit
from services.ops.redis_desk import RedisDesk
from services.ops.redis_sessions import RedisSessions
from services.ops.settings import OpsSettings
from services.ops.watcher import Watcher
from services.runtime.app_server import AppServer
from services.runtime.errors import Unavailable
from services.runtime.redis import connect
from services.runtime.scope import Scope

_EXPIRE_SECONDS: Final = 3600.0


async def build(settings: OpsSettings, scope: Scope) -> AppServer:
    """The console's server, not serving yet."""
    client = await scope.enter(aclosing(connect(settings.redis_url)))
    http = await scope.enter(httpx2.AsyncClient(trust_env=False))
    lobby, engines = (
        Lobby(settings.lobby, settings.tls),
        Engines(tuple(dict.fromkeys(settings.engines.split(","))), settings.tls),
    )
    desk, audit = RedisDesk(client), RedisAudit(client)
    sessions = RedisSessions(client, settings.session_minutes * 60)
    watcher = Watcher(desk, http)
    door = Doorkeeper(Accounts(settings.accounts_file), sessions, audit, settings.failed_logins_per_minute)
    console = Console(scope, door, desk, audit, lobby, engines, watcher)
    await scope.enter(_closing(lobby, engines))
    scope.health("redis", desk.reached, shared=True)
    scope.spawn(watcher.run, "watcher")
    scope.spawn(lambda: _expire(audit, settings.audit_days), "audit")
    return AppServer(
        uvicorn.Config(
            create_app(console),
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(settings.forwarded_allow_ips),
            forwarded_allow_ips=settings.forwarded_allow_ips or "127.0.0.1",
            timeout_graceful_shutdown=2,
        )
    )


async def _expire(audit: RedisAudit, days: float) -> None:
    while True:
        with suppress(Unavailable):
            await audit.expire(days)
        await asyncio.sleep(_EXPIRE_SECONDS)


@asynccontextmanager
async def _closing(*parts: Lobby | Engines) -> AsyncIterator[None]:
    yield
    for part in parts:
        await part.close()
