"""Whether a table is stuck, and what follows from it (RD-10). Pure, but may take long: see :func:`heavy`."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

from services.engine.port import State
from services.rules import blocked
from services.rules.agreement import agreement
from services.rules.events import EndWhy, ShiftWhy
from services.rules.foundation import Foundation
from services.rules.hand import Phase
from services.rules.layout import Layout
from services.rules.moves import Choice
from services.rules.options import Options

ABSENT_MS: Final = 60_000
"""A seat that has been away for so long has no say any more."""
IDLE_LOOKS: Final = 6
"""A table without progress for so many looks, the last of them after 18 s, is asked what to do."""
ASK: Final = "ask"
Remedy = ShiftWhy | EndWhy | Literal["ask"]
FEW_CARDS: Final = 16
"""Columns with so few cards in all are searched within a millisecond."""


def absent(state: State) -> tuple[int, ...]:
    """The seats that have no say: away for too long, or left for good."""
    return tuple(sorted(seat for seat, since in state.away.items() if since == 0 or state.now - since >= ABSENT_MS))


def heavy(state: State) -> bool:
    """Whether :func:`resolve` may have to search many arrangements of columns, and so belongs off the event loop.

    That is so for a seat whose demon is empty, or whose columns are long.
    """
    return any(not layout.demon or sum(map(len, layout.columns)) > FEW_CARDS for layout in state.hand.layouts)


def resolve(state: State) -> Remedy | None:
    """What is to be done now, if anything. A table where nobody is present is left to the lobby."""
    hand, away = state.hand, absent(state)
    if hand.phase is not Phase.PLAYING or len(away) == len(hand.seats):
        return None
    agreed = agreement(hand.votes, away)
    if agreed is Choice.REPLAY:
        return EndWhy.DISPUTED
    present = tuple(layout for seat, layout in enumerate(hand.layouts) if seat not in away)
    stuck = all(_blocked(layout, hand.foundations, hand.options) for layout in present)
    # What is proven needs no vote, and the log keeps the proof.
    if stuck and blocked.dead(present, hand.foundations, hand.options):
        return EndWhy.BLOCKED if hand.options.stuck == "end" else EndWhy.DEAD
    if agreed is Choice.END:
        return EndWhy.AGREED
    if stuck:
        return ShiftWhy.BLOCKED
    if agreed is Choice.SHIFT:
        return ShiftWhy.AGREED
    return ASK if state.looks >= IDLE_LOOKS and not hand.asked else None


@lru_cache(maxsize=1024)
def _blocked(layout: Layout, foundations: tuple[Foundation, ...], options: Options) -> bool:
    """Remembered, for a stuck table is looked at again and again. An entry takes about 5 KiB."""
    return blocked.seat_blocked(layout, foundations, options)
