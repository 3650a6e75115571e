"""A game's events to its record, in the two ways of ``hand_log``.

:func:`read` insists on a whole game and plays it again by the rules; :func:`salvage` takes what there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec

from services.rules.aces_up.events import AcesDealt, AcesEnded, AcesEndWhy, CardRemoved, GapFilled, RowDealt
from services.rules.aces_up.options import LAST_NUMBER
from services.rules.replay import verify
from services.scoring import log_text
from services.scoring.aces_up.records import Game
from services.scoring.finished import Finished
from services.scoring.letters import BadLog, Reason
from services.scoring.log_text import OfHand, Prepare, Seated

_ACTIONS: Final = (RowDealt.e, CardRemoved.e, GapFilled.e)
"""What touches a deal. Steps that are taken back were made before."""
_MOST_REMOVED: Final = 48


class _Options(msgspec.Struct):
    number: Annotated[int, msgspec.Meta(ge=1, le=LAST_NUMBER)]
    practice: bool
    auto_remove: bool


class _Deal(OfHand):
    options: _Options
    seats: Annotated[list[Seated], msgspec.Meta(min_length=1, max_length=1)]


class _End(OfHand):
    why: AcesEndWhy
    removed: Annotated[int, msgspec.Meta(ge=0, le=_MOST_REMOVED)]


_NOBODY: Final = Seated("", "")
_NO_OPTIONS: Final = _Options(0, practice=False, auto_remove=False)


def is_game(log: Sequence[bytes]) -> bool:
    """Whether the log is of Aces Up, as far as it can be read."""
    events = log_text.known(log)
    if any(head.e in (AcesDealt.e, AcesEnded.e) for _, head in events):
        return True
    seats = (log_text.attempt(text, Prepare) for text, head in events if head.e == "prepare")
    return any(prepare is not None and prepare.seats == 1 for prepare in seats)


def read(log: Sequence[bytes], finished: Finished) -> Game:
    """The game of a whole log that the rules confirm. Raises :class:`BadLog` (missing, shape or unverified)."""
    events = log_text.whole(log, finished)
    log_text.decode(events[0], "prepare", Prepare, finished)
    end = log_text.decode(events[-1], AcesEnded.e, _End, finished)
    deals = [event for event in events if event[1].e == AcesDealt.e]
    if len(deals) != 1:
        raise BadLog(Reason.SHAPE, f"{len(deals)} deals in one game")
    deal = log_text.decode(deals[0], AcesDealt.e, _Deal, finished)
    problems = verify(log).problems
    if problems:
        raise BadLog(Reason.UNVERIFIED, "; ".join(problems))
    return _game(events, deal, end, finished)


def salvage(log: Sequence[bytes], finished: Finished) -> Game:
    """What can be told of a game whose log is damaged: how it ended if its end is there, else a void game.

    Instants that the log doesn't give are 0. Never raises.
    """
    events = log_text.known(log)
    deal = log_text.find(events, AcesDealt.e, _Deal, finished)
    end = log_text.find(events, AcesEnded.e, _End, finished)
    return _game(events, deal, end or _End(finished.hand, finished.match, AcesEndWhy.VOID, 0), finished)


def _game(events: log_text.Known, deal: _Deal | None, end: _End, finished: Finished) -> Game:
    touched = any(head.e in _ACTIONS for _, head in events) or end.why in (AcesEndWhy.WON, AcesEndWhy.LOST)
    options, seated = (deal.options, deal.seats[0]) if deal else (_NO_OPTIONS, _NOBODY)
    dealt = next((head for _, head in events if head.e == AcesDealt.e), None)
    return Game(
        hand=finished.hand,
        player=seated.player,
        number=options.number,
        practice=options.practice,
        auto_remove=options.auto_remove,
        why=end.why.value,
        played=touched and end.why is not AcesEndWhy.VOID,
        removed=end.removed,
        started_ms=dealt.at if dealt else 0,
        ended_ms=events[-1][1].at if events else 0,
        digest=events[-1][1].digest if events else "",
    )
