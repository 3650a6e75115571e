"""Cards: rank, suit, colour. Knows nothing of who holds them.

The 52 cards are interned: there is one object for each, so cards compare by identity.

>>> card("KD").rank, card("KD").suit, card("KD").red
(13, 'D', True)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SUITS: Final = "CDHS"
RANKS: Final = "A23456789TJQK"
ACE: Final = 1
KING: Final = 13


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One of the 52 cards; get it with :func:`card`, never by construction.

    ``rank`` is 1 (ace, low: RD-1) to 13 (king), ``suit`` one of ``CDHS``, ``text`` rank and suit ("TS").
    """

    rank: int
    suit: str
    red: bool
    text: str

    def __repr__(self) -> str:
        return self.text

    __str__ = __repr__

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return card, (self.text,)


_BY_TEXT: Final = {
    r + s: Card(rank=i, suit=s, red=s in "DH", text=r + s) for s in SUITS for i, r in enumerate(RANKS, start=1)
}

DECK: Final[tuple[Card, ...]] = tuple(_BY_TEXT.values())
"""All 52, clubs, diamonds, hearts, spades, each from ace to king: the order before a shuffle."""


class UnknownCard(ValueError):
    """The text names no card."""


def card(text: str) -> Card:
    """The card that ``text`` names, such as "AS" or "TD". Raises :class:`UnknownCard`."""
    try:
        return _BY_TEXT[text]
    except (KeyError, TypeError):
        raise UnknownCard(f"no such card: {text!r}") from None


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text of two characters a card, with or without blanks: "AS KD" or "ASKD"."""
    packed = text.replace(" ", "")
    return tuple(card(packed[i : i + 2]) for i in range(0, len(packed), 2))


def builds_down(lower: Card, upper: Card) -> bool:
    """Whether ``lower`` may lie on ``upper`` in a column: one less, the other colour (RD-4)."""
    return lower.rank == upper.rank - 1 and lower.red is not upper.red
