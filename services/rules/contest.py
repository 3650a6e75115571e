"""Who was first (RD-8): the whole decision, as one pure function. The referee's script must agree with it.

Two cards for one place: the first to be committed stays. A later one stays beside it exactly if its player could not
yet have seen the first one land, and it reached the edge within the window after that commit.

>>> decide(seen=11, arrived_ms=1_050, slot_seq=12, slot_at_ms=1_000, window_ms=80)
<Contest.SHARED: 'shared'>
>>> decide(seen=11, arrived_ms=1_081, slot_seq=12, slot_at_ms=1_000, window_ms=80)
<Contest.LATE: 'late'>
>>> decide(seen=12, arrived_ms=1_001, slot_seq=12, slot_at_ms=1_000, window_ms=80)
<Contest.SEEN: 'seen'>
"""

from __future__ import annotations

from enum import StrEnum


class Contest(StrEnum):
    """What becomes of a card whose place is taken. The last two are the wire's reasons for a returned card."""

    SHARED = "shared"
    LATE = "late"
    SEEN = "seen"


def decide(*, seen: int, arrived_ms: int, slot_seq: int, slot_at_ms: int, window_ms: int, ties: bool = True) -> Contest:
    """Whether a later card shares its place or goes back. Without ``ties`` it always goes back (first only).

    ``seen`` is the last sequence number that the player had applied, ``arrived_ms`` when the play reached the edge,
    ``slot_seq`` and ``slot_at_ms`` the number and commit time of the first card there, ``window_ms`` the cap.
    """
    if seen >= slot_seq:
        return Contest.SEEN
    return Contest.SHARED if ties and in_time(arrived_ms, slot_at_ms, window_ms) else Contest.LATE


def in_time(arrived_ms: int, committed_ms: int, window_ms: int) -> bool:
    """Whether something arrived so soon after a commit that the order of the two is nobody's merit."""
    return arrived_ms <= committed_ms + window_ms


def unaware(*, seen: int, arrived_ms: int, call_seq: int, call_at_ms: int, window_ms: int) -> bool:
    """The same reasoning at the end of a hand (RD-11).

    Whether a movement was under way at the call, and whether a second call can't be told apart from the first.
    """
    return (
        decide(seen=seen, arrived_ms=arrived_ms, slot_seq=call_seq, slot_at_ms=call_at_ms, window_ms=window_ms)
        is Contest.SHARED
    )
