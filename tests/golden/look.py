"""What follows when the engine looks at a table that may be stuck (docs/architecture.md, "Due timers")."""

from __future__ import annotations

from services.rules import transitions
from services.rules.agreement import agreement
from services.rules.blocked import dead, seat_blocked
from services.rules.events import EndWhy, ShiftWhy
from services.rules.hand import Hand
from services.rules.moves import Choice
from services.rules.transitions import Transition


def looked(hand: Hand, away: tuple[int, ...], now_ms: int) -> tuple[list[str], Transition | None]:
    """What is seen, in words, and what follows from it, if anything. The seats ``away`` have no say."""
    present = [seat for seat in range(len(hand.layouts)) if seat not in away]
    stuck = [seat for seat in present if seat_blocked(hand.layouts[seat], hand.foundations, hand.options)]
    agreed = agreement(hand.votes, away)
    words = [f"blocked: {_seats(stuck)}; away: {_seats(away)}; agreed: {agreed or '-'}"]
    remedy = _remedy(hand, present, stuck == present, agreed)
    match remedy:
        case EndWhy():
            return words, transitions.end(hand, remedy, if_seq=hand.seq, away=away, now_ms=now_ms)
        case ShiftWhy():
            return words, transitions.shift(hand, remedy, if_seq=hand.seq, away=away, now_ms=now_ms)
        case _:
            return words, None


def _remedy(hand: Hand, present: list[int], blocked: bool, agreed: Choice | None) -> EndWhy | ShiftWhy | None:
    if agreed is Choice.END:
        return EndWhy.AGREED
    if agreed is Choice.REPLAY:
        return EndWhy.DISPUTED
    if blocked:
        if hand.options.stuck == "end":
            return EndWhy.BLOCKED
        for_good = dead([hand.layouts[seat] for seat in present], hand.foundations, hand.options)
        return EndWhy.DEAD if for_good else ShiftWhy.BLOCKED
    return ShiftWhy.AGREED if agreed is Choice.SHIFT else None


def _seats(seats: list[int] | tuple[int, ...]) -> str:
    return " ".join(map(str, seats)) or "-"
