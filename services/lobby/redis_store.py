"""Everything that the lobby keeps in Redis, over two clients: one that answers at once and one that may wait."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

from redis.asyncio import Redis

from services.lobby.redis_claims import Claims
from services.lobby.redis_codes import Codes
from services.lobby.redis_gate import Gate
from services.lobby.redis_hosted import Hosted
from services.lobby.redis_pause import Pause
from services.lobby.redis_places import Places
from services.lobby.redis_scored import ScoredStreams
from services.lobby.redis_tables import Tables
from services.lobby.redis_wanted import Wanted
from services.runtime.errors import Unavailable
from services.runtime.redis import blocking, connect
from services.runtime.redis_nodes import answers

HELD_MS: Final = 3_600_000
"""How long a claim or a code lives that nobody renews; it is renewed every ``Timing.keep_ms``, six times as often."""


@dataclass(frozen=True, slots=True)
class Store:
    """The parts, each of which owns its keys."""

    tables: Tables
    claims: Claims
    codes: Codes
    places: Places
    wanted: Wanted
    scored: ScoredStreams
    pause: Pause
    hosted: Hosted
    client: Redis

    async def reached(self) -> bool:
        """Whether Redis answers."""
        return await answers(self.client)


@asynccontextmanager
async def store(url: str, *, lease_ms: int, pending_ms: int, most_hosted: int, hosted_ms: int) -> AsyncIterator[Store]:
    """Opens the clients; leaves Redis as it would be without this lobby."""
    async with connect(url) as client, blocking(url) as waiting:
        gate = Gate()
        scored = ScoredStreams(client, waiting, gate, f"lobby-{secrets.token_hex(6)}")
        yield Store(
            tables=Tables(client, gate, lease_ms),
            claims=Claims(client, gate, pending_ms, HELD_MS),
            codes=Codes(client, gate, HELD_MS),
            places=Places(client, gate),
            wanted=Wanted(client, waiting, gate),
            scored=scored,
            pause=Pause(client, gate),
            hosted=Hosted(client, gate, most_hosted, hosted_ms),
            client=client,
        )
        with suppress(Unavailable):
            await scored.close()
