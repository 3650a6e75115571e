"""What scoring keeps and tells: sheets of hands, matches, the leaderboard. Values only; knows no database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Points:
    """A seat's count in one hand (RD-12): own cards on the foundations, cards left in the demon, points."""

    foundation: int
    demon: int
    points: int


@dataclass(frozen=True, slots=True)
class SeatSheet:
    """One seat in one hand: who sat there for that hand, and what it made.

    ``told`` is what the ``end`` event said, if the recount came to something else.
    """

    seat: int
    player: str
    name: str
    bot: bool
    called: bool
    count: Points
    told: Points | None = None


@dataclass(frozen=True, slots=True)
class HandSheet:
    """One hand. Instants are in ms since 1970.

    ``counts`` is false for a hand whose points don't go into the totals: a void or disputed one, or one that came after
    its match had ended. ``digest`` is the last event's, "" if the log has none.
    """

    hand: int
    why: str
    seats: tuple[SeatSheet, ...]
    started_ms: int
    ended_ms: int
    options_json: str = ""
    digest: str = ""
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Match:
    """A match with the sheets of its hands, in order (or without any, in a list of matches)."""

    id: str
    table: str
    options_json: str
    started_ms: int
    over: bool
    winners: tuple[int, ...]
    hands: tuple[HandSheet, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Leader:
    """A person's place on the leaderboard. ``matches`` are finished ones."""

    player: str
    name: str
    matches: int
    won: int
    hands: int
    points_per_hand: float


def totals_after(hands: Sequence[HandSheet]) -> list[dict[int, int]]:
    """For each hand, in order, the total of every seat after it."""
    running: dict[int, int] = {}
    after = []
    for hand in hands:
        for sheet in hand.seats:
            running[sheet.seat] = running.get(sheet.seat, 0) + (sheet.count.points if hand.counts else 0)
        after.append(dict(running))
    return after
