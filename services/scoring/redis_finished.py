"""Every key that scoring touches in Redis: finished hands and their events in, scored hands out.

One consumer group, ``scoring``, over the finished streams of all shards; each scorer is a consumer with a name of its
own. An entry that is settled is removed, so what a finished stream holds is what is left to do.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from redis import exceptions
from redis.asyncio import Redis

from services.runtime import keys
from services.runtime.errors import Unavailable
from services.runtime.redis import Script, faults, unavailable
from services.runtime.redis_nodes import answers, now, read_group
from services.runtime.versions import encoded_event
from services.scoring import metrics
from services.scoring.finished import BadEntry, Finished
from services.scoring.ports import Delivery, Entry
from services.scoring.result import Result

GROUP: Final = "scoring"
_BATCH: Final = 1
"""New entries of one shard taken at once. More would wait for long enough to be taken over by another scorer."""
_LEFT: Final = 16
"""Unsettled entries of one shard taken again at once."""
_PAGE: Final = 1000
"""Events read at once."""
_WAIT_MS: Final = 1000
_IDLE_MS: Final = 3_600_000
"""A consumer without entries that was silent for so long belongs to a scorer that is gone."""

_Entries = Sequence[tuple[bytes | None, dict[bytes, bytes]]]
"""Ids and fields; no fields where the entry was removed from the stream."""

_STREAMS: Final = {keys.finished(shard): shard for shard in range(keys.SHARDS)}

# Deleting a consumer drops its entries for good, so whether it has any is asked in the same breath.
_RETIRE: Final = Script("""
for _, info in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local consumer = {}
  for i = 1, #info, 2 do consumer[info[i]] = info[i + 1] end
  if consumer.pending == 0 and (consumer.name == ARGV[2] or consumer.idle > tonumber(ARGV[3])) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], consumer.name)
  end
