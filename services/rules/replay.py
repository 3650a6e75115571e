"""A hand from its log alone: the same cards, the same verdicts, the same score.

:func:`replay` gives the hand that a log leads to; :func:`verify` lists what is wrong with a log. Both take the events
of one hand, from its ``prepare`` on. Every command is judged again by the referee with the ``seen``, ``arrived`` and
``at`` that the log says, so an event that the rules don't give is found out.

What a log can't show is taken from it: which seats were absent (``away``), and commands that were refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from services.rules import chain, transitions
from services.rules.aces_up import replay as aces_up
from services.rules.aces_up.events import AcesDealt
from services.rules.agreement import agreement
from services.rules.asked import asked
from services.rules.blocked import dead, table_blocked
from services.rules.cards import DECK
from services.rules.chain import Contradiction as Contradiction
from services.rules.chain import Report as Report
from services.rules.deal import commitment
from services.rules.events import (
    Asked,
    Dealt,
    Ended,
    EndWhy,
    Event,
    Moved,
    Prepared,
    SeatEvent,
    Shifted,
    ShiftWhy,
    Started,
    encode_body,
)
from services.rules.hand import FEWEST_SEATS, MOST_SEATS, Hand, Seat
from services.rules.layout import Layout
from services.rules.moves import (
    Action,
    Choice,
)
from services.rules.options import OptionError
from services.rules.referee import Command, judge


def replay(events: Iterable[Event], secret: str | None = None) -> Hand:
    """The hand after the last of ``events``, which begin with its ``prepare``.

    The secret is the one that ``end`` tells, or ``secret`` for a hand that still runs. The seats' epochs, and verdicts
    on refused commands, are not in a log: the hand has none. Raises :class:`Contradiction`.
    """
    events = list(events)
    if not events or not isinstance(events[0], Prepared):
        raise Contradiction("a hand's log begins with its prepare event")
    told = next((event.secret for event in events if isinstance(event, Ended)), secret)
    if told is None:
        raise Contradiction("the secret is not told before the end")
    hand = _prepared(events[0], told)
    following: tuple[Event, ...] = ()
    for event in events[1:]:
        hand, following = advance(hand, event, following)
    return hand


def verify(log: Sequence[bytes | str], previous: str | None = None) -> Report:
    """Checks one hand's sealed events.

    Looked at are: gapless numbers, the chain of digests (``previous`` is the digest of the event before, if known), the
    commitment, the deal, every verdict, shift and end, conservation of cards, the scores.

    Anything may be in ``log``: what is wrong is reported, nothing is raised. After a contradiction the rest can't be
    judged, and only numbers and digests are still looked at.
    """
    events, problems, readable = chain.read(log, previous)
    return Report((*problems, *(_contradictions(events) if readable else ())))


def advance(hand: Hand, event: Event, following: tuple[Event, ...] = ()) -> tuple[Hand, tuple[Event, ...]]:
    """The hand after the event, and what must follow it of the same commit, which the hand holds already.

    ``following`` is what this gave for the event before. Raises :class:`Contradiction` if the rules, asked again, give
    another event.
    """
    if following:
        after, expected = hand, following
    elif isinstance(event, SeatEvent):
        after, expected = _judged_again(hand, event)
    else:
        after, expected = _done_again(hand, event)
    if not expected:
        raise Contradiction(f"event {event.seq}: nothing like it could happen then")
    if expected[0] != event:
        raise Contradiction(f"event {event.seq}: the rules give {encode_body(expected[0])}}}")
    touched = [event.seat] if isinstance(event, SeatEvent) else range(len(after.layouts))
    for seat in touched:
        if not conserved(after, seat):
            raise Contradiction(f"event {event.seq}: seat {seat} has not its 52 cards")
    return after, expected[1:]


def conserved(hand: Hand, seat: int) -> bool:
    """Whether each of the seat's 52 cards is in exactly one place (RD-14)."""
    layout: Layout = hand.layouts[seat]
    lying = [card for pile in (layout.demon, *layout.columns, layout.stock, layout.waste) for card in pile]
    landed = [(f.suit, rank) for f in hand.foundations for rank, slot in enumerate(f.slots, 1) if seat in slot.seats]
    return sorted([(card.suit, card.rank) for card in lying] + landed) == sorted((c.suit, c.rank) for c in DECK)


def _contradictions(events: list[Event]) -> list[str]:
    if len(events) > 1 and isinstance(events[1], AcesDealt):
        wrong_with_game = aces_up.contradiction(events)
        return [wrong_with_game] if wrong_with_game else []
    if not events or not isinstance(events[-1], Ended):
        return ["the log does not reach the end of a hand"]
    if not isinstance(events[0], Prepared):
        return ["the log does not begin with a prepare event"]
    try:
        if commitment(events[-1].secret) != events[0].commitment:
            return ["the secret is not the one that was committed to"]
        replay(events)
    except ValueError as wrong:
        return [str(wrong)]
    return []


