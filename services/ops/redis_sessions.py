"""Operators' sessions, and how often a login has failed: a token is never stored, only its SHA-256."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any, Final

from redis.asyncio import Redis

from services.runtime import keys
from services.runtime.redis import faults

TOKEN_BYTES: Final = 32
_LONGEST_TOKEN: Final = 128
_MINUTE: Final = 60


@dataclass(frozen=True, slots=True)
class Session:
    """Whose session, and what a browser has to send along with what it does."""

    name: str
    csrf: str


class RedisSessions:
    """The sessions. Raises ``Unavailable`` while Redis can't be reached."""

    def __init__(self, client: Redis, lifetime_seconds: int) -> None:
        self._client = client
        self._lifetime = lifetime_seconds

    async def create(self, name: str) -> tuple[str, Session]:
        """A new session's token."""
        token, session = secrets.token_urlsafe(TOKEN_BYTES), Session(name, secrets.token_urlsafe(TOKEN_BYTES))
        async with faults():
            key = keys.operator_session(_hash(token))
            await self._client.hset(key, mapping={"name": session.name, "csrf": session.csrf})
            await self._client.expire(key, self._lifetime)
        return token, session

    async def find(self, token: str) -> Session | None:
        """The session of a token; its lifetime begins again."""
        if not 0 < len(token) <= _LONGEST_TOKEN:
            return None
        key = keys.operator_session(_hash(token))
        async with faults():
            found: list[Any] = await self._client.hmget(key, "name", "csrf")
            name, csrf = found
            if name is None or csrf is None:
                return None
            await self._client.expire(key, self._lifetime)
        return Session(name.decode(), csrf.decode())

    async def end(self, token: str) -> None:
        """Ends the session."""
        async with faults():
            await self._client.delete(keys.operator_session(_hash(token)))

    async def failures(self, who: str) -> int:
        """How often that address or account has failed to log in in this minute."""
        async with faults():
            return int(await self._client.get(keys.failed_logins(who)) or 0)

    async def failed(self, who: str) -> None:
        """Once more."""
        async with faults():
            key = keys.failed_logins(who)
            await self._client.set(key, 0, ex=_MINUTE, nx=True)
            if await self._client.incr(key) == 1:
                # It may have ended in between: a counter without an end would keep its owner out for good.
                await self._client.expire(key, _MINUTE)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
