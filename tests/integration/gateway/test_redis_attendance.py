"""What gateways leave for each other, on a real Redis."""

from __future__ import annotations

from redis.asyncio import Redis

from services.gateway.attendance import Sitting
from services.gateway.redis_attendance import SCANNED, RedisPeers
from services.runtime import keys
from tests.integration.gateway.place import forgotten


async def test_what_gateways_leave_for_each_other(redis: Redis) -> None:
    peers = RedisPeers(redis)
    assert await peers.beat("a", 1, first=True) == {"a": 1}
    assert await peers.beat("b", 1, first=True) == {"a": 1, "b": 1}
    assert await peers.beat("a", 2, first=False) == {"a": 2, "b": 1}

    many = [Sitting("t1", f"p{number}", number % 8, f"s{number}") for number in range(3 * SCANNED)]
    await peers.write("a", many, [])
    assert sorted(await peers.sittings("a"), key=repr) == sorted(many, key=repr)
    moved = Sitting("t1", "p0", 4, "s0")
    await peers.write("a", [moved], [sitting.socket for sitting in many[1:]])
    assert list(await peers.sittings("a")) == [moved]
    assert 0 < await redis.ttl(keys.gateway_seats("a")) <= 86_400

    assert await peers.claim("a", "b", 5.0)
    assert await peers.claim("a", "b", 9.0)
    assert 5_000 < await redis.pttl(keys.gateway_claim("a")) <= 9_000
    assert not await peers.claim("a", "c", 9.0)
    assert await peers.beat("a", 3, first=False) is None, "who is looked after is told so"

    await peers.forget("a")
    assert await forgotten(redis, "a")
    assert await peers.beat("a", 3, first=False) is None, "who was written off is told so"
    assert await peers.beat("b", 2, first=False) == {"b": 2}, "and says nothing by that"


async def test_what_nobody_can_read_is_taken_away(redis: Redis) -> None:
    peers = RedisPeers(redis)
    ann = Sitting("t1", "ann", 0, "s1")
    await peers.write("a", [ann], [])
    await redis.hset(keys.gateway_seats("a"), mapping={"s2": "no seat", "s3": "[1,2]", "s4": '["t1","bob",-1,"s4"]'})
    await redis.hset(keys.gateways(), "b", "often")
    assert list(await peers.sittings("a")) == [ann]
    assert await redis.hlen(keys.gateway_seats("a")) == 1
    assert await peers.beat("a", 1, first=True) == {"a": 1}


async def test_a_beat_keeps_what_a_gateway_has_written(redis: Redis) -> None:
    peers = RedisPeers(redis)
    await peers.write("a", [Sitting("t1", "ann", 0, "s1")], [])
    await redis.expire(keys.gateway_seats("a"), 5)
    await peers.beat("a", 1, first=True)
    assert await redis.ttl(keys.gateway_seats("a")) > 5