def _prepared(event: Prepared, secret: str) -> Hand:
    if not FEWEST_SEATS <= event.seats <= MOST_SEATS:
        raise Contradiction(f"event {event.seq}: {event.seats} seats")
    hand, expected = transitions.prepare(
        (Seat(),) * event.seats,
        match=event.match,
        number=event.hand,
        secret=secret,
        seq=event.seq - 1,
        now_ms=event.at,
    )
    if expected != event:
        raise Contradiction(f"event {event.seq}: the secret is not the one that was committed to")
    return hand


def _judged_again(hand: Hand, event: SeatEvent) -> tuple[Hand, tuple[Event, ...]]:
    """Refused commands are not in the log, so a seat's numbers rise, with gaps."""
    if not 0 <= event.seat < len(hand.seats):
        raise Contradiction(f"event {event.seq}: no seat {event.seat}")
    seat = hand.seats[event.seat]
    if event.n <= seat.last_n:
        raise Contradiction(f"event {event.seq}: command {event.n} of seat {event.seat} was judged before")
    caught_up = replace(seat, last_n=event.n - 1)
    hand = replace(hand, seats=(*hand.seats[: event.seat], caught_up, *hand.seats[event.seat + 1 :]))
    command = Command(event.seat, seat.epoch, event.n, hand.number, event.seen, event.arrived, _action(hand, event))
    after, verdict, expected = judge(hand, command, event.at)
    if not expected:
        raise Contradiction(f"event {event.seq}: the referee refuses it: {verdict.why}")
    return after, expected


def _action(hand: Hand, event: SeatEvent) -> Action:
    """What the seat had asked for."""
    action = asked(event, hand.layouts[event.seat].stock_count if hand.layouts else 0)
    if action is None:
        why = f"{event.to} is no column" if isinstance(event, Moved) else "unknown"
        raise Contradiction(f"event {event.seq}: {why}")
    return action


def _done_again(hand: Hand, event: Event) -> tuple[Hand, tuple[Event, ...]]:
    after, expected = _transition(hand, event)
    return after, () if expected is None else (expected,)


def _transition(hand: Hand, event: Event) -> transitions.Transition:
    now_ms = event.at
    match event:
        case Dealt(options=options, seats=players, start_at=start_at):
            if len(players) != len(hand.seats):
                raise Contradiction(f"event {event.seq}: dealt to {len(players)} of {len(hand.seats)} seats")
            try:
                return transitions.deal(hand, options=options, players=players, start_at=start_at, now_ms=now_ms)
            except OptionError as impossible:
                raise Contradiction(f"event {event.seq}: {impossible}") from None
        case Started():
            return transitions.start(hand, now_ms)
        case Shifted(why=why, away=away):
            _allowed(event, _are_seats(hand, away) and _may_shift(hand, why, away))
            return transitions.shift(hand, why, if_seq=hand.seq, away=away, now_ms=now_ms)
        case Asked(progress=progress):
            return transitions.ask(hand, progress=progress, now_ms=now_ms)
        case Ended(why=why, away=away):
            _allowed(event, _are_seats(hand, away) and _may_end(hand, why, away))
            return transitions.end(hand, why, if_seq=hand.seq, away=away, now_ms=now_ms)
    raise Contradiction(f"event {event.seq}: a second {event.e} in one hand")


def _allowed(event: Event, allowed: bool) -> None:
    if not allowed:
        raise Contradiction(f"event {event.seq}: the table was not as {event.e} says")


def _are_seats(hand: Hand, away: tuple[int, ...]) -> bool:
    return all(0 <= seat < len(hand.seats) for seat in away) and len(set(away)) == len(away)


def _may_shift(hand: Hand, why: ShiftWhy, away: tuple[int, ...]) -> bool:
    """RD-10: all that are present are blocked, or agree. Never one seat alone while others can play."""
    if hand.options.stuck == "end":
        return False
    if why is ShiftWhy.AGREED:
        return agreement(hand.votes, away) is Choice.SHIFT
    return table_blocked(_present(hand, away), hand.foundations, hand.options)


def _may_end(hand: Hand, why: EndWhy, away: tuple[int, ...]) -> bool:
    match why:
        case EndWhy.AGREED:
            return agreement(hand.votes, away) is Choice.END
        case EndWhy.DISPUTED:
            return agreement(hand.votes, away) is Choice.REPLAY
        case EndWhy.DEAD | EndWhy.BLOCKED:
            stuck = dead(_present(hand, away), hand.foundations, hand.options)
            return stuck and (hand.options.stuck == "end") is (why is EndWhy.BLOCKED)
        case EndWhy.CALLED | EndWhy.VOID:
            return True


def _present(hand: Hand, away: tuple[int, ...]) -> list[Layout]:
    return [layout for seat, layout in enumerate(hand.layouts) if seat not in away]
