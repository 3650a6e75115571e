"""The referee: the pure model of the script through which every command of a hand goes.

It decides in the order of docs/architecture.md, "The referee", and the script must equal it on every history. Rule 3
there (the engine judged an outdated layout, and judges again) has no counterpart: legality is decided here on the very
layout that the command changes, which is what judging again comes to.

A command's verdict is a value, whatever it says. Transitions of the system itself are in ``transitions``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeVar

from services.rules import moves
from services.rules.contest import unaware
from services.rules.events import Called, Moved, Played, Recycled, Returned, SeatEvent, Turned, Voted
from services.rules.hand import Hand, Phase
from services.rules.landing import Arrival, Landed, Lost, land
from services.rules.moves import (
    COLUMN,
    Action,
    Applied,
    Call,
    Choice,
    Illegal,
    MoveToColumn,
    PlayToFoundation,
    Reason,
    Recycle,
    Turn,
    Vote,
)
from services.rules.verdict import Outcome, Verdict

_T = TypeVar("_T")

GRACE_MS: Final = 400
"""How long after the tie window a called hand stays open for cards in motion."""


@dataclass(frozen=True, slots=True)
class Command:
    """What a seat asks for.

    ``epoch`` is the one its socket got, ``n`` its last command number + 1, ``hand`` the hand that its player saw,
    ``seen`` the last sequence number that was applied, ``arrived_ms`` when it reached the edge.
    """

    seat: int
    epoch: int
    n: int
    hand: int
    seen: int
    arrived_ms: int
    action: Action


class Judgement(NamedTuple):
    """The hand afterwards, the answer, and what goes into the log: nothing, or one event.

    A second one, the call, follows in the same commit if a demon was emptied whose call is automatic.
    """

    hand: Hand
    verdict: Verdict
    events: tuple[SeatEvent, ...]


class _Decision(NamedTuple):
    """A command that becomes an event, and the hand that it makes."""

    event: SeatEvent
    hand: Hand


def judge(hand: Hand, command: Command, now_ms: int) -> Judgement:
    """The verdict on one command at ``now_ms``, the commit's time. The seat must exist at the table."""
    seat = hand.seats[command.seat]
    if command.epoch != seat.epoch:
        outcome = Outcome.SET_BACK if command.epoch > seat.epoch else Outcome.TAKEN_OVER
        return Judgement(hand, Verdict(command.n, outcome), ())
    if command.n <= seat.last_n:
        forgotten = Verdict(command.n, Outcome.REFUSED, why=Reason.FORGOTTEN)
        return Judgement(hand, seat.kept(command.n) or forgotten, ())
    if command.n > seat.last_n + 1:
        return Judgement(hand, Verdict(command.n, Outcome.OUT_OF_ORDER, last=seat.last_n), ())
    decided = _decide(hand, command, now_ms)
    if isinstance(decided, Reason):
        verdict = Verdict(command.n, Outcome.REFUSED, why=decided)
        return Judgement(_answered(hand, command.seat, verdict), verdict, ())
    verdict = _told(decided.event)
    after = _answered(decided.hand, command.seat, verdict)
    if not owes_call(after, command.seat):
        return Judgement(after, verdict, (decided.event,))
    call, after = _called(after, command, now_ms)
    return Judgement(after, verdict, (decided.event, call))


def owes_call(hand: Hand, seat: int) -> bool:
    """Whether the seat has just emptied its demon and calls by that (option ``call``: automatic)."""
    return hand.options.call == "automatic" and not hand.layouts[seat].demon and seat not in hand.callers


def _decide(hand: Hand, command: Command, now_ms: int) -> _Decision | Reason:
    """Rules 4 to 9: the command's number is right, so from here on it is consumed."""
    if command.hand != hand.number:
        return Reason.WRONG_HAND
    if hand.phase in (Phase.PREPARED, Phase.DEALT):
        return Reason.NOT_STARTED
    if hand.phase is Phase.OVER:
        return Reason.HAND_OVER
    if hand.frozen:
        return Reason.FROZEN
    applied = moves.apply(hand.layouts[command.seat], command.action, hand.options)
    if isinstance(applied, Illegal):
        return applied.reason
    if isinstance(command.action, Call):
        return _call(hand, command, now_ms)
    if hand.phase is Phase.CLOSING:
        if not _under_way_at_the_call(hand, command, now_ms):
            return Reason.HAND_OVER
        if command.seat in hand.callers or command.seat in hand.in_motion:
            return Reason.ONE_HAND
    decided = _move(hand, command, applied, now_ms)
    if isinstance(decided, Reason) or hand.phase is not Phase.CLOSING:
        return decided
    return decided._replace(hand=replace(decided.hand, in_motion=hand.in_motion | {command.seat}))


