"""What a seat could usefully do now, from what everybody sees, and how much each of it is worth to a good player.

Useful is what makes progress (RD-10 a), or makes it possible: a tail that uncovers a card for a foundation, a whole
column that goes onto another and leaves a gap for the demon, and, if nothing else is in sight, the first of several
tails that lead there. Moving tails about for anything else is not considered: a column's end that a tail uncovers is
no better to build on than the one that it covers.

The weights follow the usual advice: the demon first, since a card that leaves it is worth its penalty and one more on a
foundation; aces at once; then what others could take away; gaps are for the demon; build columns that help it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from services.rules.cards import ACE, Card, builds_down
from services.rules.layout import Pile
from services.rules.moves import COLUMN, MoveToColumn, PlayToFoundation, Source, tail_length
from services.rules.options import Options
from services.rules.teams import teams
from services.rules.view import SeatView, TableView

DEMON_UP: Final = 80.0
DEMON_DOWN: Final = 60.0
DEMON_TO_GAP: Final = 50.0
GAP_FOR_DEMON: Final = 30.0
HELPS_DEMON: Final = 20.0
PENALTY: Final = 15.0
"""More for each of the five above, for each point that a card in the demon costs."""
ACE_UP: Final = 105.0
WASTE_UP: Final = 75.0
COLUMN_UP: Final = 70.0
CONTESTED: Final = 45.0
"""More for a foundation that another side's open card fits too."""
LEFT_TO_PARTNER: Final = 20.0
"""Less for a foundation that a partner's demon wants."""
UNCOVERS: Final = 55.0
WASTE_DOWN: Final = 20.0
WASTE_TO_GAP: Final = 15.0
LEADS_THERE: Final = 10.0

Columns = tuple[Pile, ...]
Place = tuple[str, int]
"""Suit and rank of the card that a foundation waits for."""


class Aim(StrEnum):
    """What a useful move is good for."""

    ACE_UP = "ace_to_foundation"
    DEMON_UP = "demon_to_foundation"
    WASTE_UP = "waste_to_foundation"
    COLUMN_UP = "column_to_foundation"
    DEMON_DOWN = "demon_to_column"
    DEMON_TO_GAP = "demon_to_gap"
    GAP_FOR_DEMON = "column_for_gap"
    UNCOVERS = "tail_uncovers"
    LEADS_THERE = "tail_leads_on"
    HELPS_DEMON = "waste_helps_demon"
    WASTE_DOWN = "waste_to_column"
    WASTE_TO_GAP = "waste_to_gap"


@dataclass(frozen=True, slots=True)
class Useful:
    """A move, its worth (more is better), and what it is good for."""

    move: PlayToFoundation | MoveToColumn
    worth: float
    aim: Aim

    @property
    def shuffles(self) -> bool:
        """Whether it only moves a tail, which by itself is no progress."""
        return isinstance(self.move, MoveToColumn) and self.move.source in COLUMN


def useful_moves(view: TableView, seat: int) -> list[Useful]:
    """All useful moves of ``seat`` in a running hand; nothing else is needed from the view's other parts."""
    mine, options = view.seats[seat], view.options
    places = open_places(view)
    found = [
        *_valued_by_rivals(view, seat, list(_up(mine, places, options))),
        *_demon_down(mine, options),
        *_tails(mine, places, options),
        *_waste_down(mine, options),
    ]
    return found or list(_leading_on(mine, places))


def open_places(view: TableView) -> set[Place]:
    """What the foundations wait for; aces open one wherever they come from."""
    return {(f.suit, f.height + 1) for f in view.foundations}


def goes_up(card: Card, places: set[Place]) -> bool:
    """Whether a foundation takes the card now."""
    return card.rank == ACE or (card.suit, card.rank) in places


def _up(mine: SeatView, places: set[Place], options: Options) -> Iterator[Useful]:
    demon_up = DEMON_UP + PENALTY * options.demon_penalty
    tops: list[tuple[Source, Card | None, float, Aim]] = [
        (Source.DEMON, mine.demon_top, demon_up, Aim.DEMON_UP),
        (Source.WASTE, mine.waste_top, WASTE_UP, Aim.WASTE_UP),
    ]
    tops += [(source, column[-1], COLUMN_UP, Aim.COLUMN_UP) for source, column in _columns(mine)]
    for source, card, worth, aim in tops:
        if card is not None and goes_up(card, places):
            ace = card.rank == ACE
            yield Useful(
                PlayToFoundation(source, card), max(worth, ACE_UP) if ace else worth, Aim.ACE_UP if ace else aim
            )


