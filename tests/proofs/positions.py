"""Positions to prove things on: those that hands come to, of bots and of seats that do anything, and made-up ones."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Final

from services.bots.judgement import Strength
from services.rules.blocked import seat_blocked
from services.rules.foundation import Foundation
from services.rules.hand import Hand
from services.rules.layout import Layout
from services.rules.legal_moves import legal_moves
from services.rules.moves import Applied, apply
from services.rules.options import PAIRS_SEATS, PRESETS, Options
from tests.unit.bots.paper_match import PaperHand
from tests.unit.rules.hands import History
from tests.unit.rules.positions import random_foundations, random_layout

Foundations = tuple[Foundation, ...]
Position = tuple[Layout, Foundations, Options]

HOUSES: Final = tuple(
    Options(draw=draw, gap_fill=gaps, passes=passes, stuck="shift" if passes == "unlimited" else "end")
    for draw in (3, 1)
    for gaps in ("any", "demon_only")
    for passes in ("unlimited", 1)
)
"""Every combination of the options that bear on whether a seat is blocked."""
PLAYED: Final = (*HOUSES, Options(demon_size=5), Options(demon_size=20), Options(stuck="end"), *PRESETS.values())


def played(rng: random.Random) -> Iterator[Sequence[Hand]]:
    """All states of one hand after another: of 2 to 8 seats, small tables more often, by every house rule."""
    while True:
        options, seats = rng.choice(PLAYED), rng.choice((2, 2, 2, 3, 3, 4, 5, 6, 7, 8))
        if options.teams == "pairs":
            seats = rng.choice(PAIRS_SEATS)
        yield _of_bots(rng, options, seats) if rng.random() < 0.7 else _of_anybody(rng, options, seats)


def quiet(rng: random.Random) -> Iterator[Position]:
    """Seats in some states of played hands that have no progress at hand, where it is worth asking; and a few more."""
    for states in played(rng):
        for hand in rng.sample(states, min(12, len(states))):
            for layout in hand.layouts:
                legal = legal_moves(layout, hand.foundations, hand.options)
                made = [apply(layout, action, hand.options) for action in legal]
                if rng.random() < 0.05 or not any(isinstance(one, Applied) and one.progress for one in made):
                    yield layout, hand.foundations, hand.options


def stuck_together(rng: random.Random) -> Iterator[tuple[list[Layout], Foundations, Options]]:
    """Seats of played hands that were stuck at the same moment (the others may have gone away), where stocks shift."""
    for states in played(rng):
        if states[0].options.stuck == "end":
            continue
        tables = {}
        for hand in states:
            stuck = [layout for layout in hand.layouts if seat_blocked(layout, hand.foundations, hand.options)]
            if len(stuck) > 1:
                tables[tuple(stuck), hand.progress] = (stuck, hand.foundations, hand.options)
        yield from rng.sample(list(tables.values()), min(8, len(tables)))


def made_up(rng: random.Random) -> Iterator[Position]:
    """Seats late in a hand that never was."""
    for options in cycle(HOUSES):
        foundations = random_foundations(rng)
        yield random_layout(rng, foundations), foundations, options


def _of_bots(rng: random.Random, options: Options, seats: int) -> list[Hand]:
    hands: list[Hand] = []
    paper = PaperHand(
        [rng.choice(tuple(Strength)) for _ in range(seats)],
        seed=rng.getrandbits(32),
        options=options,
        watch=hands.append,
    )
    paper.play()
    return hands[3:-1]


def _of_anybody(rng: random.Random, options: Options, seats: int) -> list[Hand]:
    return History(rng.getrandbits(32), seats=seats, options=options).play(500).hands[3:-1]
