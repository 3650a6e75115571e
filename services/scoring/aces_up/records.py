"""What is kept and told of games of Aces Up. Values only; knows no database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from services.rules.aces_up.events import AcesEndWhy
from services.scoring.result import Result

WON: Final = AcesEndWhy.WON.value
VOID: Final = AcesEndWhy.VOID.value


@dataclass(frozen=True, slots=True)
class Game:
    """One game. Instants are in ms since 1970; ``player`` is "" and ``number`` 0 where a damaged log doesn't tell them.

    ``played``: it is not void, and its player did something else than give up. A deal that was not touched is no game.
    """

    hand: int
    player: str
    number: int
    practice: bool
    auto_remove: bool
    why: str
    played: bool
    removed: int
    started_ms: int
    ended_ms: int
    digest: str = ""

    @property
    def won(self) -> bool:
        """Whether the four aces alone were left."""
        return self.why == WON

    @property
    def result(self) -> Result:
        """What the table is told: it is over, and perhaps won. There are no points."""
        return Result((0,), (0,), True, (0,) if self.won else (), counts=self.why != VOID)


@dataclass(frozen=True, slots=True)
class Kept:
    """A game in the books. ``counts``: it is the one of its deal that counts for its player."""

    match: str
    table: str
    game: Game
    counts: bool


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the statistics need of a game."""

    number: int
    won: bool
    removed: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """A player's figures. ``removed`` are cards in all games, ``best`` those in the best one."""

    played: int = 0
    won: int = 0
    streak: int = 0
    longest_streak: int = 0
    removed: int = 0
    best: int = 0
