"""What the system itself does to a hand: prepare, deal, start, shift, ask, end; and attach, which takes a seat.

Each gives the hand afterwards and the event, or the hand as it was and None where there is nothing to do, so that a
repeated or late request changes nothing. What was computed from a state (shift, and an end of a stuck hand) names that
state's sequence number. Times are ms.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from services.rules.blocked import looked_at
from services.rules.deal import commitment, decks
from services.rules.events import (
    Asked,
    Dealt,
    DealtSeat,
    Ended,
    EndWhy,
    Event,
    Player,
    Prepared,
    Shifted,
    ShiftWhy,
    Started,
)
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
    """The cards lie; the countdown runs until ``start_at`` (RD-2). Only a prepared hand is dealt.

    Raises OptionError for options that so many seats can't play by.
    """
    options.check_seats(len(hand.seats))
    if hand.phase is not Phase.PREPARED:
        return hand, None
    shuffled = decks(hand.secret, [p.nonce for p in players], hand.match, hand.number)
    layouts = tuple(laid_out(deck, options.demon_of(seat)) for seat, deck in enumerate(shuffled))
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
        hand,
        seq=hand.seq + 1,
        layouts=tuple(map(turned_over, hand.layouts)),
        votes=(None,) * len(hand.votes),
        asked=False,
    )
    return shifted, Shifted(shifted.seq, now_ms, why, hand.progress, tuple(sorted(away)))


def ask(hand: Hand, *, progress: int, now_ms: int) -> Transition:
    """The seats of a table that idles are asked what to do: once, until there is progress beyond ``progress``."""
    if hand.phase is not Phase.PLAYING or hand.asked or hand.progress != progress:
        return hand, None
    asked = replace(hand, seq=hand.seq + 1, asked=True)
    return asked, Asked(asked.seq, now_ms, progress)


def end(hand: Hand, why: EndWhy, *, now_ms: int, if_seq: int | None = None, away: Collection[int] = ()) -> Transition:
    """The hand is over, scored unless it is void, and its secret is told (RD-10 to RD-12).

    A called hand ends when its grace is over; one that is stuck, or to be dealt again, only if its state is still the
    one that ``if_seq`` names; a void one at any time.
    """
    match why:
        case EndWhy.CALLED:
            due = hand.phase is Phase.CLOSING and hand.closes_at is not None and now_ms >= hand.closes_at
        case EndWhy.DEAD | EndWhy.BLOCKED | EndWhy.AGREED | EndWhy.DISPUTED:
            due = hand.phase is Phase.PLAYING and hand.seq == if_seq
        case EndWhy.VOID:
            due = hand.phase is not Phase.OVER
    if not due:
        return hand, None
    over = replace(hand, seq=hand.seq + 1, phase=Phase.OVER)
    return over, ended(hand, why, seq=over.seq, now_ms=now_ms, away=away)


def ended(hand: Hand, why: EndWhy, *, seq: int, now_ms: int, away: Collection[int]) -> Ended:
    """The event that tells the end of a hand in this state: with its proof if it is stuck, its scores if it counts."""
    stuck = why in (EndWhy.DEAD, EndWhy.BLOCKED)
    return Ended(
        seq=seq,
        at=now_ms,
        hand=hand.number,
        match=hand.match,
        why=why,
        callers=hand.callers,
        away=tuple(sorted(away)),
        looked=looked_at(hand.layouts, hand.options, away) if stuck else (),
        secret=hand.secret,
        scores=score_hand(hand.layouts, hand.foundations, hand.callers, hand.options) if why.counts else (),
    )


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
