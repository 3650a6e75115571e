"""What a seat could usefully do now, and how much each of it is worth to a player who plays well. Pure.

Useful is what makes progress (RD-10 a), or makes it possible at once: a tail that uncovers a card for a foundation, or
a whole column that goes onto another and leaves a gap for the demon. Moving tails about for anything else is not
considered: a column's end that a tail uncovers is no better to build on than the one that it covers.

The weights follow the usual advice: the demon first, since a card that leaves it is worth two points and one more on a
foundation; aces at once; then what others could take away; gaps are for the demon; build columns that help it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from services.rules.cards import ACE, Card, builds_down
from services.rules.moves import COLUMN, MoveToColumn, PlayToFoundation, Source, tail_length
from services.rules.view import SeatView, TableView

DEMON_UP: Final = 110.0
ACE_UP: Final = 105.0
DEMON_DOWN: Final = 90.0
DEMON_TO_GAP: Final = 80.0
WASTE_UP: Final = 75.0
COLUMN_UP: Final = 70.0
CONTESTED: Final = 25.0
"""More for a foundation that another seat's open card fits too."""
GAP_FOR_DEMON: Final = 60.0
UNCOVERS: Final = 55.0
HELPS_DEMON: Final = 50.0
WASTE_DOWN: Final = 20.0
WASTE_TO_GAP: Final = 15.0

Place = tuple[str, int]
"""Suit and rank of the card that a foundation waits for."""


@dataclass(frozen=True, slots=True)
class Useful:
    """A move and its worth; more is better."""

    move: PlayToFoundation | MoveToColumn
    worth: float

    @property
    def shuffles(self) -> bool:
        """Whether it only moves a tail, which by itself is no progress."""
        return isinstance(self.move, MoveToColumn) and self.move.source in COLUMN


def useful_moves(view: TableView, seat: int) -> list[Useful]:
    """All useful moves of ``seat`` in a running hand."""
    mine = view.seats[seat]
    places = {(f.suit, f.height + 1) for f in view.foundations}
    up = list(_up(mine, places))
    if up:  # only then it matters what others have
        rivals = {place for i, other in enumerate(view.seats) if i != seat for place in _open_places(other)}
        up = [_contested(move) if (move.move.card.suit, move.move.card.rank) in rivals else move for move in up]
    only_demon_fills_gaps = view.options.gap_fill == "demon_only"
    return [*up, *_demon_down(mine), *_tails(mine, places), *_waste_down(mine, only_demon_fills_gaps)]


def _open_places(seat: SeatView) -> Iterator[Place]:
    """The places that the seat's available cards want."""
    for card in (seat.demon_top, seat.waste_top, *(column[-1] for column in seat.columns if column)):
        if card is not None:
            yield card.suit, card.rank


def _goes_up(card: Card, places: set[Place]) -> bool:
    return card.rank == ACE or (card.suit, card.rank) in places


def _up(mine: SeatView, places: set[Place]) -> Iterator[Useful]:
    tops: list[tuple[Source, Card | None, float]] = [
        (Source.DEMON, mine.demon_top, DEMON_UP),
        (Source.WASTE, mine.waste_top, WASTE_UP),
    ]
    tops += [(source, column[-1], COLUMN_UP) for source, column in _columns(mine)]
    for source, card, worth in tops:
        if card is not None and _goes_up(card, places):
            yield Useful(PlayToFoundation(source, card), max(worth, ACE_UP) if card.rank == ACE else worth)


def _contested(up: Useful) -> Useful:
    """An ace opens a foundation of its own, so nobody can take its place."""
    return up if up.move.card.rank == ACE else Useful(up.move, up.worth + CONTESTED)


def _demon_down(mine: SeatView) -> Iterator[Useful]:
    top = mine.demon_top
    if top is None:
        return
    for i, column in enumerate(mine.columns):
        if not column:
            yield Useful(MoveToColumn(Source.DEMON, top, i), DEMON_TO_GAP)
        elif builds_down(top, column[-1]):
            yield Useful(MoveToColumn(Source.DEMON, top, i), DEMON_DOWN)


def _tails(mine: SeatView, places: set[Place]) -> Iterator[Useful]:
    for source, column in _columns(mine):
        for n in range(1, tail_length(column) + 1):
            below = column[-n - 1] if n < len(column) else None
            worth = GAP_FOR_DEMON if below is None else UNCOVERS
            if (mine.demon_top is None) if below is None else not _goes_up(below, places):
                continue
            for j, target in enumerate(mine.columns):
                if COLUMN[j] is not source and target and builds_down(column[-n], target[-1]):
                    yield Useful(MoveToColumn(source, column[-n], j), worth)


def _waste_down(mine: SeatView, only_demon_fills_gaps: bool) -> Iterator[Useful]:
    card, demon = mine.waste_top, mine.demon_top
    if card is None:
        return
    worth = HELPS_DEMON if demon is not None and builds_down(demon, card) else WASTE_DOWN
    for i, column in enumerate(mine.columns):
        if column and builds_down(card, column[-1]):
            yield Useful(MoveToColumn(Source.WASTE, card, i), worth)
        elif not column and demon is None and not only_demon_fills_gaps:
            yield Useful(MoveToColumn(Source.WASTE, card, i), WASTE_TO_GAP)


def _columns(mine: SeatView) -> Sequence[tuple[Source, tuple[Card, ...]]]:
    return [(source, column) for source, column in zip(COLUMN, mine.columns, strict=True) if column]
