"""What a hand is worth (RD-12) and when a match is over (RD-13). Knows nothing of how the cards got there.

>>> match_result([104, 96, 104], hands_played=4, options=Options())
MatchResult(over=True, winners=(0, 2))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from services.rules.foundation import Foundation
from services.rules.layout import Layout
from services.rules.options import Options

LAST_HAND: Final = 50
"""A match ends after this many hands, whatever the totals (RD-13)."""


@dataclass(frozen=True, slots=True)
class SeatScore:
    """One seat's sheet: own cards on foundations, cards left in the demon, points."""

    seat: int
    foundation: int
    demon: int
    points: int


class MatchResult(NamedTuple):
    """Whether the match is over, and then who won: equal highest totals share the victory (RD-13)."""

    over: bool
    winners: tuple[int, ...]


def score_hand(
    layouts: Sequence[Layout],
    foundations: Collection[Foundation],
    callers: Collection[int],
    options: Options,
) -> tuple[SeatScore, ...]:
    """Each seat's score (RD-12): one per own card on a foundation, less the penalty for each card left in the demon.

    Who called has an empty demon, and gets no more than the option ``out_bonus``.
    """
    landed = Counter(seat for f in foundations for slot in f.slots for seat in slot.seats)
    return tuple(
        SeatScore(
            seat=seat,
            foundation=landed[seat],
            demon=len(layout.demon),
            points=landed[seat]
            - options.demon_penalty * len(layout.demon)
            + (options.out_bonus if seat in callers else 0),
        )
        for seat, layout in enumerate(layouts)
    )


def match_result(totals: Sequence[int], hands_played: int, options: Options) -> MatchResult:
    """Whether somebody has reached the target after counting, or the last hand was played; ``totals`` by seat."""
    highest = max(totals)
    if highest < options.target and hands_played < LAST_HAND:
        return MatchResult(False, ())
    return MatchResult(True, tuple(seat for seat, total in enumerate(totals) if total == highest))
