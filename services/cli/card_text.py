"""Cards as people write them."""

from __future__ import annotations

from typing import Final

from services.rules.cards import Card

SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def shown(card: Card) -> str:
    """A card as people write it: 10♥."""
    return card.text[0].replace("T", "10") + SUITS[card.suit]
