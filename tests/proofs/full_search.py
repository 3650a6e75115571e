"""RD-10 (b) as it is said: every sequence of a seat's own moves, the stock turned too, is tried.

It shares nothing with ``services/rules/blocked.py`` and nothing with ``legal_moves``: whatever can be said is asked of
``moves.apply``, and whether a foundation takes a card is looked up here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from services.rules import moves
from services.rules.foundation import Foundation
from services.rules.layout import Layout, Pile
from services.rules.moves import COLUMN, Action, Applied, MoveToColumn, PlayToFoundation, Recycle, Source, Turn
from services.rules.options import Options


def can_progress(layout: Layout, foundations: Collection[Foundation], options: Options) -> bool:
    """Whether some sequence of own moves brings a card to a foundation, or out of demon, stock or waste (RD-10 a)."""
    heights = {(foundation.suit, len(foundation.slots)) for foundation in foundations}
    known, waiting = {layout}, [layout]
    while waiting:
        current = waiting.pop()
        for action in _sayable(current):
            applied = moves.apply(current, action, options)
            if not isinstance(applied, Applied):
                continue
            if isinstance(action, PlayToFoundation):
                rank = action.card.rank
                if rank == 1 or (action.card.suit, rank - 1) in heights:
                    return True
            elif len(_unplayed(applied.layout)) < len(_unplayed(current)):
                return True
            elif applied.layout not in known:
                known.add(applied.layout)
                waiting.append(applied.layout)
    return False


def _unplayed(layout: Layout) -> Pile:
    return (*layout.demon, *layout.stock, *layout.waste)


def _sayable(layout: Layout) -> Iterator[Action]:
    """Every move of every face-up card of the seat to every place, and what can be done with the stock."""
    yield Turn(len(layout.stock))
    yield Recycle()
    piles: list[tuple[Source, Pile]] = [(Source.DEMON, layout.demon[-1:]), (Source.WASTE, layout.waste[-1:])]
    piles += zip(COLUMN, layout.columns, strict=True)
    for source, pile in piles:
        for card in pile:
            yield PlayToFoundation(source, card)
            for column in range(len(COLUMN)):
                yield MoveToColumn(source, card, column)
