"""Puts a lobby together."""

from __future__ import annotations

from typing import Final

import grpc

from services.lobby.backend import GrpcEngines, GrpcScoring
from services.lobby.bell import Bell
from services.lobby.bot_desk import BotDesk
from services.lobby.driver import Driver
from services.lobby.keeper import Keeper
from services.lobby.lobby import Lobby
from services.lobby.operator_desk import OperatorDesk
from services.lobby.redis_store import store
from services.lobby.results import Results
from services.lobby.service import LobbyService, OperatorService, register
from services.lobby.settings import LobbySettings
from services.lobby.solo_desk import SoloDesk
from services.lobby.sweep import Sweep
from services.lobby.usher import Usher
from services.runtime.scope import Scope

DRIVERS: Final = 16
"""How many tables are driven at once; most of the time a driver waits for an engine."""


async def build(settings: LobbySettings, server: grpc.aio.Server, scope: Scope) -> None:
    """Registers the service and starts what drives the tables."""
    kept = await scope.enter(
        store(
            settings.redis_url,
            lease_ms=round(settings.lease_seconds * 1000),
            pending_ms=settings.pending_ms,
            most_hosted=settings.most_hosted,
            hosted_ms=settings.hosted_ms,
        )
    )
    engines = await scope.enter(GrpcEngines(settings.addresses, settings.tls))
    scoring = await scope.enter(GrpcScoring(settings.scoring, settings.tls))
    keeper = Keeper(kept.tables, kept.claims, kept.codes, kept.places, Bell(), settings.timing, settings.retry_ms)
    usher = Usher(keeper)
    driver = Driver(keeper, engines, scoring, kept.wanted)
    results = Results(keeper, kept.scored, settings.take_over_ms)
    lobby = Lobby(keeper, usher, settings.countdown_ms, kept.pause, kept.hosted)
    players = LobbyService(
        lobby, SoloDesk(usher, kept.pause), BotDesk(usher, kept.wanted, scope.draining), scope.draining
    )
    register(players, OperatorService(OperatorDesk(keeper, kept.pause)), server)
    scope.health("redis", kept.reached, shared=True)
    for number in range(DRIVERS):
        scope.spawn(driver.run, f"driver {number}")
    scope.spawn(Sweep(keeper, settings.sweep_ms).run, "sweep")
    scope.spawn(results.run, "results")
    scope.spawn(results.run_take_over, "results taken over")