def _valued_by_rivals(view: TableView, seat: int, up: list[Useful]) -> list[Useful]:
    """More for places that another side wants too, less for those that a partner's demon wants.

    An ace opens a foundation of its own, so nobody can take its place.
    """
    if all(move.aim is Aim.ACE_UP for move in up):
        return up  # what others have doesn't matter
    side = next(team for team in teams(len(view.seats), view.options) if seat in team)
    rivals = {place for i, other in enumerate(view.seats) if i not in side for place in _wanted(other)}
    partners = {_place(top) for i in side if i != seat and (top := view.seats[i].demon_top)}
    return [_valued(move, rivals, partners) for move in up]


def _valued(up: Useful, rivals: set[Place], partners: set[Place]) -> Useful:
    if up.aim is Aim.ACE_UP:
        return up
    place = _place(up.move.card)
    more = CONTESTED if place in rivals else 0.0
    less = LEFT_TO_PARTNER if place in partners and up.aim is not Aim.DEMON_UP else 0.0
    return replace(up, worth=up.worth + more - less)


def _wanted(seat: SeatView) -> Iterator[Place]:
    """The places that the seat's available cards want."""
    for card in (seat.demon_top, seat.waste_top, *(column[-1] for column in seat.columns if column)):
        if card is not None:
            yield _place(card)


def _place(card: Card) -> Place:
    return card.suit, card.rank


def _demon_down(mine: SeatView, options: Options) -> Iterator[Useful]:
    top, penalty = mine.demon_top, PENALTY * options.demon_penalty
    if top is None:
        return
    for i, column in enumerate(mine.columns):
        if not column:
            yield Useful(MoveToColumn(Source.DEMON, top, i), DEMON_TO_GAP + penalty, Aim.DEMON_TO_GAP)
        elif builds_down(top, column[-1]):
            yield Useful(MoveToColumn(Source.DEMON, top, i), DEMON_DOWN + penalty, Aim.DEMON_DOWN)


def _tails(mine: SeatView, places: set[Place], options: Options) -> Iterator[Useful]:
    for source, column in _columns(mine):
        for n in range(1, tail_length(column) + 1):
            below = column[-n - 1] if n < len(column) else None
            if below is None:
                worth, aim = GAP_FOR_DEMON + PENALTY * options.demon_penalty, Aim.GAP_FOR_DEMON
            else:
                worth, aim = UNCOVERS, Aim.UNCOVERS
            if (mine.demon_top is None) if below is None else not goes_up(below, places):
                continue
            for j, target in enumerate(mine.columns):
                if COLUMN[j] is not source and target and builds_down(column[-n], target[-1]):
                    yield Useful(MoveToColumn(source, column[-n], j), worth, aim)


def _waste_down(mine: SeatView, options: Options) -> Iterator[Useful]:
    card, demon = mine.waste_top, mine.demon_top
    if card is None:
        return
    worth, aim = WASTE_DOWN, Aim.WASTE_DOWN
    if demon is not None and builds_down(demon, card):
        worth, aim = HELPS_DEMON + PENALTY * options.demon_penalty, Aim.HELPS_DEMON
    for i, column in enumerate(mine.columns):
        if column and builds_down(card, column[-1]):
            yield Useful(MoveToColumn(Source.WASTE, card, i), worth, aim)
        elif not column and demon is None and options.gap_fill == "any":
            yield Useful(MoveToColumn(Source.WASTE, card, i), WASTE_TO_GAP, Aim.WASTE_TO_GAP)


def _leading_on(mine: SeatView, places: set[Place]) -> Iterator[Useful]:
    """The first of the fewest tails after which a card goes up, or the demon finds a gap (RD-10 b).

    For a seat with cards in its demon the search ends at the first gap, so it stays small; one without should call.
    """
    if mine.demon_top is None:
        return
    known = {frozenset(mine.columns)}
    waiting: deque[tuple[Columns, MoveToColumn | None]] = deque([(mine.columns, None)])
    while waiting:
        columns, first = waiting.popleft()
        for move, following in _tail_moves(columns):
            if not all(following) or any(goes_up(column[-1], places) for column in following):
                yield Useful(first or move, LEADS_THERE, Aim.LEADS_THERE)
                return
            if (key := frozenset(following)) not in known:
                known.add(key)
                waiting.append((following, first or move))


def _tail_moves(columns: Columns) -> Iterator[tuple[MoveToColumn, Columns]]:
    """Every tail that fits another column, and the columns after it."""
    for i, column in enumerate(columns):
        for n in range(1, tail_length(column) + 1):
            for j, target in enumerate(columns):
                if i != j and target and builds_down(column[-n], target[-1]):
                    moved = list(columns)
                    moved[i], moved[j] = column[:-n], target + column[-n:]
                    yield MoveToColumn(COLUMN[i], column[-n], j), tuple(moved)


def _columns(mine: SeatView) -> Sequence[tuple[Source, Pile]]:
    return [(source, column) for source, column in zip(COLUMN, mine.columns, strict=True) if column]
