"""The parts of the edge that routes and sockets use, in one place. Made in ``build``."""

from __future__ import annotations

from dataclasses import dataclass

from services.gateway.admission import Admission
from services.gateway.attendance import Attendance
from services.gateway.backend import Engines, Lobby, Scoring
from services.gateway.company import Company
from services.gateway.holdings import Holdings
from services.gateway.limits import Buckets, Limits
from services.gateway.notices import Notices
from services.gateway.plays import Plays
from services.gateway.redis_clock import RedisClock
from services.gateway.redis_feed import RedisSeats
from services.gateway.redis_log import RedisLog
from services.gateway.redis_minutes import RedisMinutes
from services.gateway.redis_sessions import RedisSessions
from services.gateway.relays import Relays
from services.gateway.settings import GatewaySettings
from services.gateway.sockets import Sockets
from services.gateway.tasks import Tasks
from services.gateway.thinking import Thinking
from services.runtime.scope import Scope


@dataclass(frozen=True, slots=True)
class Edge:
    """Everything there is one of in this process."""

    settings: GatewaySettings
    scope: Scope
    sessions: RedisSessions
    minutes: RedisMinutes
    lobby: Lobby
    scoring: Scoring
    engines: Engines
    plays: Plays
    relays: Relays
    log: RedisLog
    seats: RedisSeats
    company: Company
    attendance: Attendance
    clock: RedisClock
    tasks: Tasks
    thinking: Thinking
    admission: Admission
    notices: Notices
    limits: Limits
    emotes: Buckets
    holdings: Holdings
    sockets: Sockets
