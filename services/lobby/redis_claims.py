"""A player sits at one table at a time: the player's own key says at which, and is claimed before the seat.

A claim is *pending* for a few seconds, until its seat is taken; then it is *held* for an hour and renewed. A lobby that
dies between the two steps leaves a pending claim, which ends by itself. A held claim whose table does not seat the
player is stale, and whoever finds it releases it. The value is always just the table, and the time it has left tells
the two kinds apart: a held claim is renewed long before it could be mistaken for a pending one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from redis.asyncio import Redis

from services.lobby.redis_gate import Gate
from services.lobby.redis_hold import HOLD, RELEASE
from services.lobby.table import PlayerId, TableId
from services.runtime import keys
from services.runtime.redis import Script

# Claims the key if it is free. Answers with the table that has it, and how long still (ms).
_TAKE: Final = Script("""
redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}
""")

_OF: Final = Script("return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}")


@dataclass(frozen=True, slots=True)
class Claim:
    """Which table has the player, and whether its seat is still to be taken."""

    table: TableId
    pending: bool


class Claims:
    """The players' claims. Raises ``Unavailable`` when Redis is."""

    def __init__(self, client: Redis, gate: Gate, pending_ms: int, held_ms: int) -> None:
        self._redis = client
        self._gate = gate
        self._pending_ms = pending_ms
        self._held_ms = held_ms

    async def take(self, player: PlayerId, table: TableId) -> Claim:
        """Claims the player for the table, if free. The claim that stands then: this one, or another."""
        async with self._gate():
            holder, left = await _TAKE(self._redis, [keys.player_seat(player)], [table, self._pending_ms])
        return self._claim(holder, left)

    async def of(self, player: PlayerId) -> Claim | None:
        """The player's claim, if there is one."""
        async with self._gate():
            holder, left = await _OF(self._redis, [keys.player_seat(player)])
        return self._claim(holder, left) if holder else None

    async def hold(self, player: PlayerId, table: TableId) -> bool:
        """Holds the claim: the seat is taken. False if another table has the player."""
        async with self._gate():
            return bool(await HOLD(self._redis, [keys.player_seat(player)], [table, self._held_ms]))

    async def release(self, player: PlayerId, table: TableId) -> None:
        """Gives the player free, if it is this table that has it."""
        async with self._gate():
            await RELEASE(self._redis, [keys.player_seat(player)], [table])

    def _claim(self, holder: bytes, left_ms: int) -> Claim:
        return Claim(TableId(holder.decode()), left_ms <= self._pending_ms)
