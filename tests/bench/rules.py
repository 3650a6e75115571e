"""B8: the rules on one core: legal moves and a play, again and again, on tables that play reaches; hands of bots."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Final

from services.bots.judgement import Strength
from services.cli.process import Say
from services.rules import transitions
from services.rules.events import Player
from services.rules.hand import Hand, Phase, Seat
from services.rules.legal_moves import legal_moves
from services.rules.moves import Call
from services.rules.options import Options
from services.rules.referee import Command, judge
from tests.bench.results import Figure, Samples
from tests.unit.bots.paper_match import PaperHand

ROUNDS: Final = 5
PLAYS: Final = 20_000
SEATS: Final = 4
HANDS: Final = 4
NOON: Final = 1_700_000_000_000


async def measure(say: Say) -> list[Figure]:
    """The figures; about a minute."""
    return await asyncio.to_thread(_measure, say)


def _measure(say: Say) -> list[Figure]:
    plays, hands = [], []
    for round_ in range(ROUNDS):
        plays.append(_plays(round_))
        hands.append(_hands(round_))
        say("b8", f"{plays[-1]:,.0f} plays/s, {hands[-1]:.1f} hands/s")
    return [
        Figure("B8", "legal moves and a play, judged", "1/s", Samples(tuple(plays)), bar="20,000"),
        Figure("B8", f"whole hands of {SEATS} bots", "1/s", Samples(tuple(hands))),
    ]


def _plays(seed: int) -> float:
    """Plays a second: what the seat may do is found, one of it is chosen by chance and judged."""
    rng, done, spent = random.Random(seed), 0, 0.0
    while done < PLAYS:
        hand, now = _begun(rng), NOON
        began = time.perf_counter()
        for _ in range(600):
            seat = rng.randrange(SEATS)
            moves = legal_moves(hand.layouts[seat], hand.foundations, hand.options)
            chosen = moves[rng.randrange(len(moves))] if moves else None
            if chosen is None or isinstance(chosen, Call):
                continue
            now += 10
            asked = Command(seat, 0, hand.seats[seat].last_n + 1, 1, hand.seq, now, chosen)
            hand = judge(hand, asked, now).hand
            done += 1
        spent += time.perf_counter() - began
    return done / spent


def _begun(rng: random.Random) -> Hand:
    players = [Player(f"p{i}", f"Player {i}", bot=False, nonce=str(rng.random())) for i in range(SEATS)]
    secret, seats = f"{rng.getrandbits(256):064x}", (Seat(),) * SEATS
    hand, _ = transitions.prepare(seats, match="m", number=1, secret=secret, seq=0, now_ms=NOON)
    hand, _ = transitions.deal(hand, options=Options(), players=players, start_at=NOON, now_ms=NOON)
    hand, _ = transitions.start(hand, NOON)
    assert hand.phase is Phase.PLAYING
    return hand


def _hands(seed: int) -> float:
    began = time.perf_counter()
    for number in range(HANDS):
        PaperHand([Strength.MEDIUM] * SEATS, seed * HANDS + number).play()
    return HANDS / (time.perf_counter() - began)
