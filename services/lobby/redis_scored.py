"""Results of counted hands, as scoring puts them into the shards' ``scored`` streams. All lobbies are one group.

An entry is acknowledged and deleted once the table has taken it. What a dead lobby had read and not acknowledged is
taken over by another.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.client import Pipeline
from redis.exceptions import ResponseError

from services.lobby.match import Result
from services.lobby.redis_gate import Gate
from services.lobby.table import TableId
from services.runtime import keys
from services.runtime.redis import Script, faults
from services.runtime.redis_nodes import read_group

GROUP: Final = "lobby"
_AT_ONCE: Final = 100
"""New entries of one shard that are taken at once."""
_IDLE_CONSUMER_MS: Final = 600_000

_DONE: Final = Script("""
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[1], ARGV[2])
""")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a stream. ``result`` is ``None`` if it cannot be read."""

    shard: int
    id: str
    table: TableId
    result: Result | None

    @property
    def added_ms(self) -> int:
        """When scoring added it, Redis' time."""
        return int(self.id.partition("-")[0])


class ScoredStreams:
    """The streams, read as one consumer of the group. Raises ``Unavailable`` when Redis is."""

    def __init__(self, client: Redis, blocking: Redis, gate: Gate, consumer: str) -> None:
        self._redis = client
        self._gate = gate
        self._blocking = blocking
        self._consumer = consumer
        self._shards = {keys.scored(shard): shard for shard in range(keys.SHARDS)}

    async def open(self) -> None:
        """Makes sure of the group on every stream, and removes consumers that are long gone."""
        async with self._gate():
            pipe = self._redis.pipeline(transaction=False)
            for name in self._shards:
                pipe.xgroup_create(name, GROUP, id="0", mkstream=True)
            await _answers(pipe, "BUSYGROUP")
        await self._remove(lambda consumer: bool(consumer["idle"] > _IDLE_CONSUMER_MS))

    async def read(self, wait_ms: int) -> list[Entry]:
        """New entries; waits for one up to ``wait_ms``."""
        names = tuple(self._shards)
        try:
            async with faults():
                answer = await read_group(self._blocking, GROUP, self._consumer, names, count=_AT_ONCE, wait_ms=wait_ms)
        except ResponseError as error:
            if not str(error).startswith("NOGROUP"):
                raise
            await self.open()  # Redis has lost its data
            return []
        return [entry for name, entries in answer for entry in self._entries(self._shards[name], entries)]

    async def take_over(self, idle_ms: int) -> list[Entry]:
        """Entries that somebody read at least ``idle_ms`` ago and did not acknowledge."""
        async with self._gate():
            pipe = self._redis.pipeline(transaction=False)
            for name in self._shards:
                pipe.xautoclaim(name, GROUP, self._consumer, idle_ms, count=_AT_ONCE)
            answers = await _answers(pipe, "NOGROUP")  # not opened yet, or again after Redis lost its data
        found = zip(self._shards.values(), answers, strict=True)
        return [entry for shard, answer in found if answer is not None for entry in self._entries(shard, answer[1])]

    async def done(self, entry: Entry) -> None:
        """Acknowledges and deletes an entry."""
        name = keys.scored(entry.shard)
        async with self._gate():
            await _DONE(self._redis, [name], [GROUP, entry.id])

    async def close(self) -> None:
        """Removes this consumer, except where it has entries to be taken over: they would go with it."""
        await self._remove(lambda consumer: bool(consumer["name"] == self._consumer.encode()))

    async def _remove(self, gone: Callable[[dict[str, Any]], bool]) -> None:
        """Removes the consumers that are gone and have nothing pending."""
        async with self._gate():
            pipe = self._redis.pipeline(transaction=False)
            for name in self._shards:
                pipe.xinfo_consumers(name, GROUP)
            answers = await _answers(pipe, "NOGROUP", "no such key")  # nothing to remove
            for name, consumers in zip(self._shards, answers, strict=True):
                for consumer in consumers or ():
                    if consumer["pending"] == 0 and gone(consumer):
                        pipe.xgroup_delconsumer(name, GROUP, consumer["name"])
            await _answers(pipe, "NOGROUP", "no such key")

    @staticmethod
    def _entries(shard: int, raw: Sequence[tuple[bytes | None, dict[bytes, bytes] | None]]) -> list[Entry]:
        # Redis 6.2 gives deleted entries as nothing when they are claimed.
        return [_entry(shard, id_.decode(), fields) for id_, fields in raw if id_ and fields]


def _entry(shard: int, id_: str, fields: dict[bytes, bytes]) -> Entry:
    text = {name.decode(): value.decode() for name, value in fields.items()}
    try:
        told = json.loads(text["result"])
        result = Result(
            match=text["match"],
            hand=int(text["hand"]),
            totals=tuple(map(int, told["totals"])),
            over=bool(told["over"]),
            winners=tuple(map(int, told["winners"])),
            # A scoring of the release before tells neither.
            playoff=bool(told.get("playoff", False)),
            counts=bool(told.get("counts", True)),
        )
    except (KeyError, TypeError, ValueError):
        result = None
    return Entry(shard, id_, TableId(text.get("table", "")), result)


async def _answers(pipe: Pipeline, *expected: str) -> list[Any]:
    """Each command's answer; None for an error that begins in an ``expected`` way. Raises any other.

    The pipeline of a cluster gives every error as an answer: also that a node is away, which is none of Redis' own.
    """
    answers: list[Any] = await pipe.execute(raise_on_error=False)
    for i, answer in enumerate(answers):
        if isinstance(answer, Exception):
            if not str(answer).startswith(expected):
                raise answer
            answers[i] = None
    return answers
