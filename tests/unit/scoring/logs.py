"""Logs of hands for tests: really played ones, and ones written with whatever scores a test wants."""

from __future__ import annotations

import random
from collections.abc import Sequence

from services.rules import transitions
from services.rules.cards import DECK
from services.rules.events import Dealt, DealtSeat, Ended, EndWhy, Event, Player, Prepared, digest, encode_body, seal
from services.rules.hand import Hand, Phase, Seat
from services.rules.legal_moves import legal_moves
from services.rules.moves import Action, Call, Choice, MoveToColumn, PlayToFoundation, Source, Vote
from services.rules.options import RACING_DEMON, Options
from services.rules.referee import Command, judge
from services.rules.scoring import SeatScore
from services.scoring.finished import Finished
from services.scoring.records import Points

T0 = 1_700_000_000_000
ANN = Player("p-ann", "Ann", False, "a")
BEN = Player("p-ben", "Ben", False, "b")
BOT = Player("p-bot", "Bot", True, "c")


def sealed(events: Sequence[Event], previous: str = "") -> list[bytes]:
    """The events as the log has them."""
    log = []
    for event in events:
        body = encode_body(event)
        previous = digest(previous, body)
        log.append(seal(body, previous).encode())
    return log


def written(
    points: Sequence[int],
    *,
    hand: int = 1,
    match: str = "m1",
    why: EndWhy = EndWhy.CALLED,
    players: Sequence[Player] = (ANN, BEN),
    options: Options = RACING_DEMON,
    first: int = 1,
    at: int = T0,
) -> list[bytes]:
    """A whole hand in three events that ends with these points. Nothing but its shape is right."""
    fresh = DealtSeat(13, DECK[12], DECK[13:17], 35)
    scores = () if not why.counts else tuple(SeatScore(i, max(0, p), max(0, -p), p) for i, p in enumerate(points))
    return sealed(
        [
            Prepared(first, at, hand, match, len(players), "00"),
            Dealt(first + 1, at + 10, hand, match, options, "00", tuple(players), at, (fresh,) * len(players)),
            Ended(first + 2, at + 60_000, hand, match, why, (0,) if why is EndWhy.CALLED else (), (), (), "00", scores),
        ],
        "" if first == 1 else "0123456789abcdef",
    )


def trusting(log: Sequence[bytes]) -> tuple[Points, ...] | None:
    """A recount that believes the ``end`` event: for logs of :func:`written`."""
    from services.rules.events import parse

    end = parse(log[-1])
    assert isinstance(end, Ended)
    if not end.why.counts:
        return None
    return tuple(Points(score.foundation, score.demon, score.points) for score in end.scores)


def entry_of(log: Sequence[bytes], *, table: str = "t1", hand: int = 1, match: str = "m1", first: int = 1) -> Finished:
    """What the finished stream says of a log."""
    return Finished(table, match, hand, first, first + len(log) - 1)


def played(
    seed: int,
    *,
    hand: int = 1,
    match: str = "m1",
    seq: int = 0,
    players: Sequence[Player] = (ANN, BEN),
    options: Options = RACING_DEMON,
    commands: int = 300,
    why: EndWhy | None = None,
) -> list[bytes]:
    """A hand played by the rules: by seats that like foundations best, until one calls or all agree to stop.

    With ``why`` it is broken off before, and all agree to have it dealt again, or it is given up.
    """
    chance = random.Random(seed)
    state, prepared = transitions.prepare(
        (Seat(),) * len(players), match=match, number=hand, secret=f"{seed:064x}", seq=seq, now_ms=T0
    )
    events: list[Event] = [prepared]
    now = T0 + 10

    def keep(outcome: tuple[Hand, Event | None]) -> Hand:
        if outcome[1] is not None:
            events.append(outcome[1])
        return outcome[0]

    def command(seat: int, action: Action) -> Hand:
        n = state.seats[seat].last_n + 1
        after, _, happened = judge(state, Command(seat, 0, n, hand, state.seq, now, action), now)
        events.extend(happened)
        return after

    state = keep(transitions.deal(state, options=options, players=players, start_at=now, now_ms=now))
    state = keep(transitions.start(state, now))
    for _ in range(commands if why is None else 20):
        now += chance.randrange(5, 900)
        seat = chance.randrange(len(players))
        choices = legal_moves(state.layouts[seat], state.foundations, options)
        if choices:
            state = command(seat, max(choices, key=lambda c: (_liking(c), chance.random())))
        if state.phase is Phase.CLOSING and state.closes_at is not None:
            return sealed([*events, *_last(transitions.end(state, EndWhy.CALLED, now_ms=state.closes_at))])
    choice = Choice.REPLAY if why is EndWhy.DISPUTED else Choice.END
    for seat in range(len(players)) if why is not EndWhy.VOID else ():
        state = command(seat, Vote(choice, state.progress))
    return sealed([*events, *_last(transitions.end(state, why or EndWhy.AGREED, now_ms=now + 1, if_seq=state.seq))])


def _last(outcome: tuple[Hand, Event | None]) -> list[Event]:
    assert outcome[1] is not None
    return [outcome[1]]


def _liking(action: Action) -> int:
    match action:
        case Call():
            return 4
        case PlayToFoundation():
            return 3
        case MoveToColumn(source=Source.DEMON | Source.WASTE):
            return 2
        case MoveToColumn():
            return 0
    return 1
