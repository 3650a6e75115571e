"""Random positions in which seats are likely to be stuck, and the literal search that says whether one is."""

from __future__ import annotations

import random
from collections.abc import Sequence

from services.rules import moves
from services.rules.blocked import seat_blocked
from services.rules.cards import DECK, SUITS, Card, builds_down
from services.rules.foundation import Foundation
from services.rules.landing import Arrival, Landed, land
from services.rules.layout import Layout, Pile
from services.rules.legal_moves import legal_moves
from services.rules.moves import Applied, MoveToColumn, PlayToFoundation, Recycle, Turn
from services.rules.options import RACING_DEMON, Options
from tests.unit.rules.hands import built


def random_foundations(rng: random.Random) -> tuple[Foundation, ...]:
    """Some of every suit, so that aces and some more of a deck may lie there."""
    return tuple(built(suit, rng.choice((1, 2, 5, 9, 12, 13))) for suit in SUITS for _ in range(rng.randint(1, 2)))


def random_layout(rng: random.Random, foundations: Sequence[Foundation]) -> Layout:
    """A seat late in a hand: its low cards are up, what is left lies in long columns, a small stock and waste."""
    up = {suit: rng.choice((1, 2, 4, 8)) for suit in SUITS}
    left = [card for card in DECK if card.rank > up[card.suit]]
    rng.shuffle(left)
    demon = _taken(left, rng.choice((0, 0, 1, 3, 9)))
    stock, waste = _taken(left, rng.choice((0, 0, 0, 1, 2, 4, 7))), _taken(left, rng.choice((0, 0, 1, 2, 3, 5)))
    c0, c1, c2, c3 = _columns(left, rng.choice((0, 0, 1)) if not demon else 0)
    return Layout(demon, (c0, c1, c2, c3), stock, waste)


def blocked_layout(rng: random.Random, foundations: Sequence[Foundation], options: Options) -> Layout | None:
    """A stuck seat, or None if some tries find none."""
    for _ in range(60):
        layout = random_layout(rng, foundations)
        if seat_blocked(layout, foundations, options):
            return layout
    return None


def literally_blocked(layout: Layout, foundations: tuple[Foundation, ...], options: Options) -> bool:
    """RD-10 (b) as it is said: every sequence of the seat's own moves, the stock turned too, is tried."""
    known, waiting = {layout}, [layout]
    while waiting:
        current = waiting.pop()
        for action in legal_moves(current, (), options):
            if isinstance(action, MoveToColumn | Turn | Recycle):
                applied = moves.apply(current, action, options)
                assert isinstance(applied, Applied)
                if applied.progress:
                    return False
                if applied.layout not in known:
                    known.add(applied.layout)
                    waiting.append(applied.layout)
        if any(_goes_up(play, foundations) for play in _plays(current)):
            return False
    return True


def _plays(layout: Layout) -> list[PlayToFoundation]:
    tops = [(moves.Source.DEMON, layout.demon), (moves.Source.WASTE, layout.waste)]
    tops += zip(moves.COLUMN, layout.columns, strict=True)
    return [PlayToFoundation(source, pile[-1]) for source, pile in tops if pile]


def _goes_up(play: PlayToFoundation, foundations: tuple[Foundation, ...]) -> bool:
    seen_it_all = Arrival(seat=0, seen=1_000, arrived_ms=0, seq=1_001, now_ms=0)
    return isinstance(land(foundations, play, seen_it_all, RACING_DEMON), Landed)


def _taken(cards: list[Card], count: int) -> Pile:
    taken = tuple(cards[:count])
    del cards[:count]
    return taken


def _columns(left: list[Card], gaps: int) -> list[Pile]:
    """All the cards left: any cards covered, then tails in order as far as they go."""
    columns: list[Pile] = [() for _ in range(4 - gaps)]
    covered = len(left) // 2
    for card in (*left[:covered], *sorted(left[covered:], key=lambda card: -card.rank)):
        fitting = [i for i, column in enumerate(columns) if column and builds_down(card, column[-1])]
        i = fitting[0] if fitting else min(range(len(columns)), key=lambda i: len(columns[i]))
        columns[i] += (card,)
    return [*columns, *[()] * gaps]
