"""What a hand is worth (RD-12) and when a match is over (RD-13). Knows nothing of how the cards got there.

>>> match_result([(60, 51, 40), (104, 96, 104)], Options())
MatchResult(over=True, winners=(0, 2), playoff=False)
>>> match_result([(60, 51, 40), (104, 96, 104)], Options(match_end="playoff"))
MatchResult(over=False, winners=(), playoff=True)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from services.rules.foundation import Foundation
from services.rules.layout import Layout
from services.rules.options import Options
from services.rules.teams import team_totals, teams

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
    """Whether the match is over, and then the seats that won: equal highest totals share the victory (RD-13).

    ``playoff``: the next hand is the one that decides.
    """

    over: bool
    winners: tuple[int, ...]
    playoff: bool = False


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


def match_result(totals: Sequence[Sequence[int]], options: Options) -> MatchResult:
    """Whether the match is over (RD-13). ``totals`` are those by seat after each hand that was counted, in order.

    It is decided by the first hand after which a team has reached the target, or by the last one of a fixed number.
    With ``match_end`` playoff, several teams that reached the target (or, after the last hand, share the lead) in that
    hand play one more, with everyone else at the table; after it the highest total wins. Nothing goes beyond hand 50.
    """
    by_team = [team_totals(after, options) for after in totals]
    decided = next((i for i, points in enumerate(by_team) if _deciding(points, i + 1, options)), None)
    if decided is None and len(totals) < LAST_HAND:
        return MatchResult(False, ())
    if (
        decided == len(totals) - 1 < LAST_HAND - 1
        and options.match_end == "playoff"
        and len(_deciding(by_team[decided], len(totals), options)) > 1
    ):
        return MatchResult(False, (), playoff=True)
    highest = max(by_team[-1])
    best = [
        team for team, points in zip(teams(len(totals[-1]), options), by_team[-1], strict=True) if points == highest
    ]
    return MatchResult(True, tuple(sorted(seat for team in best for seat in team)))


def _deciding(points: Sequence[int], hands: int, options: Options) -> list[int]:
    """The teams for whom ``hands`` hands are enough."""
    if options.hands:
        return [team for team, total in enumerate(points) if hands >= options.hands and total == max(points)]
    return [team for team, total in enumerate(points) if total >= options.target]
