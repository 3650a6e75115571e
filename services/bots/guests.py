"""The players that bots play as: guests of the edge, made when needed and used again and again."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from dataclasses import dataclass
from typing import Final

from services.bots import metrics
from services.bots.names import bot_name
from services.client import Client
from services.client.errors import ConnectionProblem, EdgeProblem, TooMany

_LATER_S: Final = (0.2, 0.5, 1.0, 2.0, 5.0)
"""How long to wait before asking the edge again; the last one again and again."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A signed-in player; ``client`` speaks to the edge in its name."""

    player: str
    name: str
    client: Client


class Guests:
    """Guests that have no seat now. They share the connections of ``edge``."""

    def __init__(self, edge: Client, luck: random.Random) -> None:
        self._edge = edge
        self._luck = luck
        self._free: deque[Guest] = deque()

    async def take(self) -> Guest:
        """A free guest, or a new one; waits while the edge makes none (it may limit them by the minute)."""
        failures = 0
        while not self._free:
            client = self._edge.signed_in("")
            try:
                made = await client.guest(bot_name(self._luck))
            except (ConnectionProblem, EdgeProblem, TooMany):
                await asyncio.sleep(_LATER_S[min(failures, len(_LATER_S) - 1)])
                failures += 1
            else:
                metrics.GUESTS.inc()
                return Guest(made.player, made.name, client)
        return self._free.popleft()

    def give_back(self, guest: Guest) -> None:
        """The guest has no seat any more and may take another."""
        self._free.append(guest)

    def forget(self, guest: Guest) -> None:
        """The guest is of no more use: its session is gone, or it sits where it should not."""
        metrics.GUESTS.dec()
