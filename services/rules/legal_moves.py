"""Every action that a seat may take now. Works on a layout, or on what anybody sees of it (``view``).

"Legal" is what the referee accepts from a player who has seen everything so far. Votes are left out: they are always
legal in a running hand, if they name the current progress.

>>> from services.rules.layout import Layout
>>> from services.rules.options import Options
>>> layout = Layout.decode("5C4D|KS|9H|TS|2C|3C4C5S|")
>>> for action in legal_moves(layout, (), Options()):
...     print(action)
MoveToColumn(source=<Source.C1: 'c1'>, card=9H, column=2)
Turn(stock=3)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from services.rules.cards import ACE, Card, builds_down
from services.rules.layout import Pile
from services.rules.moves import (
    COLUMN,
    Action,
    Call,
    MoveToColumn,
    PlayToFoundation,
    Recycle,
    Source,
    Turn,
    tail_length,
)
from services.rules.options import Options


class Sight(Protocol):
    """What decides a seat's legal moves: nothing of it is hidden."""

    @property
    def demon_top(self) -> Card | None:
        """The demon's open card."""

    @property
    def waste_top(self) -> Card | None:
        """The waste's only available card."""

    @property
    def columns(self) -> tuple[Pile, Pile, Pile, Pile]:
        """All face up, the exposed end last."""

    @property
    def stock_count(self) -> int:
        """How many cards are in the stock."""


class Height(Protocol):
    """What decides whether a foundation takes a card."""

    @property
    def suit(self) -> str:
        """One of ``CDHS``."""

    @property
    def height(self) -> int:
        """The rank on top."""


def legal_moves(layout: Sight, foundations: Sequence[Height], options: Options) -> list[Action]:
    """All legal actions but votes.

    Plays to foundations (to any, then to each that takes the card), moves to columns, then the stock and the call.
    """
    actions = [*_to_foundations(layout, foundations), *_to_columns(layout, options)]
    if layout.stock_count:
        actions.append(Turn(layout.stock_count))
    elif layout.waste_top is not None:
        actions.append(Recycle())
    if layout.demon_top is None:
        actions.append(Call())
    return actions


def _available(layout: Sight) -> list[tuple[Source, Card]]:
    """The cards that may be played singly."""
    found = [(source, column[-1]) for source, column in zip(COLUMN, layout.columns, strict=True) if column]
    if layout.demon_top is not None:
        found.insert(0, (Source.DEMON, layout.demon_top))
    if layout.waste_top is not None:
        found.append((Source.WASTE, layout.waste_top))
    return found


def _to_foundations(layout: Sight, foundations: Sequence[Height]) -> Iterator[Action]:
    taking: dict[tuple[str, int], list[int]] = {}
    for f, foundation in enumerate(foundations):
        taking.setdefault((foundation.suit, foundation.height + 1), []).append(f)
    for source, card in _available(layout):
        if card.rank == ACE:
            yield PlayToFoundation(source, card)
        elif places := taking.get((card.suit, card.rank)):
            yield PlayToFoundation(source, card)
            for f in places:
                yield PlayToFoundation(source, card, f)


def _to_columns(layout: Sight, options: Options) -> Iterator[Action]:
    only_demon_fills_gaps = options.gap_fill == "demon_only"
    for source, heads in _heads(layout):
        for i, target in enumerate(layout.columns):
            if source is COLUMN[i] or (not target and only_demon_fills_gaps and source is not Source.DEMON):
                continue
            for head in heads:
                if not target or builds_down(head, target[-1]):
                    yield MoveToColumn(source, head, i)


def _heads(layout: Sight) -> Iterator[tuple[Source, Pile]]:
    """Each source with the cards that may go to a column from there, in a column with all that lies on them."""
    if layout.demon_top is not None:
        yield Source.DEMON, (layout.demon_top,)
    for source, column in zip(COLUMN, layout.columns, strict=True):
        if column:
            yield source, column[-tail_length(column) :]
    if layout.waste_top is not None:
        yield Source.WASTE, (layout.waste_top,)
