"""What bots are called: a plant, so that nobody takes one for a person. Names need not be unique."""

from __future__ import annotations

import random
from typing import Final

_PLANTS: Final = (
    *("Acacia", "Alder", "Aspen", "Bamboo", "Birch", "Bracken", "Cedar", "Clover", "Cypress", "Elder"),
    *("Fennel", "Fern", "Fir", "Gorse", "Hawthorn", "Hazel", "Heather", "Hemlock", "Hornbeam", "Juniper"),
    *("Larch", "Laurel", "Lichen", "Linden", "Lupin", "Mallow", "Maple", "Moss", "Mulberry", "Myrtle"),
    *("Nettle", "Oak", "Osier", "Palm", "Pine", "Poplar", "Quince", "Reed", "Rowan", "Rush"),
    *("Saffron", "Sedge", "Sorrel", "Spruce", "Sycamore", "Tamarisk", "Thistle", "Thyme", "Willow", "Yew"),
)


def bot_name(luck: random.Random) -> str:
    """A name for a bot."""
    return f"Bot {luck.choice(_PLANTS)}"
