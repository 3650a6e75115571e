from __future__ import annotations

import pytest

from services.rules.cards import card
from services.rules.foundation import Foundation, Slot, opened
from tests.unit.rules.hands import built


def test_only_an_ace_opens_one() -> None:
    """RD-7."""
    assert opened(card("AS"), seat=2, seq=4, at_ms=9) == Foundation("S", (Slot((2,), 4, 9),))
    with pytest.raises(ValueError, match="opens no foundation"):
        opened(card("2S"), seat=2, seq=4, at_ms=9)


def test_it_is_built_up_in_suit_one_rank_at_a_time() -> None:
    """RD-7."""
    spades = built("S", 3)
    assert [spades.takes(card(text)) for text in ("3S", "4S", "5S", "4C")] == [False, True, False, False]
    with pytest.raises(ValueError, match="does not go on"):
        spades.built(card("5S"), seat=0, seq=1, at_ms=1)


def test_a_complete_one_takes_no_more() -> None:
    """RD-7."""
    assert built("S", 13).complete
    assert not built("S", 12).complete
    assert not built("S", 13).takes(card("AS"))


def test_a_shared_rank_keeps_the_number_and_time_of_its_first_card() -> None:
    """RD-8: also when it has been covered, and more than two may share."""
    spades = built("S", 3, seat=0, seq=9).shared(2, seat=1).shared(2, seat=4)
    assert spades.slot(2) == Slot((0, 1, 4), 8, spades.slots[0].at_ms)
    assert spades.height == 3
    assert spades.slot(4) is None
