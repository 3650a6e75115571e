"""Where counting begins and ends: the finished streams, the database, and what passes between them.

Knows neither Redis nor SQL; ``redis_finished`` and ``ledger`` are what stands behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from services.scoring.aces_up.records import Game
from services.scoring.finished import BadEntry, Finished
from services.scoring.letters import Letter
from services.scoring.records import HandSheet
from services.scoring.result import Result

Sheet = HandSheet | Game
"""What a finished hand becomes, or a game of Aces Up."""


class Refused(ValueError):
    """The database will never take these values: trying again is pointless."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Where an entry of a finished stream stands, and what it says, for a dead letter. The id is Redis' own."""

    shard: int
    id: str
    fields: tuple[tuple[str, str], ...]

    @property
    def at_ms(self) -> int:
        """When the hand ended, ms since 1970: streams number their entries by time."""
        return self.order[0]

    @property
    def order(self) -> tuple[int, int]:
        """Entries of one stream by age."""
        milliseconds, _, number = self.id.partition("-")
        return int(milliseconds), int(number)


@dataclass(frozen=True, slots=True)
class Known:
    """What the database knows of a hand. ``result`` None: it is not counted.

    ``same`` is whether the counted hand had the same range of events, ``follows`` whether the hand before it is counted
    (or it is the first).
    """

    result: Result | None
    same: bool
    follows: bool


@dataclass(frozen=True, slots=True)
class Counted:
    """A hand's result, and what this call did.

    ``fresh``: it counted the hand; then ``letter`` is the dead letter that was kept with it, and ``ended_match`` says
    whether it ended the match.
    """

    result: Result
    fresh: bool
    letter: Letter | None = None
    ended_match: bool = False


@dataclass(frozen=True, slots=True)
class Delivery:
    """An entry that was delivered to this scorer: to be settled, or else it comes again."""

    entry: Entry
    finished: Finished | BadEntry


class Inbox(Protocol):
    """The finished streams. Every method raises ``Unavailable``; an entry that was taken then comes again."""

    async def take(self) -> Sequence[Delivery]:
        """The next entries, those first that this scorer left unsettled. Waits for about a second; may be empty."""
        ...

    async def log(self, finished: Finished) -> list[bytes]:
        """The hand's events as far as they are there."""
        ...

    async def seats(self, finished: Finished) -> int:
        """How many seats the table has; 0 if that isn't known."""
        ...

    async def earlier(self, entry: Entry, finished: Finished) -> bool:
        """Whether a hand of the same match that ended before is not settled yet."""
        ...

    async def settle(self, entry: Entry, finished: Finished, result: Result) -> None:
        """Publishes the result, then acknowledges the entry and removes it."""
        ...

    async def discard(self, entry: Entry) -> None:
        """Acknowledges the entry and removes it; there is nobody to tell."""
        ...


class Books(Protocol):
    """The database. Every method raises ``Unavailable`` with nothing changed."""

    async def known(self, finished: Finished) -> Known:
        """What is known of a hand before it is counted."""
        ...

    async def count(
        self, entry: Entry, finished: Finished, sheet: Sheet, log: Sequence[bytes], letter: Letter | None = None
    ) -> Counted:
        """Counts a hand or game, if that was not done before. May raise :class:`Refused`."""
        ...

    async def bury(self, entry: Entry, letter: Letter) -> None:
        """Keeps a dead letter alone."""
        ...
