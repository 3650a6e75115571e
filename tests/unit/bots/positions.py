"""Positions to judge: a seat's layout as the rules write it, and foundations by suit and height."""

from __future__ import annotations

from services.rules.hand import Phase
from services.rules.layout import Layout
from services.rules.moves import Choice
from services.rules.options import RACING_DEMON, Options
from services.rules.view import FoundationView, SeatView, TableView

NOTHING = "2C|KS|KH|KD|KC||"
"""A rival who has nothing to do with anything."""


def table(
    *layouts: str,
    foundations: str = "",
    votes: tuple[Choice | None, ...] | None = None,
    progress: int = 7,
    phase: Phase = Phase.PLAYING,
    options: Options = RACING_DEMON,
    asked: bool = False,
) -> TableView:
    """A running hand; foundations as "S3 H12"."""
    return TableView(
        seq=100,
        phase=phase,
        hand=1,
        match="m1",
        options=options,
        progress=progress,
        asked=asked,
        votes=votes or (None,) * len(layouts),
        seats=tuple(map(_seat, layouts)),
        foundations=tuple(FoundationView(f[0], ((0,),) * int(f[1:])) for f in foundations.split()),
    )


def _seat(text: str) -> SeatView:
    layout = Layout.decode(text)
    return SeatView(len(layout.demon), layout.demon_top, layout.columns, len(layout.stock), layout.waste)
