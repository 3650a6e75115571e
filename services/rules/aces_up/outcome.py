"""How a game of Aces Up stands: won, lost, or still to be played (AU-5).

>>> for text in ("AS|AH|AD|AC|", "ASAH||AD|AC|", "2SAS|AH|AD|AC|"):
...     print(outcome(State.decode(text)))
won
playing
lost
"""

from __future__ import annotations

from enum import StrEnum

from services.rules.aces_up.moves import removable
from services.rules.aces_up.state import State
from services.rules.aces_up.steps import Piles, filled, forward
from services.rules.cards import ACE


class Outcome(StrEnum):
    """How a game stands."""

    PLAYING = "playing"
    WON = "won"
    LOST = "lost"


def outcome(state: State) -> Outcome:
    """AU-5: won are the four aces alone, one on each pile.

    Lost is a game with an empty stock whose moves into gaps lead neither to another removal nor to the four aces. (In
    practice such a game goes on, since steps can be taken back.)
    """
    if state.stock:
        return Outcome.PLAYING
    if _won(state.piles):
        return Outcome.WON
    # Tops of one suit can be removed, so there is little to search: at most four tops, all of different suits.
    known, waiting = {state.piles}, [state.piles]
    while waiting:
        piles = waiting.pop()
        tops = [pile[-1] if pile else None for pile in piles]
        if _won(piles) or any(top is not None and removable(tops, top) for top in tops):
            return Outcome.PLAYING
        for gap, source in ((g, s) for g in range(len(piles)) for s in range(len(piles)) if not piles[g] and piles[s]):
            moved, _ = forward(piles, (), filled(source, gap))
            if moved not in known:
                known.add(moved)
                waiting.append(moved)
    return Outcome.LOST


def _won(piles: Piles) -> bool:
    return all(len(pile) == 1 and pile[0].rank == ACE for pile in piles)
