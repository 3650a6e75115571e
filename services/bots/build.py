"""Puts the bots together."""

from __future__ import annotations

import logging
import random
import secrets

import grpc

from services.bots.backend import GrpcLobby
from services.bots.guests import Guests
from services.bots.play import play_over_socket
from services.bots.settings import BotsSettings
from services.bots.worker import Limits, Worker
from services.client import Client
from services.runtime.scope import Scope


async def build(settings: BotsSettings, _server: grpc.aio.Server, scope: Scope) -> None:
    """Starts offering bots. The server has nothing of the bots' own: it tells health."""
    logging.getLogger("httpx2").setLevel(logging.WARNING)  # it tells of every call
    luck = random.Random(secrets.randbits(64))
    lobby = await scope.enter(GrpcLobby(settings.lobby, worker=f"bots-{secrets.token_hex(8)}", tls=settings.tls))
    edge = await scope.enter(Client(settings.gateway.split(",")))
    play = play_over_socket(settings.patience_seconds, luck)
    limits = Limits(settings.most_seats, settings.renew_seconds, farewell_s=settings.stop_seconds / 4)
    worker = await scope.enter(Worker(lobby, Guests(edge, luck), play, limits))
    scope.health("lobby", lobby.reached, shared=True)
    scope.spawn(worker.renew, "leases")
    offers = [scope.spawn(worker.offer, f"offer {number}") for number in range(settings.offers)]

    async def hand_over() -> None:
        for offer in offers:
            offer.cancel()
        await worker.give_all_up()

    scope.on_drain(hand_over)
