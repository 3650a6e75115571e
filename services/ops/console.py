"""The parts of the console that its routes use, in one place. Made in ``build``."""

from __future__ import annotations

from dataclasses import dataclass

from services.ops.backend import Engines, Lobby
from services.ops.doorkeeper import Doorkeeper
from services.ops.redis_audit import RedisAudit
from services.ops.redis_desk import RedisDesk
from services.ops.watcher import Watcher
from services.runtime.scope import Scope


@dataclass(frozen=True, slots=True)
class Console:
    """Everything there is one of in this process."""

    scope: Scope
    door: Doorkeeper
    desk: RedisDesk
    audit: RedisAudit
    lobby: Lobby
    engines: Engines
    watcher: Watcher
