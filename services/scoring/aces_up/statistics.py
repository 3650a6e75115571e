"""A player's figures, added up from the games in the books whenever somebody asks. Pure.

Of each deal the first attempt counts: whoever knows the cards could win any deal that can be won. So nothing is added
up when a game is counted, and neither the order in which games are counted nor a redelivery can make a figure wrong.

>>> statistics([Attempt(1, won=False, removed=30), Attempt(1, won=True, removed=48), Attempt(2, won=True, removed=48)])
Statistics(played=2, won=1, streak=1, longest_streak=1, removed=78, best=48)
"""

from __future__ import annotations

from collections.abc import Iterable

from services.scoring.aces_up.records import Attempt, Statistics


def statistics(attempts: Iterable[Attempt]) -> Statistics:
    """The figures over games that were played and not for practice, in the order in which they began."""
    known: set[int] = set()
    won = streak = longest = removed = best = 0
    for attempt in attempts:
        if attempt.number in known:
            continue
        known.add(attempt.number)
        won += attempt.won
        streak = streak + 1 if attempt.won else 0
        longest = max(longest, streak)
        removed += attempt.removed
        best = max(best, attempt.removed)
    return Statistics(len(known), won, streak, longest, removed, best)