def _move(hand: Hand, command: Command, applied: Applied, now_ms: int) -> _Decision | Reason:
    """Rules 7 and 9, and the moves that need no other seat."""
    stamp = _stamp(hand, command, now_ms)
    match command.action:
        case PlayToFoundation() as play:
            return _play(hand, command, play, applied, now_ms)
        case MoveToColumn(source, card, column):
            moved = Moved(*stamp, source, card, COLUMN[column], applied.moved, applied.shows)
            return _Decision(moved, _changed(hand, command.seat, applied))
        case Turn():
            return _Decision(Turned(*stamp, applied.moved, applied.shows), _changed(hand, command.seat, applied))
        case Recycle():
            return _Decision(Recycled(*stamp, applied.moved), _changed(hand, command.seat, applied))
        case Vote(choice, progress):
            if progress != hand.progress:
                return Reason.PROGRESS_SINCE
            kept = None if choice is Choice.WITHDRAW else choice
            votes = _replaced(hand.votes, command.seat, kept)
            return _Decision(Voted(*stamp, choice, progress), replace(hand, seq=hand.seq + 1, votes=votes))
        case Call():
            raise AssertionError("a call is no movement")


def _play(hand: Hand, command: Command, play: PlayToFoundation, applied: Applied, now_ms: int) -> _Decision | Reason:
    """Rule 7: a card that its seat may play lands, or goes back exactly where it was (RD-8)."""
    arrival = Arrival(command.seat, command.seen, min(command.arrived_ms, now_ms), hand.seq + 1, now_ms)
    landing = land(hand.foundations, play, arrival, hand.options)
    stamp = _stamp(hand, command, now_ms)
    asked = (play.source, play.card, play.foundation)
    match landing:
        case Landed(f, tie, foundations):
            played = Played(*stamp, *asked, applied.shows, f, play.card.rank, tie)
            return _Decision(played, replace(_changed(hand, command.seat, applied), foundations=foundations))
        case Lost(f, why, first, gap_ms):
            returned = Returned(*stamp, *asked, f, play.card.rank, why, first, gap_ms)
            return _Decision(returned, replace(hand, seq=hand.seq + 1))
        case reason:
            return reason


def _call(hand: Hand, command: Command, now_ms: int) -> _Decision | Reason:
    """Rule 8: the first call closes the hand; later ones that can't be told apart from it are credited (RD-11)."""
    known = hand.phase is Phase.CLOSING and not _under_way_at_the_call(hand, command, now_ms)
    return (
        Reason.ALREADY_CALLED if known or command.seat in hand.callers else _Decision(*_called(hand, command, now_ms))
    )


def _called(hand: Hand, command: Command, now_ms: int) -> tuple[Called, Hand]:
    """A call that counts. What is in motion has a grace to arrive in, unless it is void."""
    called = hand
    if hand.phase is Phase.PLAYING:
        grace = 0 if hand.options.in_motion == "void" else hand.options.tie_window_ms + GRACE_MS
        called = replace(hand, phase=Phase.CLOSING, call_seq=hand.seq + 1, call_at=now_ms, closes_at=now_ms + grace)
    assert called.closes_at is not None
    event = Called(*_stamp(hand, command, now_ms), called.closes_at)
    return event, replace(called, seq=hand.seq + 1, callers=(*hand.callers, command.seat))


def _under_way_at_the_call(hand: Hand, command: Command, now_ms: int) -> bool:
    if hand.options.in_motion == "void":
        return False
    assert hand.call_seq is not None
    assert hand.call_at is not None
    return unaware(
        seen=command.seen,
        arrived_ms=min(command.arrived_ms, now_ms),
        call_seq=hand.call_seq,
        call_at_ms=hand.call_at,
        window_ms=hand.options.tie_window_ms,
    )


def _changed(hand: Hand, seat: int, applied: Applied) -> Hand:
    """The hand with the seat's new layout, one event later; progress withdraws all votes and the question (RD-10 f)."""
    changed = replace(hand, seq=hand.seq + 1, layouts=_replaced(hand.layouts, seat, applied.layout))
    if not applied.progress:
        return changed
    return replace(changed, progress=hand.progress + 1, votes=(None,) * len(hand.votes), asked=False)


def _answered(hand: Hand, seat: int, verdict: Verdict) -> Hand:
    return replace(hand, seats=_replaced(hand.seats, seat, hand.seats[seat].judged(verdict)))


def _told(event: SeatEvent) -> Verdict:
    match event:
        case Played(tie=True):
            return Verdict(event.n, Outcome.TIED, event.seq, event.f)
        case Played():
            return Verdict(event.n, Outcome.APPLIED, event.seq, event.f)
        case Returned():
            return Verdict(event.n, Outcome.RETURNED, event.seq, why=event.why)
        case _:
            return Verdict(event.n, Outcome.APPLIED, event.seq)


def _stamp(hand: Hand, command: Command, now_ms: int) -> tuple[int, int, int, int, int, int]:
    """What every seat's event begins with: seq, at, seat, n, seen, arrived."""
    return hand.seq + 1, now_ms, command.seat, command.n, command.seen, command.arrived_ms


def _replaced(values: tuple[_T, ...], at: int, value: _T) -> tuple[_T, ...]:
    return (*values[:at], value, *values[at + 1 :])
