"""The layouts that this engine believes seats to have, and what the rules say of a command on one.

A belief may be outdated: the referee compares it with the truth, so it can cost a second try but never a wrong verdict.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from services.engine.port import Command, Judged
from services.rules.layout import Layout
from services.rules.moves import Applied, Illegal, Reason, apply
from services.rules.options import Options

_NOTHING: Final = Illegal(Reason.NOT_STARTED)
_NAMES_NOTHING: Final = Illegal(Reason.NOT_THERE)


@dataclass(frozen=True, slots=True)
class Belief:
    """A seat's layout as text and, unless the text is "" (not dealt) or "?" (not known), as cards; and the rules."""

    text: str
    layout: Layout | None
    options: Options


UNKNOWN: Final = Belief("?", None, Options())


def belief(text: str, options_json: str) -> Belief:
    """What the referee says a seat has. Raises ValueError for a text that is no layout."""
    return Belief(text, Layout.decode(text) if text else None, _options(options_json))


def judge(command: Command, believed: Belief) -> tuple[Judged, Belief]:
    """The command with the rules' opinion, and what the seat will have if it happens."""
    layout, action = believed.layout, command.action
    if layout is None or action is None:
        opinion: Applied | Illegal = _NAMES_NOTHING if layout is not None else _NOTHING
    else:
        opinion = apply(layout, action, believed.options)
    if not isinstance(opinion, Applied):
        return Judged(command, believed.text, "", opinion), believed
    if opinion.layout is layout:
        return Judged(command, believed.text, believed.text, opinion), believed
    after = Belief(opinion.layout.encode(), opinion.layout, believed.options)
    return Judged(command, believed.text, after.text, opinion), after


class Beliefs:
    """The last ``size`` seats' layouts; the one that was not used for longest is forgotten first."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[tuple[str, int], Belief] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, seat: tuple[str, int]) -> Belief:
        """What is believed of the seat (table and seat number)."""
        return self._kept.get(seat, UNKNOWN)

    def put(self, seat: tuple[str, int], believed: Belief) -> None:
        """Believes this of the seat from now on."""
        self._kept[seat] = believed
        self._kept.move_to_end(seat)
        if len(self._kept) > self._size:
            self._kept.popitem(last=False)

    def forget(self, seat: tuple[str, int]) -> None:
        """Believes nothing of the seat."""
        self._kept.pop(seat, None)


@lru_cache(maxsize=256)
def _options(text: str) -> Options:
    return Options.from_json(text)
