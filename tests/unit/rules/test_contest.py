"""RD-8 and RD-11: who was first, as causality."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from services.rules.contest import Contest, decide, unaware

seqs = st.integers(0, 40)
times = st.integers(0, 400)
windows = st.integers(1, 250)


@given(seen=seqs, arrived=times, seq=seqs, at=times, window=windows)
def test_a_place_is_shared_exactly_if_neither_could_know_of_the_other(
    seen: int, arrived: int, seq: int, at: int, window: int
) -> None:
    decided = decide(seen=seen, arrived_ms=arrived, slot_seq=seq, slot_at_ms=at, window_ms=window)
    assert (decided is Contest.SHARED) == (seen < seq and arrived - at <= window)
    assert (decided is Contest.SEEN) == (seen >= seq)


@given(seen=seqs, arrived=times, seq=seqs, at=times, window=windows)
def test_claiming_to_have_seen_less_gains_at_most_a_shared_place_inside_the_window(
    seen: int, arrived: int, seq: int, at: int, window: int
) -> None:
    """Forged ``seen`` changes nothing beyond the declared cap."""
    liar = decide(seen=0, arrived_ms=arrived, slot_seq=seq, slot_at_ms=at, window_ms=window)
    if arrived > at + window:
        assert liar is not Contest.SHARED


@given(seen=seqs, arrived=times, seq=seqs, at=times, window=windows)
def test_a_card_that_arrived_before_the_commit_of_the_other_is_never_returned_unseen(
    seen: int, arrived: int, seq: int, at: int, window: int
) -> None:
    """Nobody is robbed who was in truth first by a wire shorter than the window."""
    if arrived <= at and seen < seq:
        assert decide(seen=seen, arrived_ms=arrived, slot_seq=seq, slot_at_ms=at, window_ms=window) is Contest.SHARED


@given(seen=seqs, arrived=times, seq=seqs, at=times, window=windows)
def test_in_motion_at_the_call_is_decided_by_the_same_reasoning(
    seen: int, arrived: int, seq: int, at: int, window: int
) -> None:
    """RD-11."""
    shared = decide(seen=seen, arrived_ms=arrived, slot_seq=seq, slot_at_ms=at, window_ms=window) is Contest.SHARED
    assert unaware(seen=seen, arrived_ms=arrived, call_seq=seq, call_at_ms=at, window_ms=window) == shared


def test_the_window_is_closed_at_its_end() -> None:
    def at(arrived_ms: int) -> Contest:
        return decide(seen=1, arrived_ms=arrived_ms, slot_seq=2, slot_at_ms=100, window_ms=80)

    assert (at(180), at(181)) == (Contest.SHARED, Contest.LATE)
