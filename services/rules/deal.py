"""Fair deals: each seat's shuffled deck from one secret and all seats' nonces (docs/deal.md).

The secret's hash is published before the nonces are given, so neither side can choose the deal. There is no randomness
here: who needs a new secret makes one elsewhere.

>>> secret = "00" * 32
>>> commitment(secret)[:16]
'66687aadf862bd77'
>>> decks(secret, ["a", "b"], match="m1", hand=1)[0][:5] == decks(secret, ["a", "c"], match="m1", hand=1)[0][:5]
False
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

from services.rules.cards import DECK
from services.rules.layout import Pile

_SECRET_BYTES: Final = 32
_VERSION: Final = "pandemonium-deal-1"
_LONGEST_NONCE: Final = 64


def commitment(secret_hex: str) -> str:
    """SHA-256 of the secret's 32 bytes, hex. Raises ValueError for another secret."""
    return hashlib.sha256(_secret(secret_hex)).hexdigest()


def decks(secret_hex: str, nonces: Sequence[str], match: str, hand: int) -> tuple[Pile, ...]:
    """The shuffled deck of each seat, as :func:`services.rules.layout.deal` lays it out. One nonce for each seat.

    Raises ValueError for a secret that is not 32 bytes in lower-case hex, a nonce that is not 1 to 64 printable ASCII
    characters, or a match id with a line break.
    """
    secret = _secret(secret_hex)
    for nonce in nonces:
        if not valid_nonce(nonce):
            raise ValueError(f"not a nonce: {nonce!r}")
    if "\n" in match:
        raise ValueError(f"not a match id: {match!r}")
    head = "\n".join((_VERSION, match, str(hand), *nonces))
    return tuple(shuffled(stream(secret, f"{head}\n{seat}\n")) for seat in range(len(nonces)))


def valid_nonce(nonce: str) -> bool:
    """Whether a seat's own randomness can be used: 1 to 64 printable ASCII characters."""
    return 1 <= len(nonce) <= _LONGEST_NONCE and nonce.isascii() and nonce.isprintable()


def stream(secret: bytes, head: str) -> Iterator[int]:
    """Endless bytes: HMAC-SHA256 of the head with a counter, block after block."""
    for counter in count():
        yield from hmac.digest(secret, f"{head}{counter}".encode(), "sha256")


def shuffled(stream: Iterator[int]) -> Pile:
    """Fisher-Yates from the last card to the second."""
    deck = list(DECK)
    for i in range(len(deck) - 1, 0, -1):
        j = _below(i + 1, stream)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


def _secret(secret_hex: str) -> bytes:
    secret = bytes.fromhex(secret_hex)
    if len(secret) != _SECRET_BYTES:
        raise ValueError(f"a secret has {_SECRET_BYTES} bytes, not {len(secret)}")
    if secret.hex() != secret_hex:
        raise ValueError("a secret is written in lower-case hex digits, and nothing else")
    return secret


def _below(n: int, stream: Iterator[int]) -> int:
    """A whole number from 0 to n - 1, each as likely: bytes of the incomplete last run of n are thrown away."""
    usable = 256 - 256 % n
    return next(byte for byte in stream if byte < usable) % n
