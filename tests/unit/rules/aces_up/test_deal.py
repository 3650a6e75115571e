"""Numbered deals, as docs/aces-up.md says."""

from __future__ import annotations

import hashlib
import hmac
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.aces_up.deal import daily, deal
from services.rules.aces_up.options import LAST_NUMBER
from services.rules.cards import DECK

DOCUMENT = (Path(__file__).parents[4] / "docs" / "aces-up.md").read_text()


def by_the_document(number: int) -> list[str]:
    """Another programmer's reading of docs/aces-up.md, with nothing of ``services.rules`` in it."""
    key = hashlib.sha256(b"pandemonium-aces-up-1\n%d" % number).digest()
    stream = b"".join(hmac.new(key, b"%d" % block, hashlib.sha256).digest() for block in range(40))
    deck = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    position = 0
    for i in range(51, 0, -1):
        n = i + 1
        while stream[position] >= 256 - 256 % n:
            position += 1
        j = stream[position] % n
        position += 1
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def in_order(number: int) -> list[str]:
    state = deal(number)
    return [c.text for c in (*(pile[0] for pile in state.piles), *reversed(state.stock))]


@settings(max_examples=60)
@given(st.integers(1, LAST_NUMBER))
def test_a_deal_can_be_made_again_from_the_document_alone(number: int) -> None:
    assert in_order(number) == by_the_document(number)
    assert sorted(in_order(number)) == sorted(c.text for c in DECK)


def test_the_deals_of_the_document_have_not_changed() -> None:
    """Case 30: the same number gives the same deal."""
    vectors = re.findall(r"^(\d+): ([2-9TJQKACDHS ]+)$", DOCUMENT, re.MULTILINE)
    assert [int(number) for number, _ in vectors] == [1, 2, 1000, LAST_NUMBER]
    for number, deck in vectors:
        assert " ".join(in_order(int(number))) == deck


@pytest.mark.parametrize("number", [0, -1, LAST_NUMBER + 1])
def test_there_is_no_deal_of_another_number(number: int) -> None:
    with pytest.raises(ValueError, match="numbers from 1"):
        deal(number)


def test_deals_of_different_numbers_are_different() -> None:
    assert len({deal(number).encode() for number in range(1, 501)}) == 500


def test_the_days_of_the_document_have_their_deals() -> None:
    days = re.findall(r"^(\d{4}-\d\d-\d\d): (\d+)$", DOCUMENT, re.MULTILINE)
    assert len(days) == 2
    for day, number in days:
        assert daily(day) == int(number)


def test_days_have_different_deals_that_exist() -> None:
    numbers = {daily(f"2026-{month:02}-{day:02}") for month in range(1, 13) for day in range(1, 29)}
    assert len(numbers) == 12 * 28
    assert all(1 <= number <= LAST_NUMBER for number in numbers)


@pytest.mark.parametrize("day", ["", "2026-7-27", "27.07.2026", "2026-07-27T00:00", "2026-07-\u0662\u0667"])
def test_another_text_is_no_day(day: str) -> None:
    with pytest.raises(ValueError, match="not a day"):
        daily(day)
