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

from collections.abc import Sequence
from typing import Protocol

from services.rules.cards import ACE, Card
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
    movable,
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
    sources = _sources(layout)
    actions: list[Action] = []
    _to_foundations(sources, foundations, actions)
    _to_columns(sources, layout.columns, options, actions)
    if layout.stock_count:
        actions.append(Turn(layout.stock_count))
    elif layout.waste_top is not None and options.passes != 1:
        actions.append(Recycle())
    if layout.demon_top is None:
        actions.append(Call())
    return actions


def _sources(layout: Sight) -> list[tuple[Source, Pile]]:
    """Each place that a card can leave, with the tail that may go from there; its last card may go alone."""
    found = [(source, movable(column)) for source, column in zip(COLUMN, layout.columns, strict=True) if column]
    if layout.demon_top is not None:
        found.insert(0, (Source.DEMON, (layout.demon_top,)))
    if layout.waste_top is not None:
        found.append((Source.WASTE, (layout.waste_top,)))
    return found


def _to_foundations(sources: list[tuple[Source, Pile]], foundations: Sequence[Height], actions: list[Action]) -> None:
    heights = [(foundation.suit, foundation.height) for foundation in foundations]
    for source, tail in sources:
        card = tail[-1]
        below = (card.suit, card.rank - 1)
        if card.rank == ACE:
            actions.append(PlayToFoundation(source, card))
        elif below in heights:
            actions.append(PlayToFoundation(source, card))
            actions.extend(PlayToFoundation(source, card, f) for f, top in enumerate(heights) if top == below)


def _to_columns(
    sources: list[tuple[Source, Pile]], columns: tuple[Pile, ...], options: Options, actions: list[Action]
) -> None:
    only_demon_fills_gaps = options.gap_fill == "demon_only"
    for source, tail in sources:
        for i, target in enumerate(columns):
            if source is COLUMN[i]:
                continue
            if target:
                # The tail's ranks fall one by one, so at most one card of it has the right one.
                at = tail[0].rank - target[-1].rank + 1
                if 0 <= at < len(tail) and tail[at].red is not target[-1].red:
                    actions.append(MoveToColumn(source, tail[at], i))
            elif source is Source.DEMON or not only_demon_fills_gaps:
                actions.extend(MoveToColumn(source, head, i) for head in tail)
