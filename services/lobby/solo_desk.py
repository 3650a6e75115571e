"""Where games of Aces Up are begun: a player has one at a time, and the next one ends it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from services.lobby import metrics, seating, solo
from services.lobby.driver import new_id
from services.lobby.redis_pause import Pause
from services.lobby.table import PlayerId, Table, TableId
from services.lobby.usher import Usher, elsewhere
from services.rules.aces_up.options import AcesUpOptions
from services.runtime.errors import Fault, Unavailable

_MOST_TRIES: Final = 20
"""How often another call of the same player may be quicker; each such time, that one got through."""


@dataclass(frozen=True, slots=True)
class SoloDesk:
    """Opens solo tables. Raises faults with the reasons of the contract."""

    usher: Usher
    pause: Pause

    async def play(self, player: PlayerId, name: str, options_json: str) -> Table:
        """Begins a game, and ends the one that the player has, if any.

        Raises ``BAD_OPTION``, ``ALREADY_SEATED``, ``CREATION_PAUSED``. Of two calls at once the later one's game is
        played, and the other's ended.
        """
        rules = solo.options(options_json)
        await self.pause.require_none()
        for _ in range(_MOST_TRIES):
            standing = await self.usher.standing(player)
            if standing is not None:
                await self._end(standing)
            try:
                begun = await self._begin(player, name, rules)
            except Fault as fault:
                if fault.reason != "ALREADY_SEATED":
                    raise
            else:
                metrics.SOLO_GAMES.inc()
                return begun
        raise Unavailable("CONTENDED", "too many requests of this player at once; try again")

    async def _end(self, standing: Table) -> None:
        if not standing.solo:
            raise elsewhere(standing.id)
        now_ms = self.usher.keeper.tables.now_ms()
        await self.usher.keeper.change(standing.id, lambda t: seating.close(t, now_ms))

    async def _begin(self, player: PlayerId, name: str, rules: AcesUpOptions) -> Table:
        keeper = self.usher.keeper
        now_ms = keeper.tables.now_ms()
        keep_at_ms = now_ms + keeper.timing.keep_ms
        table = solo.table(TableId(new_id()), player, name, rules, match=new_id(), now_ms=now_ms, keep_at_ms=keep_at_ms)
        return await self.usher.seat(player, table.id, lambda: keeper.open(table))
