"""A seat's own layout: demon, four columns, stock, waste (RD-2). Knows nothing of foundations or other seats.

In every pile the first card is the bottom one, the last is on top (in a column: exposed).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from services.rules.cards import Card, cards

Pile = tuple[Card, ...]

COLUMNS: Final = 4


@dataclass(frozen=True, slots=True)
class Layout:
    """All cards of one seat that are not on a foundation."""

    demon: Pile
    columns: tuple[Pile, Pile, Pile, Pile]
    stock: Pile
    waste: Pile

    def __len__(self) -> int:
        """How many cards lie here: 52 less those on the foundations (RD-14)."""
        return len(self.demon) + len(self.stock) + len(self.waste) + sum(map(len, self.columns))

    @property
    def demon_top(self) -> Card | None:
        """The demon's open card."""
        return self.demon[-1] if self.demon else None

    @property
    def waste_top(self) -> Card | None:
        """The waste's only available card (RD-9)."""
        return self.waste[-1] if self.waste else None

    @property
    def stock_count(self) -> int:
        """How many cards are in the stock: all that anybody sees of it."""
        return len(self.stock)

    def encode(self) -> str:
        """The layout as text, equal exactly when the layouts are: ``demon|c0|c1|c2|c3|stock|waste``."""
        piles = (self.demon, *self.columns, self.stock, self.waste)
        return "|".join(["".join([c.text for c in pile]) for pile in piles])

    @classmethod
    def decode(cls, text: str) -> Layout:
        """The inverse of :meth:`encode`. Raises ValueError for other texts."""
        piles = text.split("|")
        if len(piles) != COLUMNS + 3:
            raise ValueError(f"not a layout: {text!r}")
        demon, c0, c1, c2, c3, stock, waste = map(cards, piles)
        return cls(demon, (c0, c1, c2, c3), stock, waste)


def deal(deck: Pile, demon_size: int = 13) -> Layout:
    """Lays a shuffled deck of 52 out (RD-2).

    Its first cards are the demon, bottom first; then four columns; the rest is the stock, whose top is the last card.
    """
    d = demon_size
    c0, c1, c2, c3 = ((c,) for c in deck[d : d + COLUMNS])
    return Layout(demon=deck[:d], columns=(c0, c1, c2, c3), stock=deck[d + COLUMNS :], waste=())
