"""Guests' sessions: a token is never stored, only its SHA-256."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any, Final

from redis.asyncio import Redis

from services.runtime import keys
from services.runtime.redis import Script, faults

TOKEN_BYTES: Final = 32
_LONGEST_TOKEN: Final = 128

_CREATE: Final = Script("""
redis.call('HSET', KEYS[1], 'player', ARGV[1], 'name', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
""")


@dataclass(frozen=True, slots=True)
class Player:
    """Who a session belongs to."""

    id: str
    name: str


class RedisSessions:
    """The sessions in Redis. Raises ``Unavailable`` while it can't be reached."""

    def __init__(self, client: Redis, lifetime_seconds: int) -> None:
        self._client = client
        self.lifetime_seconds: Final = lifetime_seconds
        """How long a session lives after its last use."""

    async def create(self, name: str) -> tuple[Player, str]:
        """A new player and the token of its session."""
        player = Player("p" + secrets.token_hex(8), name)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        key = keys.session(_hash(token))
        async with faults():
            await _CREATE(self._client, [key], [player.id, name, self.lifetime_seconds])
        return player, token

    async def find(self, token: str) -> Player | None:
        """Whose session the token is of; its lifetime starts again."""
        if not 0 < len(token) <= _LONGEST_TOKEN:
            return None
        key = keys.session(_hash(token))
        async with faults(), self._client.pipeline(transaction=False) as pipe:
            pipe.hmget(key, "player", "name")
            pipe.expire(key, self.lifetime_seconds)
            (player, name), _ = await pipe.execute()
        return None if player is None or name is None else Player(player.decode(), name.decode())

    async def end(self, token: str) -> None:
        """Ends the token's session; one that is over stays so."""
        async with faults():
            await self._client.delete(keys.session(_hash(token)))

    async def table_of(self, player: str) -> str | None:
        """The table where the player sits, as the lobby has it."""
        async with faults():
            table: Any = await self._client.get(keys.player_seat(player))
        return table.decode() if table else None


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
