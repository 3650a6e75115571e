"""Where a card that was played to the foundations lands, or why it doesn't (RD-7, RD-8).

The seventh rule of the referee (docs/architecture.md). Knows nothing of layouts, phases or commands' numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.rules import contest
from services.rules.cards import ACE
from services.rules.contest import Contest
from services.rules.foundation import Foundation, opened
from services.rules.moves import PlayToFoundation, Reason
from services.rules.options import Options

Foundations = tuple[Foundation, ...]


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who plays and when.

    The seat, the last sequence number its player had applied, when the play reached the edge (ms, at most ``now_ms``),
    and the sequence number and commit time that it gets if it lands.
    """

    seat: int
    seen: int
    arrived_ms: int
    seq: int
    now_ms: int


@dataclass(frozen=True, slots=True)
class Landed:
    """The card lies on foundation ``f``; ``tie``: beside the card that was first."""

    f: int
    tie: bool
    foundations: Foundations


@dataclass(frozen=True, slots=True)
class Lost:
    """The place on foundation ``f`` is held by the seats ``first``, whose card was committed ``gap_ms`` earlier."""

    f: int
    why: Contest
    first: tuple[int, ...]
    gap_ms: int


def land(
    foundations: Foundations, play: PlayToFoundation, arrival: Arrival, options: Options
) -> Landed | Lost | Reason:
    """What becomes of a card that its seat may play."""
    if play.card.rank == ACE:
        return Reason.NO_PLACE if play.foundation is not None else _opened(foundations, play, arrival)
    reached = _reached(foundations, play)
    if not reached:
        return Reason.NO_PLACE
    known = [f for f in reached if _below_known(foundations[f], play.card.rank, arrival)]
    if not known:
        return Reason.UNSEEN
    for f in known:
        if foundations[f].takes(play.card):
            built = foundations[f].built(play.card, seat=arrival.seat, seq=arrival.seq, at_ms=arrival.now_ms)
            return Landed(f, False, _with(foundations, f, built))
    return _beside_or_lost(foundations, known, play.card.rank, arrival, options)


def _opened(foundations: Foundations, play: PlayToFoundation, arrival: Arrival) -> Landed:
    new = opened(play.card, seat=arrival.seat, seq=arrival.seq, at_ms=arrival.now_ms)
    return Landed(len(foundations), False, (*foundations, new))


def _reached(foundations: Foundations, play: PlayToFoundation) -> list[int]:
    """The candidates: of the card's suit, and at least as high as the rank below it."""
    asked = range(len(foundations)) if play.foundation is None else (play.foundation,)
    return [
        f
        for f in asked
        if 0 <= f < len(foundations)
        and foundations[f].suit == play.card.suit
        and foundations[f].height >= play.card.rank - 1
    ]


def _below_known(foundation: Foundation, rank: int, arrival: Arrival) -> bool:
    """Whether the card below is the seat's own, or one that its player had seen: no card is fired ahead of that."""
    below = foundation.slots[rank - 2]
    return arrival.seat in below.seats or below.seq <= arrival.seen


def _beside_or_lost(
    foundations: Foundations, taken: list[int], rank: int, arrival: Arrival, options: Options
) -> Landed | Lost:
    """Every place is taken. A seat has one such card, so it never holds the place already."""
    verdicts = {}
    for f in taken:
        slot = foundations[f].slots[rank - 1]
        verdicts[f] = contest.decide(
            seen=arrival.seen,
            arrived_ms=arrival.arrived_ms,
            slot_seq=slot.seq,
            slot_at_ms=slot.at_ms,
            window_ms=options.tie_window_ms,
            ties=options.contest == "tie_if_undecidable",
        )
        if verdicts[f] is Contest.SHARED:
            return Landed(f, True, _with(foundations, f, foundations[f].shared(rank, seat=arrival.seat)))
    f = max(taken, key=lambda f: foundations[f].slots[rank - 1].seq)
    slot = foundations[f].slots[rank - 1]
    return Lost(f, verdicts[f], slot.seats, max(0, arrival.arrived_ms - slot.at_ms))


def _with(foundations: Foundations, f: int, changed: Foundation) -> Foundations:
    return (*foundations[:f], changed, *foundations[f + 1 :])
