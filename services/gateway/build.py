"""Makes the edge of one process out of its settings."""

from __future__ import annotations

from contextlib import aclosing

from services.gateway.admission import Admission
from services.gateway.app import create_app
from services.gateway.attendance import Attendance
from services.gateway.backend import Engine, Engines, Lobby, Scoring, closing
from services.gateway.bucket import Rate
from services.gateway.company import Company
from services.gateway.edge import Edge
from services.gateway.hearing import EMOTE_RATE
from services.gateway.holdings import Holdings
from services.gateway.limits import Buckets, Limits
from services.gateway.notices import Notices
from services.gateway.plays import Plays
from services.gateway.presence import Farewells
from services.gateway.redis_attendance import RedisPeers
from services.gateway.redis_clock import RedisClock
from services.gateway.redis_company import RedisCompany
from services.gateway.redis_console import RedisConsole
from services.gateway.redis_feed import RedisFeed, RedisSeats
from services.gateway.redis_log import RedisLog
from services.gateway.redis_minutes import RedisMinutes
from services.gateway.redis_sessions import RedisSessions
from services.gateway.relays import Relays
from services.gateway.server import EdgeServer
from services.gateway.settings import GatewaySettings
from services.gateway.sockets import Sockets
from services.gateway.tasks import Tasks
from services.gateway.thinking import Thinking
from services.runtime.descriptors import raise_limit
from services.runtime.redis import blocking, connect
from services.runtime.redis_nodes import answers
from services.runtime.scope import Scope


async def build(settings: GatewaySettings, scope: Scope) -> EdgeServer:
    """The server of the edge, not serving yet."""
    raise_limit()
    client = await scope.enter(aclosing(connect(settings.redis_url)))
    subscriber = await scope.enter(aclosing(blocking(settings.redis_url)))
    tls = settings.tls
    engines = {address: Engine(address, tls) for address in settings.engine_addresses}
    lobby, scoring = Lobby(settings.lobby, tls), Scoring(settings.scoring, tls)
    parts: tuple[Engine | Lobby | Scoring, ...] = (*engines.values(), lobby, scoring)
    for part in parts:
        await scope.enter(closing(part))
    tasks = Tasks()
    log = RedisLog(client)
    company = Company(RedisCompany(client))
    feed = RedisFeed(subscriber, company)
    relays = Relays(feed, log, lobby.view, tasks)
    plays = Plays({address: engine.open for address, engine in engines.items()}, relays.pause)
    clock = RedisClock(client)
    notices = Notices(RedisConsole(client))
    all_engines, seats, sockets = Engines(list(engines.values())), RedisSeats(client), Sockets()
    farewells = Farewells(lobby, all_engines, seats)

    async def send_away() -> None:
        await sockets.send_away(settings.drain_per_second, settings.stop_seconds / 3)

    attendance = Attendance(RedisPeers(client), tasks, farewells.say, lambda: tasks.spawn(send_away()))
    edge = Edge(
        settings=settings,
        scope=scope,
        sessions=RedisSessions(client, round(settings.session_days * 86_400)),
        minutes=RedisMinutes(client),
        lobby=lobby,
        scoring=scoring,
        engines=all_engines,
        plays=plays,
        relays=relays,
        log=log,
        seats=seats,
        company=company,
        attendance=attendance,
        clock=clock,
        tasks=tasks,
        thinking=await scope.enter(Thinking()),
        admission=Admission(Rate(settings.sockets_per_second, settings.sockets_at_once), settings.longest_wait_seconds),
        notices=notices,
        limits=Limits(
            Rate(settings.requests_per_second, settings.requests_at_once),
            Rate(settings.address_per_second, settings.address_at_once),
        ),
        emotes=Buckets(EMOTE_RATE, at_first=1.0),
        holdings=Holdings(settings.sockets_per_player),
        sockets=sockets,
    )

    async def redis_answers() -> bool:
        return await answers(client)

    async def clock_is_set() -> bool:
        return clock.is_set

    async def engine_answers() -> bool:
        return plays.ready

    async def subscribed() -> bool:
        return feed.connected

    scope.health("redis", redis_answers, shared=True)
    scope.health("clock", clock_is_set, shared=True)
    scope.health("engine", engine_answers, shared=True)
    scope.health("feed", subscribed, shared=True)
    scope.on_drain(send_away)
    scope.spawn(clock.run, "clock")
    scope.spawn(feed.run, "feed")
    scope.spawn(relays.watch, "relays")
    scope.spawn(plays.watch, "plays")
    scope.spawn(company.run, "company")
    scope.spawn(attendance.run, "attendance")
    scope.spawn(lambda: notices.run(edge.sockets), "notices")
    for link in plays.links:
        scope.spawn(link.run, f"engine {link.address}")
    return EdgeServer(create_app(edge), edge)
