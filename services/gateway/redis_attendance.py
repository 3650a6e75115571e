"""What gateways leave for each other in Redis: their beats, and each one's seats (docs/architecture.md, "Keys")."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import msgspec
from msgspec.json import encode
from redis.asyncio import Redis

from services.gateway.attendance import Sitting
from services.runtime import keys
from services.runtime.log import logger
from services.runtime.redis import Script, faults

KEPT_SECONDS: Final = 86_400
"""How long the seats of gateways stay there when no gateway is left."""
SCANNED: Final = 500
"""Seats that are read at a time."""

# Keys: the gateways that live, the seats of this one. Arguments: this one, how often it has said so, the lifetime (s),
# 1 the first time.
_BEAT: Final = Script("""
local before = redis.call('HGET', KEYS[1], ARGV[1])
if before == '0' or (not before and ARGV[4] == '0') then return {} end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return redis.call('HGETALL', KEYS[1])
""")

_decoder: Final = msgspec.json.Decoder(Sitting)
_log = logger(__name__)


class RedisPeers:
    """``attendance.Peers``."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def beat(self, gateway: str, beats: int, *, first: bool) -> Mapping[str, int] | None:
        """See the port."""
        async with faults():
            names = [keys.gateways(), keys.gateway_seats(gateway)]
            said = await _BEAT(self._client, names, [gateway, beats, KEPT_SECONDS, int(first)])
        fields = iter(said)
        all_ = {name.decode(): beat for name, beat in zip(fields, fields, strict=True)}
        return {name: int(beat) for name, beat in all_.items() if beat.isdigit()} or None

    async def write(self, gateway: str, come: Collection[Sitting], gone: Collection[str]) -> None:
        """See the port."""
        key = keys.gateway_seats(gateway)
        async with faults(), self._client.pipeline(transaction=False) as pipe:
            if come:
                pipe.hset(key, items=[part for sitting in come for part in (sitting.socket, encode(sitting))])
            if gone:
                pipe.hdel(key, *gone)
            pipe.expire(key, KEPT_SECONDS)
            await pipe.execute()

    async def sittings(self, gateway: str) -> Collection[Sitting]:
        """See the port. What can't be read is taken away."""
        key = keys.gateway_seats(gateway)
        found: dict[bytes, Sitting] = {}
        async with faults():
            async for socket, body in self._client.hscan_iter(key, count=SCANNED):
                try:
                    found[socket] = _decoder.decode(body)
                except msgspec.DecodeError as error:
                    _log.error("a seat that can't be read", gateway=gateway, seat=body, error=str(error))
                    await self._client.hdel(key, socket)
        return found.values()

    async def claim(self, gateway: str, by: str, seconds: float) -> bool:
        """See the port."""
        key, lifetime_ms = keys.gateway_claim(gateway), round(seconds * 1000)
        async with faults():
            if await self._client.set(key, by, nx=True, px=lifetime_ms):
                await self._client.hset(keys.gateways(), gateway, "0")
                return True
            if await self._client.get(key) != by.encode():
                return False
            return bool(await self._client.pexpire(key, lifetime_ms))

    async def forget(self, gateway: str) -> None:
        """See the port."""
        async with faults(), self._client.pipeline(transaction=False) as pipe:
            pipe.delete(keys.gateway_seats(gateway))
            pipe.hdel(keys.gateways(), gateway)
            pipe.delete(keys.gateway_claim(gateway))
            await pipe.execute()
