"""What hints say: every key, with its sentence in English. Whoever speaks another language translates this table.

>>> sentence("hint.demon_to_column", {"card": "TS", "onto": "JH", "to": "c2"}, Options())
'Put the 10♠ from your demon on the J♥ in column 3.'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from services.rules.moves import COLUMN
from services.rules.options import Options
from services.rules.words import words

TEXTS: Final[dict[str, str]] = {
    "hint.ace_to_foundation": "Put the {card} from {from} in the middle: an ace opens a foundation.",
    "hint.demon_to_foundation": "Put the {card} from your {pile} on foundation {foundation}.",
    "hint.waste_to_foundation": "Put the {card} from your waste on foundation {foundation}.",
    "hint.column_to_foundation": "Put the {card} from {from} on foundation {foundation}.",
    "hint.demon_to_column": "Put the {card} from your {pile} on the {onto} in {to}.",
    "hint.demon_to_gap": "Put the {card} from your {pile} into the gap, {to}.",
    "hint.column_for_gap": "Move all of {from} onto the {onto} in {to}: that leaves a gap for your {pile}.",
    "hint.tail_uncovers": "Move the {card} from {from} onto the {onto} in {to}: the {uncovers} under it goes up.",
    "hint.tail_leads_on": "Move the {card} from {from} onto the {onto} in {to}: that opens a way.",
    "hint.waste_helps_demon": "Put the {card} from your waste on the {onto} in {to}: your {pile}'s {demon} follows.",
    "hint.waste_to_column": "Put the {card} from your waste on the {onto} in {to}.",
    "hint.waste_to_gap": "Put the {card} from your waste into the gap, {to}.",
    "hint.turn": "Nothing to do but turn your stock; the next packet has {count}.",
    "hint.recycle": "Nothing to do but turn your waste over; it has {count}.",
    "hint.call": 'Call "{call}" now.',
    "hint.vote_shift": "You are stuck: vote for a shift of all stocks.",
    "hint.vote_end": "You are stuck: vote to end the hand.",
    "hint.wait": "You are stuck and have voted: wait for the others.",
    "hint.not_playing": "Nothing can be moved now.",
}
"""By key. In braces are the hint's arguments, and the table's own words: ``{pile}`` for the demon, ``{call}``."""

_SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_CARDS: Final = frozenset(["card", "onto", "demon", "uncovers"])
_PLACES: Final = frozenset(["from", "to"])


def sentence(key: str, args: Mapping[str, str | int], options: Options) -> str:
    """The hint in English. Columns and foundations are counted from 1. Raises KeyError for an unknown key."""
    call, pile = words(options)
    said = {name: _said(name, value, pile) for name, value in args.items()}
    return TEXTS[key].format_map(said | {"call": call, "pile": pile})


def _said(name: str, value: str | int, pile: str) -> str:
    if isinstance(value, int):
        return str(value + (name == "foundation"))
    if name in _CARDS:
        return value[0].replace("T", "10") + _SUITS[value[1]]
    if name in _PLACES and value in COLUMN:
        return f"column {COLUMN.index(value) + 1}"
    return f"your {pile if value == 'demon' else value}"
