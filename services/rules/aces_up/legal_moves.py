"""Every action that a player of Aces Up may take now. Works on a state, or on what anybody sees of it (``view``).

>>> from services.rules.aces_up.state import State
>>> for action in legal_moves(State.decode("7S|3CJS|5H||AS2S3S4S")):
...     print(action)
Remove(pile=0, card=7S)
Fill(source=0, card=7S, to=3)
Fill(source=1, card=JS, to=3)
Fill(source=2, card=5H, to=3)
Row(stock=4)
GiveUp()
"""

from __future__ import annotations

from typing import Protocol

from services.rules.aces_up.moves import Action, Fill, GiveUp, Redo, Remove, Row, Undo, removable
from services.rules.aces_up.steps import Piles
from services.rules.cards import Card


class Sight(Protocol):
    """What decides what is legal: nothing of it is hidden."""

    @property
    def piles(self) -> Piles:
        """All face up, the top last."""

    @property
    def tops(self) -> tuple[Card | None, ...]:
        """The top of each pile, None in a gap."""

    @property
    def stock_count(self) -> int:
        """How many cards are in the stock."""

    @property
    def undoable(self) -> int:
        """How many steps can be taken back: none but in practice."""

    @property
    def redoable(self) -> int:
        """How many steps can be made again."""


def legal_moves(state: Sight) -> list[Action]:
    """All legal actions of a game that isn't over: removals, moves into gaps, the row, undo and redo, giving up."""
    tops = state.tops
    lying = [(i, top) for i, top in enumerate(tops) if top is not None]
    gaps = [i for i, top in enumerate(tops) if top is None]
    actions: list[Action] = [Remove(i, top) for i, top in lying if removable(tops, top)]
    actions += [Fill(i, top, gap) for gap in gaps for i, top in lying]
    if state.stock_count:
        actions.append(Row(state.stock_count))
    if state.undoable:
        actions.append(Undo())
    if state.redoable:
        actions.append(Redo())
    actions.append(GiveUp())
    return actions
