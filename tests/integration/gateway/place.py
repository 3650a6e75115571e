"""A platform with a gateway or more, and what a test does with it: guests, tables, sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from redis.asyncio import Redis

from services.runtime import keys
from services.runtime.serve import Served
from tests.integration.gateway import platform
from tests.integration.gateway.player import PATIENCE_SECONDS, Player, attached


@dataclass
class Guest:
    """A guest of the platform."""

    player: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        """What a request of this guest carries."""
        return {"Authorization": f"Bearer {self.token}"}


@dataclass
class Place:
    """A platform."""

    redis_url: str
    engines: str
    lobby: str
    scoring: str
    gateways: list[Served] = field(default_factory=list)

    @property
    def port(self) -> int:
        """The first gateway's port."""
        return self.gateways[0].port

    @asynccontextmanager
    async def gateway(self, **given: Any) -> AsyncIterator[Served]:
        """One more gateway, ready."""
        parts = {"engines": self.engines, "lobby": self.lobby, "scoring": self.scoring}
        async with platform.gateway(self.redis_url, **{**parts, **given}) as served:
            async with self.http(served.port) as http, asyncio.timeout(PATIENCE_SECONDS):
                while (await http.get("/readyz")).status_code != 200:
                    await asyncio.sleep(0.01)
            yield served

    def http(self, port: int | None = None, address: str = "127.0.0.1") -> httpx2.AsyncClient:
        """A client of a gateway's REST; whoever is counted by its address needs a loopback address of its own."""
        return httpx2.AsyncClient(
            base_url=f"http://127.0.0.1:{port or self.port}",
            # Nothing is encrypted, and clients are made by the hundred: one that could verify takes 30 ms to make.
            transport=httpx2.AsyncHTTPTransport(local_address=address, verify=False),
            timeout=PATIENCE_SECONDS,
        )

    async def guest(self, name: str = "Ada") -> Guest:
        """A new guest."""
        async with self.http() as http:
            made = (await http.post("/api/v1/guests", json={"name": name})).json()
            return Guest(made["player"], made["token"])

    async def table(self, *guests: Guest, **wish: Any) -> str:
        """A table where these guests sit."""
        async with self.http() as http:
            body = {"seats": max(2, len(guests)), **wish}
            made = await http.post("/api/v1/tables", json=body, headers=guests[0].headers)
            table = str(made.json()["id"])
            for guest in guests[1:]:
                joined = await http.post(f"/api/v1/tables/{table}/join", headers=guest.headers)
                assert joined.status_code == 200, joined.text
            return table

    async def running_hand(self) -> tuple[str, list[Guest]]:
        """A table of two whose first hand runs."""
        guests = [await self.guest("Ada"), await self.guest("Bob")]
        table = await self.table(*guests)
        async with attached(self.port, table, guests[0].token) as a, attached(self.port, table, guests[1].token) as b:
            for player in (a, b):
                await welcomed(player)
                await player.sends({"t": "ready", "ready": True})
            await started(a)
        return table, guests


async def welcomed(player: Player) -> None:
    """Waits for the answer to the attach."""
    await player.until(lambda: bool(player.of("welcome")))


async def started(player: Player) -> None:
    """Waits for the start signal."""
    await player.until(
        lambda: (
            any(event["e"] == "start" for event in player.events)
            or any(snapshot["phase"] == "playing" for snapshot in player.of("snapshot"))
        )
    )


async def forgotten(log: Redis, gateway: str) -> bool:
    """Whether Redis has nothing of a gateway of this name, neither its beat nor its seats."""
    gone = [keys.gateway_seats(gateway), keys.gateway_claim(gateway)]
    return not await log.hexists(keys.gateways(), gateway) and not await log.exists(*gone)


async def place_on(stack: AsyncExitStack, redis_url: str, folder: Path, **given: Any) -> Place:
    """A platform on this Redis, for as long as ``stack``."""
    engine = await stack.enter_async_context(platform.engine(redis_url))
    scoring = await stack.enter_async_context(platform.scoring(redis_url, folder))
    lobby = await stack.enter_async_context(platform.lobby(redis_url, engine, scoring))
    place = Place(redis_url, engine, lobby, scoring)
    place.gateways.append(await stack.enter_async_context(place.gateway(**given)))
    return place
