"""RD-7, RD-8: the seventh rule of the referee. Times here are ms after noon, sequence numbers small."""

from __future__ import annotations

from services.rules.cards import card
from services.rules.contest import Contest
from services.rules.foundation import Slot
from services.rules.landing import Arrival, Foundations, Landed, Lost, land
from services.rules.moves import PlayToFoundation, Reason, Source
from services.rules.options import RACING_DEMON
from tests.unit.rules.hands import NOON, built


def go(
    foundations: Foundations, text: str, to: int | None = None, *, seat: int = 1, seen: int = 99, arrived: int = 0
) -> Landed | Lost | Reason:
    """Seat 1 plays a card that becomes event 100, a minute after noon unless it arrived earlier."""
    arrival = Arrival(seat, seen, NOON + arrived, seq=100, now_ms=NOON + 60_000)
    return land(foundations, PlayToFoundation(Source.DEMON, card(text), to), arrival, RACING_DEMON)


def test_two_aces_of_one_suit_open_two_foundations() -> None:
    """RD-7: aces never contend."""
    landed = go((built("S", 1),), "AS")
    assert isinstance(landed, Landed)
    assert (landed.f, landed.tie, len(landed.foundations)) == (1, False, 2)
    assert landed.foundations[1].slots == (Slot((1,), 100, NOON + 60_000),)


def test_an_ace_has_no_target() -> None:
    assert go((built("S", 1),), "AS", 0) is Reason.NO_PLACE


def test_any_foundation_that_takes_the_card_takes_it_the_first_one_first() -> None:
    """RD-8, rulings: a play aimed at "any" is placed on any that takes it."""
    landed = go((built("H", 1), built("S", 4), built("S", 1), built("S", 1)), "2S")
    assert isinstance(landed, Landed)
    assert (landed.f, landed.tie) == (2, False)


def test_a_named_foundation_is_the_only_candidate() -> None:
    foundations = (built("S", 1), built("S", 1), built("H", 1), built("S", 3))
    named = go(foundations, "2S", 1)
    assert isinstance(named, Landed)
    assert named.f == 1
    assert go(foundations, "2S", 2) is Reason.NO_PLACE
    assert go(foundations, "2S", 4) is Reason.NO_PLACE
    assert go(foundations, "2S", -1) is Reason.NO_PLACE
    assert go(foundations, "5S", 3) is Reason.NO_PLACE


def test_a_lost_named_target_is_returned_even_if_another_would_have_taken_the_card() -> None:
    """RD-8, rulings."""
    lost = go((built("S", 2, seat=3, seq=50), built("S", 1)), "2S", 0)
    assert lost == Lost(0, Contest.SEEN, (3,), 0)


def test_a_card_without_a_place_anywhere_is_refused() -> None:
    assert go((), "2S") is Reason.NO_PLACE
    assert go((built("S", 1), built("H", 13)), "3S") is Reason.NO_PLACE


def test_neither_could_know_of_the_other_so_both_stay() -> None:
    """RD-8."""
    landed = go((built("S", 2, seq=50),), "2S", seen=49, arrived=80)
    assert isinstance(landed, Landed)
    assert landed.tie
    assert landed.foundations[0].slots[1] == Slot((0, 1), 50, NOON)


def test_an_unseen_card_that_comes_too_late_goes_back() -> None:
    """RD-8."""
    assert go((built("S", 2, seq=50),), "2S", seen=49, arrived=81) == Lost(0, Contest.LATE, (0,), 81)


def test_the_gap_is_never_negative() -> None:
    lost = go((built("S", 2, seq=50),), "2S", seen=50, arrived=-20)
    assert lost == Lost(0, Contest.SEEN, (0,), 0)


def test_a_tied_card_joins_its_rank_also_when_the_next_was_built_on_it() -> None:
    """RD-8, rulings: covered ranks and complete foundations."""
    for height in (3, 13):
        landed = go((built("S", height, seq=60),), "2S", seen=61 - height, arrived=10)
        assert isinstance(landed, Landed), height
        assert landed.tie
        assert landed.foundations[0].slots[1].seats == (0, 1)
        assert landed.foundations[0].height == height


def test_tied_kings_both_stay() -> None:
    """RD-8, rulings: the last two cards are claimed together."""
    landed = go((built("S", 13, seq=60),), "KS", seen=59, arrived=10)
    assert isinstance(landed, Landed)
    assert landed.foundations[0].slots[12].seats == (0, 1)


def test_more_than_two_may_share_a_rank() -> None:
    """RD-8, rulings."""
    shared = built("S", 2, seq=50).shared(2, seat=2)
    landed = go((shared,), "2S", seen=49, arrived=10)
    assert isinstance(landed, Landed)
    assert landed.foundations[0].slots[1].seats == (0, 2, 1)


def test_a_free_place_comes_before_a_shared_one() -> None:
    landed = go((built("S", 2, seq=60), built("S", 1, seq=50)), "2S", seen=59, arrived=10)
    assert isinstance(landed, Landed)
    assert (landed.f, landed.tie) == (1, False)


def test_a_lost_card_aimed_at_any_names_the_place_that_was_taken_last() -> None:
    foundations = (built("S", 2, seat=2, seq=50), built("S", 2, seat=3, seq=70), built("S", 2, seat=4, seq=60))
    assert go(foundations, "2S", seen=69, arrived=500) == Lost(1, Contest.LATE, (3,), 500)
    assert go(foundations, "2S", seen=90, arrived=500) == Lost(1, Contest.SEEN, (3,), 500)


def test_no_card_is_fired_ahead_of_what_its_player_has_seen() -> None:
    """The card below must be the seat's own or seen."""
    assert go((built("S", 1, seat=0, seq=50),), "2S", seen=49) is Reason.UNSEEN
    own = go((built("S", 1, seat=1, seq=50),), "2S", seen=0)
    assert isinstance(own, Landed)
    assert not own.tie
    tied = go((built("S", 1, seat=0, seq=50).shared(1, seat=1),), "2S", seen=0)
    assert isinstance(tied, Landed)
    assert not tied.tie


def test_no_shared_place_is_reached_over_an_unseen_card() -> None:
    assert go((built("S", 2, seat=0, seq=50),), "2S", seen=48, arrived=10) is Reason.UNSEEN


def test_a_foundation_whose_card_below_was_seen_comes_before_one_where_it_was_not() -> None:
    foundations = (built("S", 1, seat=0, seq=50), built("S", 2, seat=2, seq=30))
    assert go(foundations, "2S", seen=40) == Lost(1, Contest.SEEN, (2,), 0)
