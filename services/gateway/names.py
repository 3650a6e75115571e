"""Which names a guest may have. Knows nothing of who has them: names need not be unique.

>>> clean("  Ada ")
'Ada'
"""

from __future__ import annotations

import unicodedata
from typing import Final

LONGEST: Final = 20
"""Visible characters (a letter with its marks is one)."""
_MOST_MARKS: Final = 3
"""Combining marks on one character; more are only there to deface the page."""
_RESERVED: Final = frozenset(["system", "admin", "administrator", "moderator", "server", "referee", "pandemonium"])
# Hangul fillers and the blank braille pattern are letters or symbols to Unicode, and nothing to the eye.
_INVISIBLE: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")
# Letters of other scripts, and digits, that pass for a Latin one. Not complete: enough for the reserved words.
_LOOKS_LIKE: Final = str.maketrans(
    "аеорсухіјѕһԁмквнтгпαορυνιτκμηεσѵԛԝӏıłøđ0134578$|",  # noqa: RUF001
    "aeopcyxijshdmkbhtrnaopyvitkmneovqwlilodoieastbsi",
)


class BadName(ValueError):
    """Nobody may be called that; the message says why."""


def clean(name: str) -> str:
    """The name in NFKC without surrounding blanks. Raises :class:`BadName`."""
    if len(name) > 200:
        raise BadName("longer than 20 characters")
    text = unicodedata.normalize("NFKC", name).strip()
    visible = marks = 0
    for character in text:
        category = unicodedata.category(character)
        if category[0] == "C" or category in ("Zl", "Zp") or character in _INVISIBLE:
            raise BadName("has characters that cannot be seen")
        if category in ("Mn", "Me", "Mc"):
            marks += 1
            if marks > _MOST_MARKS or not visible:
                raise BadName("has combining marks on their own or piled up")
        else:
            marks = 0
            visible += 1
    if not any(unicodedata.category(character)[0] in "LNPS" for character in text):
        raise BadName("has nothing that can be seen")
    if visible > LONGEST:
        raise BadName("longer than 20 characters")
    if skeleton(text) in _RESERVED:
        raise BadName("is reserved")
    return text


def skeleton(name: str) -> str:
    """What a name looks like at a glance: no marks, no case, no blanks or punctuation, look-alikes as Latin letters."""
    bare = (c for c in unicodedata.normalize("NFKD", name.casefold()) if unicodedata.category(c)[0] in "LNS")
    return "".join(bare).translate(_LOOKS_LIKE)
