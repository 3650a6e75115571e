"""A whole hand, played on paper: its sealed log, as a table's first hand would leave it."""

from __future__ import annotations

from random import Random

from services.rules import transitions
from services.rules.events import EndWhy, Event, Player, digest, encode_body, seal
from services.rules.hand import Hand, Seat
from services.rules.legal_moves import legal_moves
from services.rules.moves import Call, MoveToColumn, PlayToFoundation, Recycle, Source, Turn
from services.rules.options import RACING_DEMON, Options
from services.rules.referee import Command, judge

PLAYERS = tuple(Player(f"p{seat}", f"Player {seat}", True, f"nonce {seat}") for seat in range(8))


def log(
    match: str = "m1", number: int = 1, seed: int = 1, options: Options = RACING_DEMON, seats: int = 3
) -> list[bytes]:
    """The events of a hand that somebody calls."""
    players = PLAYERS[:seats]
    hand, first = transitions.prepare(
        [Seat(epoch=1)] * seats, match=match, number=number, secret=f"{seed:064x}", seq=0, now_ms=1
    )
    events: list[Event] = [first]
    hand = _after(events, transitions.deal(hand, options=options, players=players, start_at=2, now_ms=2))
    hand = _after(events, transitions.start(hand, 3))
    random, now = Random(seed), 4
    while not hand.callers and now < 2000:
        for seat in range(seats):
            now += 1
            command = Command(seat, 1, hand.seats[seat].last_n + 1, number, hand.seq, now, _choose(hand, seat, random))
            hand, _, happened = judge(hand, command, now)
            events.extend(happened)
    assert hand.closes_at is not None, "nobody called: take another seed"
    _after(events, transitions.end(hand, EndWhy.CALLED, now_ms=hand.closes_at))
    return sealed(events)


def sealed(events: list[Event]) -> list[bytes]:
    """The events with their chain of digests, beginning with a table's first."""
    chain, out = "", []
    for event in events:
        body = encode_body(event)
        chain = digest(chain, body)
        out.append(seal(body, chain).encode())
    return out


def _after(events: list[Event], transition: tuple[Hand, Event | None]) -> Hand:
    hand, event = transition
    assert event is not None
    events.append(event)
    return hand


def _choose(hand: Hand, seat: int, random: Random) -> PlayToFoundation | MoveToColumn | Turn | Recycle | Call:
    moves = legal_moves(hand.layouts[seat], hand.foundations, hand.options)
    kinds = (Call, PlayToFoundation, MoveToColumn, Turn, Recycle)
    useful = [m for m in moves if not (isinstance(m, MoveToColumn) and m.source not in (Source.DEMON, Source.WASTE))]
    chosen = min(useful or [Turn(0)], key=lambda move: (kinds.index(type(move)), random.random()))
    assert isinstance(chosen, kinds)
    return chosen
