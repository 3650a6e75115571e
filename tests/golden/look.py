"""What the engine does when it looks at a table that may be stuck (RD-10): its own decision, on a hand on paper."""

from __future__ import annotations

from services.engine.port import State
from services.engine.stuck import resolve
from services.rules import transitions
from services.rules.agreement import agreement
from services.rules.blocked import seat_blocked
from services.rules.events import EndWhy, ShiftWhy
from services.rules.hand import Hand
from services.rules.transitions import Transition


def looked(hand: Hand, away: tuple[int, ...], now_ms: int, looks: int) -> tuple[list[str], Transition | None]:
    """What is seen, in words, and what follows from it, if anything.

    The seats ``away`` have left; ``looks`` is how often the table was looked at since its last progress.
    """
    present = [seat for seat in range(len(hand.layouts)) if seat not in away]
    stuck = [seat for seat in present if seat_blocked(hand.layouts[seat], hand.foundations, hand.options)]
    words = [f"blocked: {_seats(stuck)}; away: {_seats(away)}; agreed: {agreement(hand.votes, away) or '-'}"]
    state = State("golden", now_ms, "", hand, dict.fromkeys(away, 0), None, looks)
    match resolve(state):
        case EndWhy() as why:
            return words, transitions.end(hand, why, if_seq=hand.seq, away=away, now_ms=now_ms)
        case ShiftWhy() as why:
            return words, transitions.shift(hand, why, if_seq=hand.seq, away=away, now_ms=now_ms)
        case "ask":
            return words, transitions.ask(hand, progress=hand.progress, now_ms=now_ms)
        case None:
            return words, None


def _seats(seats: list[int] | tuple[int, ...]) -> str:
    return " ".join(map(str, seats)) or "-"
