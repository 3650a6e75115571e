"""What the system itself does to a hand: prepare, deal, start, shift, end; and attach, which takes a seat.

Each gives the hand afterwards and the event, or the hand as it was and None where there is nothing to do, so that a
repeated or late request changes nothing. What was computed from a state (shift, and an end of a stuck hand) names that
state's sequence number. Times are ms.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from services.rules.deal import commitment, decks
from services.rules.events import Dealt, DealtSeat, Ended, EndWhy, Event, Player, Prepared, Shifted, ShiftWhy, Started
from services.rules.hand import Hand, Phase, Seat
from services.rules.layout import Layout
from services.rules.layout import deal as laid_out
from services.rules.moves import turned_over
from services.rules.options import Options
from services.rules.scoring import score_hand

Transition = tuple[Hand, Event | None]


def prepare(
    seats: Sequence[Seat], *, match: str, number: int, secret: str, seq: int, now_ms: int
) -> tuple[Hand, Prepared]:
    """A new hand whose secret is chosen and whose commitment is published. ``seq`` is the head of the table's log."""
    hand = Hand(match, number, commitment(secret), secret, tuple(seats), seq + 1)
    return hand, Prepared(hand.seq, now_ms, number, match, len(seats), hand.commitment)


def deal(hand: Hand, *, options: Options, players: Sequence[Player], start_at: int, now_ms: int) -> Transition:
    """The cards lie; the countdown runs until ``start_at`` (RD-2). Only a prepared hand is dealt."""
    if hand.phase is not Phase.PREPARED:
        return hand, None
    shuffled = decks(hand.secret, [p.nonce for p in players], hand.match, hand.number)
    layouts = tuple(laid_out(deck, options.demon_size) for deck in shuffled)
    dealt = replace(
        hand,
        seq=hand.seq + 1,
        phase=Phase.DEALT,
        options=options,
        players=tuple(players),
        layouts=layouts,
        votes=(None,) * len(layouts),
        start_at=start_at,
    )
    event = Dealt(
        dealt.seq,
        now_ms,
        hand.number,
        hand.match,
        options,
        hand.commitment,
        dealt.players,
        start_at,
        tuple(map(_face_up, layouts)),
    )
    return dealt, event


def start(hand: Hand, now_ms: int) -> Transition:
    """The signal on which everyone begins (RD-3): once, when the countdown is over."""
    if hand.phase is not Phase.DEALT or hand.start_at is None or now_ms < hand.start_at:
        return hand, None
    started = replace(hand, seq=hand.seq + 1, phase=Phase.PLAYING)
    return started, Started(started.seq, now_ms, hand.number)


def shift(hand: Hand, why: ShiftWhy, *, if_seq: int, away: Collection[int], now_ms: int) -> Transition:
    """Every seat re-forms its stock and moves its top card to the bottom (RD-10); the votes are answered."""
    if hand.phase is not Phase.PLAYING or hand.seq != if_seq:
        return hand, None
    shifted = replace(
        hand, seq=hand.seq + 1, layouts=tuple(map(turned_over, hand.layouts)), votes=(None,) * len(hand.votes)
    )
    return shifted, Shifted(shifted.seq, now_ms, why, hand.progress, tuple(sorted(away)))


def end(hand: Hand, why: EndWhy, *, now_ms: int, if_seq: int | None = None, away: Collection[int] = ()) -> Transition:
    """The hand is over, scored unless it is void, and its secret is told (RD-10 to RD-12).

    A called hand ends when its grace is over; a stuck one (``dead``, ``agreed``) only if its state is still the one
    that ``if_seq`` names; a void one at any time.
    """
    match why:
        case EndWhy.CALLED:
            due = hand.phase is Phase.CLOSING and hand.closes_at is not None and now_ms >= hand.closes_at
        case EndWhy.DEAD | EndWhy.AGREED:
            due = hand.phase is Phase.PLAYING and hand.seq == if_seq
        case EndWhy.VOID:
            due = hand.phase is not Phase.OVER
    if not due:
        return hand, None
    void = why is EndWhy.VOID
    scores = () if void else score_hand(hand.layouts, hand.foundations, hand.callers, hand.options)
    over = replace(hand, seq=hand.seq + 1, phase=Phase.OVER)
    absent = tuple(sorted(away))
    return over, Ended(over.seq, now_ms, hand.number, hand.match, why, hand.callers, absent, hand.secret, scores)


def attach(hand: Hand, seat: int) -> Hand:
    """A new socket has the seat: its epoch rises, so that commands of the older one no longer count."""
    raised = replace(hand.seats[seat], epoch=hand.seats[seat].epoch + 1)
    return replace(hand, seats=(*hand.seats[:seat], raised, *hand.seats[seat + 1 :]))


def _face_up(layout: Layout) -> DealtSeat:
    return DealtSeat(
        demon=len(layout.demon),
        top=layout.demon[-1],
        columns=tuple(column[-1] for column in layout.columns),
        stock=len(layout.stock),
    )
