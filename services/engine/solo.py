"""How a game of Aces Up ends (AU-5)."""

from __future__ import annotations

from services.engine.port import State
from services.rules.aces_up.deal import deal
from services.rules.aces_up.events import AcesEndWhy
from services.rules.aces_up.result import result
from services.rules.events import EndWhy


def ended(state: State) -> AcesEndWhy:
    """Why a game that its last action closed is over: by its cards, or else its player gave it up."""
    assert state.solo is not None
    return result(state.solo.state, state.solo.options) or AcesEndWhy.GIVEN_UP


def abandoned(state: State) -> EndWhy | AcesEndWhy:
    """What becomes of a hand or game that is ended from outside. A game counts only if it was touched."""
    if state.solo is None:
        return EndWhy.VOID
    touched = state.solo.state != deal(state.solo.options.number)
    return ended(state) if touched else AcesEndWhy.VOID
