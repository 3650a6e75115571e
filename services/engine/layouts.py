"""The layouts that this engine believes seats to have, and what the rules of either game say of a command on one.

A belief may be outdated: the referee compares it with the truth, so it can cost a second try but never a wrong verdict.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from services.engine.port import Command, Judged
from services.rules.aces_up import moves as aces_up
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.result import result
from services.rules.aces_up.state import State
from services.rules.layout import Layout
from services.rules.moves import Action, Applied, Illegal, Reason, apply
from services.rules.options import Options
from services.rules.rulebook import rules_of

_ILLEGAL: Final = (Illegal, aces_up.Illegal)
_NOTHING: Final = Illegal(Reason.NOT_STARTED)
_NAMES_NOTHING: Final = Illegal(Reason.NOT_THERE)
_OTHER_GAME: Final = Illegal(Reason.OTHER_GAME)


@dataclass(frozen=True, slots=True)
class Belief:
    """A seat's layout as text and, unless the text is "" (not dealt) or "?" (not known), as cards; and the rules."""

    text: str
    layout: Layout | State | None
    options: Options | AcesUpOptions


UNKNOWN: Final = Belief("?", None, Options())


def belief(text: str, options_json: str) -> Belief:
    """What the referee says a seat has. Raises ValueError for a text that is no layout."""
    options = _options(options_json)
    if not text:
        return Belief(text, None, options)
    return Belief(text, State.decode(text) if isinstance(options, AcesUpOptions) else Layout.decode(text), options)


def judge(command: Command, believed: Belief) -> tuple[Judged, Belief]:
    """The command with the rules' opinion, and what the seat will have if it happens."""
    opinion = _opinion(believed, command.action)
    if isinstance(opinion, _ILLEGAL):
        return Judged(command, believed.text, "", opinion), believed
    layout = opinion.layout if isinstance(opinion, Applied) else opinion.state
    after = believed if layout is believed.layout else Belief(layout.encode(), layout, believed.options)
    return Judged(command, believed.text, after.text, opinion, _last(after, command.action)), after


def _last(after: Belief, action: Action | aces_up.Action | None) -> bool:
    """Whether a game of Aces Up is over with the action that led to this."""
    if not isinstance(after.layout, State) or not isinstance(after.options, AcesUpOptions):
        return False
    return isinstance(action, aces_up.GiveUp) or result(after.layout, after.options) is not None


def _opinion(
    believed: Belief, action: Action | aces_up.Action | None
) -> Applied | Illegal | aces_up.Applied | aces_up.Illegal:
    match believed.layout, believed.options, action:
        case None, _, _:
            return _NOTHING
        case _, _, None:
            return _NAMES_NOTHING
        case Layout() as layout, Options() as options, _ if isinstance(action, Action):
            return apply(layout, action, options)
        case State() as state, AcesUpOptions() as options, _ if isinstance(action, aces_up.Action):
            return aces_up.apply(state, action, options)
        case _:
            return _OTHER_GAME


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
def _options(text: str) -> Options | AcesUpOptions:
    return rules_of(text)
