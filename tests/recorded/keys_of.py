"""All keys of a Redis as text, and back, whatever its version: dumps of RDB are of one version of Redis only."""

from __future__ import annotations

import re
from hashlib import sha1
from typing import Any, Final

from redis.asyncio import Redis

from services.gateway.events import read

Kept = dict[str, dict[str, Any]]
"""By key: its type, and its content."""

_INSTANT: Final = re.compile(r"\b1\d{12}\b")
"""Milliseconds since 1970, in this century's years so far."""


async def kept(redis: Redis) -> Kept:
    """What is there. Streams that only carry work from one service to another are not kept: they are empty."""
    found: Kept = {}
    asked: Any = redis  # whose answers have no types that would help
    for key in sorted([key.decode() async for key in redis.scan_iter()]):
        kind = (await asked.type(key)).decode()
        value: Any
        match kind:
            case "hash":
                value = {name.decode(): text.decode() for name, text in (await asked.hgetall(key)).items()}
            case "string":
                value = (await asked.get(key)).decode()
            case "zset":
                pairs = await asked.zrange(key, 0, -1, withscores=True)
                value = {member.decode(): str(int(score)) for member, score in pairs}
            case "stream" if ":log:" in key:
                value = [[i.decode(), fields[b"e"].decode()] for i, fields in await asked.xrange(key)]
            case _:
                continue
        found[key] = {"type": kind, "value": value}
    return found


async def put_back(redis: Redis, found: Kept) -> None:
    """Makes the keys, without lifetimes."""
    for key, of in found.items():
        value = of["value"]
        match of["type"]:
            case "hash":
                await redis.hset(key, mapping=value)
            case "string":
                await redis.set(key, value)
            case "zset":
                await redis.zadd(key, {member: int(score) for member, score in value.items()})
            case _:
                for i, event in value:
                    await redis.xadd(key, {"e": event}, id=i)


def earlier(found: Kept, by_ms: int) -> Kept:
    """The same, everything having happened so much earlier; the digests of the logs are made anew.

    So that it lies in the past of every machine that goes on with it.
    """

    def shifted(text: str) -> str:
        return _INSTANT.sub(lambda instant: str(int(instant[0]) - by_ms), text)

    def all_of(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: all_of(text) for name, text in value.items()}
        return [all_of(each) for each in value] if isinstance(value, list) else shifted(value)

    digests: dict[str, str] = {}
    moved = {key: {**of, "value": all_of(of["value"])} for key, of in found.items()}
    for of in (of for of in moved.values() if of["type"] == "stream"):
        digest, events = "", []
        for i, event in of["value"]:
            old = read(event.encode()).digest
            body = event[: event.rindex(',"digest":"')]
            digest = digests[old] = sha1((digest + body).encode(), usedforsecurity=False).hexdigest()[:16]
            events.append([i, f'{body},"digest":"{digest}"}}'])
        of["value"] = events
    for of in (of for of in moved.values() if of["type"] == "hash" and "digest" in of["value"]):
        of["value"]["digest"] = digests[of["value"]["digest"]]
    return moved
