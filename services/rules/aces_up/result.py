"""How a game of Aces Up has ended, by its cards alone.

>>> from services.rules.aces_up.state import State
>>> lost = State.decode("2SAS|AH|AD|AC|")
>>> print(result(lost, AcesUpOptions(7)), result(lost, AcesUpOptions(7, practice=True)))
lost None
"""

from __future__ import annotations

from services.rules.aces_up.events import AcesEndWhy
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.outcome import Outcome, outcome
from services.rules.aces_up.state import State


def result(state: State, options: AcesUpOptions) -> AcesEndWhy | None:
    """Won or lost (AU-5); None while it goes on. A game for practice is never lost, since steps can be taken back."""
    match outcome(state):
        case Outcome.WON:
            return AcesEndWhy.WON
        case Outcome.LOST if not options.practice:
            return AcesEndWhy.LOST
        case _:
            return None
