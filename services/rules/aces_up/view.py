"""What everybody may see of a game of Aces Up: the piles, all face up, and how many cards are to come.

>>> from services.rules.aces_up.deal import deal
>>> game = View.of(deal(1), AcesUpOptions(1))
>>> game.tops, game.stock_count
((8D, 3H, AD, AS), 48)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from services.rules.aces_up import steps
from services.rules.aces_up.events import AcesDealt, CardRemoved, GapFilled, Redone, RowDealt, Undone
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.state import State
from services.rules.aces_up.steps import PILES, Piles
from services.rules.cards import DECK, Card, card
from services.rules.event import Event
from services.rules.layout import Pile


@dataclass(frozen=True, slots=True)
class View:
    """The public state of a game. ``undoable`` and ``redoable`` steps there are in practice only."""

    options: AcesUpOptions
    piles: Piles
    stock_count: int
    undoable: int = 0
    redoable: int = 0

    @classmethod
    def of(cls, state: State, options: AcesUpOptions) -> View:
        """What may be seen of a state."""
        return cls(options, state.piles, state.stock_count, state.undoable, state.redoable)

    @classmethod
    def from_snapshot(cls, snapshot: Mapping[str, Any]) -> View:
        """The view that a snapshot frame holds (docs/protocol.md). Raises KeyError, TypeError or ValueError."""
        piles = _four(tuple(tuple(map(card, pile)) for pile in snapshot["piles"]))
        options = AcesUpOptions.from_mapping(snapshot["options"])
        return cls(options, piles, snapshot["stock"], snapshot["undoable"], snapshot["redoable"])

    @classmethod
    def dealt(cls, event: AcesDealt) -> View:
        """The beginning of a game."""
        p0, p1, p2, p3 = ((card,) for card in event.cards)
        return cls(event.options, (p0, p1, p2, p3), event.stock)

    @property
    def tops(self) -> tuple[Card | None, ...]:
        """The available card of each pile; None in a gap."""
        return tuple([pile[-1] if pile else None for pile in self.piles])

    @property
    def removed_count(self) -> int:
        """How many cards were removed."""
        return len(DECK) - self.stock_count - sum(map(len, self.piles))

    def apply(self, event: Event) -> View:
        """The view one event later; events that change no card leave it as it is.

        Raises ValueError for an event that can't have happened there.
        """
        match event:
            case RowDealt(cards=cards, removed=removed):
                return self._stepped(steps.forward(self.piles, cards[::-1], steps.ROW)[0], removed, len(cards))
            case CardRemoved(pile=pile, card=card, removed=removed):
                return self._stepped(steps.forward(self.piles, (), steps.removed(pile, card))[0], removed)
            case GapFilled(source=source, to=to, removed=removed):
                return self._stepped(steps.forward(self.piles, (), steps.filled(source, to))[0], removed)
            case Undone(piles=piles, stock=stock):
                return View(self.options, _four(piles), stock, self.undoable - 1, self.redoable + 1)
            case Redone(piles=piles, stock=stock):
                return View(self.options, _four(piles), stock, self.undoable + 1, self.redoable - 1)
            case _:
                return self

    def _stepped(self, piles: Piles, removed: tuple[Card, ...], dealt: int = 0) -> View:
        for gone in removed:
            pile = next((i for i in range(PILES) if piles[i][-1:] == (gone,)), 0)
            piles, _ = steps.forward(piles, (), steps.removed(pile, gone))
        undoable = min(self.undoable + 1, steps.KEPT) if self.options.practice else 0
        return View(self.options, piles, self.stock_count - dealt, undoable)


def _four(piles: tuple[Pile, ...]) -> Piles:
    p0, p1, p2, p3 = piles
    return p0, p1, p2, p3