end
""")

# Keys: the finished stream, and the scored one if something is to be told there. Arguments: group, id, fields to tell.
# The write that can fail comes first. Answers with the id of what was told.
_SETTLE: Final = Script("""
local told = KEYS[2] and redis.call('XADD', KEYS[2], '*', unpack(ARGV, 3))
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[1], ARGV[2])
return told
""")


@dataclass(frozen=True, slots=True)
class Backlog:
    """How many finished hands are not settled, and since when the oldest one waits (seconds)."""

    hands: int
    age_seconds: float


class RedisInbox:
    """The finished streams as :class:`~services.scoring.ports.Inbox`.

    ``reader`` is a client for blocking reads, ``client`` one for all else. Entries that some scorer has held for
    ``claim_after_ms`` are taken over, this one's own included. One task at a time may call :meth:`take`.
    """

    def __init__(self, client: Redis, reader: Redis, consumer: str, claim_after_ms: int = 5000) -> None:
        self._client = client
        self._reader = reader
        self._consumer = consumer
        self._claim_after_ms = claim_after_ms
        self._claim_due = 0.0
        self._hold_due = 0.0
        self._joined = False
        self._unsettled: set[tuple[int, str]] = set()
        self._unsure = True
        """Whether entries may have been delivered to this consumer without its knowing: a cut connection's answer."""

    async def take(self) -> Sequence[Delivery]:
        """Entries left unsettled; else entries of scorers that are gone; else new ones, for which it waits a second."""
        try:
            async with faults():
                return await self._take()
        except Unavailable:
            self._unsure = True
            raise
        except exceptions.ResponseError as error:
            if not str(error).startswith("NOGROUP"):
                raise
            # The streams are not those we joined: Redis came back without them.
            self._joined = False
            raise Unavailable("REDIS_UNAVAILABLE", "the consumer group is gone") from error

    async def log(self, finished: Finished) -> list[bytes]:
        """The hand's events that are in the table's log."""
        if not finished.first:
            return []
        log: list[bytes] = []
        start = finished.first
        async with faults():
            while start <= finished.last:
                page: Any = await self._client.xrange(
                    keys.log(finished.table), f"{start}-0", f"{finished.last}-0", _PAGE
                )
                log += [encoded_event(finished.table, fields) for _, fields in page]
                if len(page) < _PAGE:
                    break
                start = int(page[-1][0].partition(b"-")[0]) + 1
        return log

    async def seats(self, finished: Finished) -> int:
        """How many seats the hand's hash names; 0 if it is gone."""
        async with faults():
            found: Any = await self._client.hget(keys.hand(finished.table), "seats")
        return int(found) if found and found.isdigit() and 1 <= int(found) <= 8 else 0

    async def earlier(self, entry: Entry, finished: Finished) -> bool:
        """Whether the entry's stream still has, before it, another hand of the same match."""
        async with faults():
            before: Any = await self._client.xrange(keys.finished(entry.shard), max=f"({entry.id}")
        return any(fields.get(b"match") == finished.match.encode() for _, fields in before)

    async def settle(self, entry: Entry, finished: Finished, result: Result) -> None:
        """Publishes, acknowledges and removes, in one script.

        Nothing trims the scored stream but the lobby, which removes what it took: it holds at most about an entry for
        each table that waits for its next hand.
        """
        fields: dict[Any, Any] = {
            "table": finished.table,
            "match": finished.match,
            "hand": finished.hand,
            "result": result.to_json(),
        }
        names = [keys.finished(entry.shard), keys.scored(entry.shard)]
        async with faults():
            told: bytes = await _SETTLE(
                self._client, names, [GROUP, entry.id, *(part for field in fields.items() for part in field)]
            )
        # Both ids begin with the time at which their entry was added.
        told_ms, ended_ms = int(told.partition(b"-")[0]), int(entry.id.partition("-")[0])
        metrics.LAG_SECONDS.observe(max(0, told_ms - ended_ms) / 1000)
        self._unsettled.discard((entry.shard, entry.id))
        await self._hold()

    async def discard(self, entry: Entry) -> None:
        """Acknowledges and removes, in one script."""
        async with faults():
            await _SETTLE(self._client, [keys.finished(entry.shard)], [GROUP, entry.id])
        self._unsettled.discard((entry.shard, entry.id))

    async def backlog(self) -> Backlog:
        """What is left to do, in all shards."""
        async with faults(), self._client.pipeline(transaction=False) as pipe:
            for stream in _STREAMS:
                pipe.xlen(stream)
                pipe.xrange(stream, count=1)
            lengths: list[Any] = await pipe.execute()
            seconds, micros = await now(self._client)
        now_ms = seconds * 1000 + micros // 1000
        oldest = min((int(page[0][0].partition(b"-")[0]) for page in lengths[1::2] if page), default=now_ms)
        return Backlog(sum(lengths[::2]), max(0, now_ms - oldest) / 1000)

    async def retire(self, *, leave: bool = False) -> None:
        """Removes consumers of scorers that are long gone; with ``leave`` this one too. None that still has entries."""
        name = self._consumer if leave else ""
        async with faults():
            for stream in _STREAMS:
                try:
                    await _RETIRE(self._client, [stream], [GROUP, name, _IDLE_MS])
                except exceptions.ResponseError as error:
                    if unavailable(error) or not any(word in str(error) for word in ("NOGROUP", "no such key")):
                        raise

    async def ping(self) -> bool:
        """Whether Redis answers."""
        async with faults():
            return await answers(self._client)

    async def _take(self) -> list[Delivery]:
        if not self._joined:
            await self._join()
        taken: list[Delivery] = []
        if self._unsure or self._unsettled:
            taken = await self._read("0", _LEFT, block=None)
            self._unsure = False
        if time.monotonic() >= self._claim_due:
            held = {(delivery.entry.shard, delivery.entry.id) for delivery in taken}
            claimed = await self._claim()
            taken += [delivery for delivery in claimed if (delivery.entry.shard, delivery.entry.id) not in held]
            # A match's hands in the order in which they ended.
            taken.sort(key=lambda delivery: (delivery.entry.shard, delivery.entry.order))
            self._claim_due = time.monotonic() + self._claim_after_ms / 2000
        if not taken:
            taken = await self._read(">", _BATCH, block=_WAIT_MS)
        self._unsettled = {(delivery.entry.shard, delivery.entry.id) for delivery in taken}
        self._hold_due = time.monotonic() + self._claim_after_ms / 3000
        return taken

    async def _hold(self) -> None:
        """Keeps what is still to be counted of a long batch from being taken over meanwhile."""
        if not self._unsettled or time.monotonic() < self._hold_due:
            return
        async with faults(), self._client.pipeline(transaction=False) as pipe:
            for shard, identity in self._unsettled:
                pipe.xclaim(keys.finished(shard), GROUP, self._consumer, 0, [identity], justid=True)
            await pipe.execute()
        self._hold_due = time.monotonic() + self._claim_after_ms / 3000

    async def _join(self) -> None:
        """Makes the group in every shard, where it isn't yet, from the beginning: what ended before us counts too."""
        async with self._client.pipeline(transaction=False) as pipe:
            for stream in _STREAMS:
                pipe.xgroup_create(stream, GROUP, id="0", mkstream=True)
            for answer in await pipe.execute(raise_on_error=False):
                if isinstance(answer, Exception) and not str(answer).startswith("BUSYGROUP"):
                    raise answer
        self._joined = True

    async def _read(self, after: str, count: int, block: int | None) -> list[Delivery]:
        found = await read_group(
            self._reader, GROUP, self._consumer, tuple(_STREAMS), after=after, count=count, wait_ms=block
        )
        return await self._deliveries((_STREAMS[name], entries) for name, entries in found)

    async def _claim(self) -> list[Delivery]:
        async with self._client.pipeline(transaction=False) as pipe:
            for stream in _STREAMS:
                pipe.xautoclaim(stream, GROUP, self._consumer, self._claim_after_ms, count=_BATCH)
            claimed = await pipe.execute()
        return await self._deliveries((shard, answer[1]) for shard, answer in enumerate(claimed))

    async def _deliveries(self, found: Iterable[tuple[int, _Entries]]) -> list[Delivery]:
        deliveries = []
        for shard, entries in found:
            for identity, fields in entries:
                if identity is None:
                    # How Redis 6.2 shows an entry that is claimed and was removed.
                    continue
                if not fields:
                    # Another scorer settled and removed it after it had been delivered to this one.
                    await self._client.xack(keys.finished(shard), GROUP, identity)
                    continue
                deliveries.append(_delivery(shard, identity.decode(), fields))
        return deliveries


def _delivery(shard: int, identity: str, fields: dict[bytes, bytes]) -> Delivery:
    texts = tuple((k.decode("utf-8", "replace"), v.decode("utf-8", "replace")) for k, v in fields.items())
    try:
        finished: Finished | BadEntry = Finished.parse(fields)
    except BadEntry as bad:
        finished = bad
    return Delivery(Entry(shard, identity, texts), finished)
