"""Fair deals, as docs/deal.md says."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.cards import DECK
from services.rules.deal import commitment, decks, valid_nonce

DOCUMENT = Path(__file__).parents[3] / "docs" / "deal.md"
SECRET = bytes(range(32)).hex()


def by_the_document(secret: bytes, nonces: list[str], match: str, hand: int, seat: int) -> list[str]:
    """Another programmer's reading of docs/deal.md, with nothing of ``services.rules`` in it."""
    deck = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    stream = bytearray()
    for block in range(40):
        lines = ["pandemonium-deal-1", match, str(hand), *nonces, str(seat), str(block)]
        stream += hmac.new(secret, "\n".join(lines).encode("ascii"), hashlib.sha256).digest()
    position = 0
    for i in range(51, 0, -1):
        n = i + 1
        while stream[position] >= 256 - 256 % n:
            position += 1
        j = stream[position] % n
        position += 1
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def test_the_test_vector_of_the_document_holds() -> None:
    text = DOCUMENT.read_text()
    dealt = decks(SECRET, ["alice", "bob"], match="m", hand=1)
    assert re.findall(r"^seat \d: (.*)$", text, re.MULTILINE) == [" ".join(c.text for c in deck) for deck in dealt]
    assert commitment(SECRET) in text


@settings(max_examples=40)
@given(
    secret=st.binary(min_size=32, max_size=32),
    nonces=st.lists(
        st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=64), min_size=2, max_size=8
    ),
    match=st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=26),
    hand=st.integers(1, 50),
)
def test_the_shuffle_can_be_done_again_from_the_document_alone(
    secret: bytes, nonces: list[str], match: str, hand: int
) -> None:
    dealt = decks(secret.hex(), nonces, match, hand)
    for seat, deck in enumerate(dealt):
        assert [c.text for c in deck] == by_the_document(secret, nonces, match, hand, seat)
        assert set(deck) == set(DECK)


def test_everything_that_goes_in_changes_every_deck() -> None:
    """Deals are different every time."""
    other = bytes(range(1, 33)).hex()
    dealt = [
        decks(SECRET, ["a", "b"], "m", 1),
        decks(other, ["a", "b"], "m", 1),
        decks(SECRET, ["x", "b"], "m", 1),
        decks(SECRET, ["a", "x"], "m", 1),
        decks(SECRET, ["b", "a"], "m", 1),
        decks(SECRET, ["a", "b"], "n", 1),
        decks(SECRET, ["a", "b"], "m", 2),
        decks(SECRET, ["a", "b", "c"], "m", 1),
    ]
    everything = [deck for table in dealt for deck in table]
    assert len(set(everything)) == len(everything)


def test_every_card_is_as_likely_at_every_place() -> None:
    """Chi-squared over 4,000 decks with fixed secrets; 2601 degrees of freedom, so 5 standard deviations are 361."""
    counts: Counter[tuple[int, str]] = Counter()
    for i in range(500):
        for deck in decks(f"{i:064x}", ["n"] * 8, "m", 1):
            counts.update(enumerate(c.text for c in deck))
    expected = 4_000 / 52
    chi_squared = sum((counts[place, c.text] - expected) ** 2 / expected for place in range(52) for c in DECK)
    assert 2601 - 361 < chi_squared < 2601 + 361


def test_the_commitment_is_the_hash_of_the_secret_s_bytes() -> None:
    assert commitment(SECRET) == hashlib.sha256(bytes(range(32))).hexdigest()


@pytest.mark.parametrize("secret", ["", "00" * 31, "00" * 33, "zz" * 32])
def test_a_secret_is_32_bytes_in_hex(secret: str) -> None:
    with pytest.raises(ValueError, match=r"secret|hexadecimal"):
        decks(secret, ["a", "b"], "m", 1)


@pytest.mark.parametrize("nonce", ["", "a" * 65, "a\nb", "é", "a\x7f", "\t"])
def test_a_nonce_is_a_line_of_ascii(nonce: str) -> None:
    assert not valid_nonce(nonce)
    with pytest.raises(ValueError, match="not a nonce"):
        decks(SECRET, ["a", nonce], "m", 1)


def test_a_match_id_is_one_line() -> None:
    with pytest.raises(ValueError, match="not a match id"):
        decks(SECRET, ["a", "b"], "m\n1", 1)
