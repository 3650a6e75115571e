"""What gateways leave for each other in Redis: their beats, and each one's seats (docs/architecture.md, "Keys")."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import msgspec
from msgspec.json import encode
from redis.asyncio import Redis

from services.gateway.attendance import Sitting
from services.runtime import keys
from services.runtime.redis import Script, faults

KEPT_SECONDS: Final = 86_400
"""How long the seats of gateways stay there when no gateway is left."""

# Keys: the gateways that live, the seats of this one. Arguments: this one, how often it has said so, the lifetime (s).
_BEAT: Final = Script("""
if ARGV[2] ~= '0' and redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return {} end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] + 1)
redis.call('EXPIRE', KEYS[2], ARGV[3])
return redis.call('HGETALL', KEYS[1])
""")

_decoder: Final = msgspec.json.Decoder(Sitting)


class RedisPeers:
    """``attendance.Peers``."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def beat(self, gateway: str, beats: int) -> Mapping[str, int] | None:
        """See the port."""
        async with faults():
            said = await _BEAT(
                self._client, [keys.gateways(), keys.gateway_seats(gateway)], [gateway, beats, KEPT_SECONDS]
            )
        fields = iter(said)
        return {name.decode(): int(beat) for name, beat in zip(fields, fields, strict=True)} or None

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

    async def sittings(self, gateway: str, most: int) -> Collection[Sitting]:
        """See the port."""
        found: dict[bytes, Sitting] = {}
        async with faults():
            async for socket, body in self._client.hscan_iter(keys.gateway_seats(gateway), count=most):
                found[socket] = _decoder.decode(body)
                if len(found) >= most:
                    break
        return found.values()

    async def claim(self, gateway: str, by: str, seconds: float) -> bool:
        """See the port."""
        key, lifetime_ms = keys.gateway_claim(gateway), round(seconds * 1000)
        async with faults():
            if await self._client.set(key, by, nx=True, px=lifetime_ms):
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
