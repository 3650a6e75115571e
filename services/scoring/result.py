"""What a counted hand did to its match: the value that the lobby waits for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from services.rules.options import OptionError, Options
from services.rules.scoring import match_result
from services.scoring.records import HandSheet, totals_after


@dataclass(frozen=True, slots=True)
class Result:
    """Points of the hand and totals after it, by seat; whether the match is over, and which seats won it (RD-13).

    ``playoff``: it is not over, and the next hand decides it. ``counts``: the hand is no void one.
    """

    points: tuple[int, ...]
    totals: tuple[int, ...]
    over: bool
    winners: tuple[int, ...]
    playoff: bool = False
    counts: bool = True

    def to_json(self) -> str:
        """The value as it stands in a ``scored`` entry."""
        return json.dumps(asdict(self), separators=(",", ":"))


NOTHING: Final = Result((), (), False, (), counts=False)
"""Nothing of any hand could be read: there is nobody to win yet."""


def result_after(hands: Sequence[HandSheet], seats: int, options_json: str) -> Result:
    """The result of the last of ``hands``, which are all of a match up to that one, in order.

    ``seats`` is how many the match has. Void hands add nothing and are not played hands (RD-13). Options that can't
    be read are the default ones: a match always ends.
    """
    if not seats:
        return NOTHING
    last = hands[-1]
    points = [0] * seats
    if last.counts:
        for sheet in last.seats:
            points[sheet.seat] = sheet.count.points
    after = [tuple(totals.get(seat, 0) for seat in range(seats)) for totals in totals_after(hands)]
    played = [totals for hand, totals in zip(hands, after, strict=True) if hand.counts]
    over, winners, playoff = match_result(played, _options(options_json))
    return Result(tuple(points), after[-1], over, winners, playoff, last.counts)


def _options(text: str) -> Options:
    try:
        return Options.from_json(text)
    except OptionError:
        return Options()
