"""Puts a scorer together."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from contextlib import AsyncExitStack, suppress
from typing import Final

import grpc

from services.runtime.errors import Fault, Unavailable
from services.runtime.log import logger
from services.runtime.redis import blocking, connect
from services.runtime.redis_figures import watch_redis
from services.runtime.scope import Scope
from services.runtime.versions import UnknownVersion
from services.scoring import metrics
from services.scoring.aces_up.archive import GameArchive
from services.scoring.archive import Archive
from services.scoring.counting import Counter
from services.scoring.database import Database
from services.scoring.disputes import Disputes
from services.scoring.forgetting import Forgetting
from services.scoring.judging import judge_by
from services.scoring.ledger import Ledger
from services.scoring.migrations import migrate
from services.scoring.recount import recount
from services.scoring.redis_finished import RedisInbox
from services.scoring.retention import Retention
from services.scoring.service import ScoringService, register
from services.scoring.settings import ScoringSettings

_SAMPLE_SECONDS: Final = 5.0
_RETIRE_SECONDS: Final = 600.0

_log = logger(__name__)


async def build(settings: ScoringSettings, server: grpc.aio.Server, scope: Scope) -> None:
    """Connects, migrates, and counts until the scope ends."""
    stack = await scope.enter(AsyncExitStack())
    database = Database(settings.database_url)
    stack.push_async_callback(database.close)
    client, reader = connect(settings.redis_url), blocking(settings.redis_url)
    stack.push_async_callback(client.aclose)
    stack.push_async_callback(reader.aclose)
    inbox = RedisInbox(client, reader, _consumer(), settings.claim_after_ms)
    stack.push_async_callback(_leave, inbox)

    async def database_answers() -> bool:
        await database.ping()
        return True

    scope.health("database", database_answers, shared=True)
    scope.health("redis", inbox.ping, shared=True)
    await _migrate(database)
    forgetting = Forgetting(database)
    register(ScoringService(Archive(database), GameArchive(database), Disputes(database), forgetting), server)
    retention = Retention(database, forgetting, logs_days=settings.logs_days, players_days=settings.players_days)
    scope.spawn(lambda: retention.run(scope.stopping), "retention")
    counter = Counter(inbox, Ledger(database), judge_by(recount))
    counting = scope.spawn(lambda: counter.run(scope.draining), "counting")

    async def counted() -> None:
        await asyncio.wait([counting], timeout=settings.stop_seconds / 3)

    scope.on_drain(counted)
    scope.spawn(lambda: watch_redis(client), "figures of Redis")
    scope.spawn(lambda: _sample(inbox, scope.stopping), "backlog")
    scope.spawn(lambda: _retire(inbox, scope.stopping), "consumers")


async def _migrate(database: Database) -> None:
    """Migrates as soon as the database answers; it may be starting at the same time as we are."""
    while True:
        try:
            return await migrate(database)
        except UnknownVersion:
            raise  # waiting does not help: a newer release has migrated it
        except Unavailable as fault:
            _log.warning("waiting for the database", reason=fault.reason, cause=repr(fault.__cause__))
            await asyncio.sleep(1)


async def _sample(inbox: RedisInbox, stopping: asyncio.Event) -> None:
    while not stopping.is_set():
        with suppress(Unavailable):
            backlog = await inbox.backlog()
            metrics.BACKLOG.set(backlog.hands)
            metrics.BACKLOG_AGE.set(backlog.age_seconds)
        await _pause(stopping, _SAMPLE_SECONDS)


async def _retire(inbox: RedisInbox, stopping: asyncio.Event) -> None:
    while not stopping.is_set():
        with suppress(Unavailable):
            await inbox.retire()
        await _pause(stopping, _RETIRE_SECONDS)


async def _pause(stopping: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(stopping.wait(), seconds)


async def _leave(inbox: RedisInbox) -> None:
    """Best effort: whatever is left behind, another scorer takes over or retires."""
    with suppress(Fault):
        await inbox.retire(leave=True)


def _consumer() -> str:
    """A name that no other scorer has or had."""
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
