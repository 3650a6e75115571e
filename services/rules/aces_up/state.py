"""The state of a game of Aces Up: four piles, the stock, and in practice the steps that can be taken back (AU-1).

In every pile the first card is the bottom one, the last is on top. Knows nothing of what is allowed.

>>> state = State.decode("AS2H|KD||3C|5C4D3HQS")
>>> state.tops, state.stock_count, state.removed_count
((2H, KD, None, 3C), 4, 44)
"""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.aces_up import steps
from services.rules.aces_up.steps import PILES, Piles, Step
from services.rules.cards import ACE, DECK, KING, Card, cards
from services.rules.layout import Pile


def strength(card: Card) -> int:
    """2 to 14: the ace is the highest of its suit (AU-1)."""
    return KING + 1 if card.rank == ACE else card.rank


@dataclass(frozen=True, slots=True)
class State:
    """All cards that were not removed. The stock's top is its last card.

    ``done`` are the steps that can be taken back, the last one last; ``undone`` those that can be made again, the next
    one last. Both are empty unless the game is for practice.
    """

    piles: Piles
    stock: Pile
    done: tuple[Step, ...] = ()
    undone: tuple[Step, ...] = ()

    @property
    def tops(self) -> tuple[Card | None, ...]:
        """The available card of each pile; None in a gap (AU-2)."""
        return tuple([pile[-1] if pile else None for pile in self.piles])

    @property
    def stock_count(self) -> int:
        """How many cards are in the stock: all that anybody sees of it."""
        return len(self.stock)

    @property
    def undoable(self) -> int:
        """How many steps can be taken back."""
        return len(self.done)

    @property
    def redoable(self) -> int:
        """How many steps can be made again."""
        return len(self.undone)

    @property
    def removed_count(self) -> int:
        """How many cards were removed: 48 in a game that is won (AU-5)."""
        return len(DECK) - len(self.stock) - sum(map(len, self.piles))

    def encode(self) -> str:
        """The state as text, equal exactly when the states are.

        ``p0|p1|p2|p3|stock``, and ``|done|undone`` if there are any such steps.
        """
        parts = ["".join([c.text for c in pile]) for pile in (*self.piles, self.stock)]
        if self.done or self.undone:
            parts += [".".join(self.done), ".".join(self.undone)]
        return "|".join(parts)

    @classmethod
    def decode(cls, text: str) -> State:
        """The inverse of :meth:`encode`. Raises ValueError for texts that it doesn't give."""
        parts = text.split("|")
        if len(parts) not in (PILES + 1, PILES + 3):
            raise ValueError(f"not a state: {text!r}")
        p0, p1, p2, p3, stock = map(cards, parts[: PILES + 1])
        done, undone = map(steps.split, parts[PILES + 1 :] or ("", ""))
        state = cls((p0, p1, p2, p3), stock, done, undone)
        lying = [card for pile in (*state.piles, stock) for card in pile]
        if len(set(lying)) != len(lying) or len(stock) % PILES or state.encode() != text:
            raise ValueError(f"not a state: {text!r}")
        return state


def laid_out(deck: Pile) -> State:
    """The beginning of a game: a card on each pile, the rest is the stock (AU-1).

    The deck's first four cards are the piles', each next four are a row, in the order of the piles. Raises ValueError
    for a deck that doesn't go up in rows of four.
    """
    if not deck or len(deck) % PILES:
        raise ValueError(f"{len(deck)} cards don't make rows of {PILES}")
    p0, p1, p2, p3 = ((card,) for card in deck[:PILES])
    return State((p0, p1, p2, p3), deck[: PILES - 1 : -1])
