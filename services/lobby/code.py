"""Short codes of tables: few characters, told by mouth and typed on a phone.

The alphabet is Crockford's base 32, in which nothing looks like anything else: whoever types I, L or O read a digit.

>>> read("7km-4qo")
'7KM4Q0'
"""

from __future__ import annotations

import secrets
from typing import Final

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH: Final = 6
"""A thousand million codes: of ten thousand tables one is hit by a guess in a hundred thousand."""
_LOOKS_LIKE: Final = str.maketrans("ILO", "110", " -\t\n")


def new_code() -> str:
    """A code that nobody can foresee."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def read(text: str) -> str | None:
    """The code that was meant, whatever its case and the blanks and dashes in it; None: it can't be one."""
    code = text.upper().translate(_LOOKS_LIKE)
    return code if len(code) == LENGTH and all(character in ALPHABET for character in code) else None
