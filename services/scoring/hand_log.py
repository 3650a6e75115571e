"""A hand's events to its sheet. Two ways: :func:`read` insists on a whole hand, :func:`salvage` takes what there is.

Only what a sheet needs is looked at here; whether the hand was played by the rules is ``recount``'s to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec

from services.rules.events import EndWhy
from services.scoring import log_text
from services.scoring.finished import Finished
from services.scoring.letters import BadLog, Reason
from services.scoring.log_text import Head, OfHand, Prepare, Seated
from services.scoring.records import HandSheet, Points, SeatSheet

_Small = Annotated[int, msgspec.Meta(ge=0, le=1000)]


class _Deal(OfHand):
    options: msgspec.Raw
    seats: Annotated[list[Seated], msgspec.Meta(min_length=1, max_length=8)]


class _Score(msgspec.Struct):
    seat: Annotated[int, msgspec.Meta(ge=0, le=7)]
    foundation: _Small
    demon: _Small
    points: Annotated[int, msgspec.Meta(ge=-1000, le=1000)]


class _End(OfHand):
    why: EndWhy
    callers: Annotated[tuple[int, ...], msgspec.Meta(max_length=8)] = ()
    scores: Annotated[tuple[_Score, ...], msgspec.Meta(max_length=8)] = ()


VOID: Final = EndWhy.VOID.value
"""Why a hand ended that was given up, or of which nothing can be told."""
_NO_SEAT: Final = Seated(player="", name="")
_NOTHING: Final = Points(0, 0, 0)


def read(log: Sequence[bytes], finished: Finished) -> HandSheet:
    """The sheet of a hand from all its events, ``prepare`` to ``end``.

    Raises :class:`BadLog` (missing or shape) if they are not all there, in order, or not of this hand.
    """
    events = log_text.whole(log, finished)
    prepare = log_text.decode(events[0], "prepare", Prepare, finished)
    end = log_text.decode(events[-1], "end", _End, finished)
    deals = [log_text.decode(event, "deal", _Deal, finished) for event in events if event[1].e == "deal"]
    if len(deals) > 1 or (not deals and end.why is not EndWhy.VOID):
        raise BadLog(Reason.SHAPE, f"{len(deals)} deals in one hand that ended as {end.why}")
    seats = sorted(score.seat for score in end.scores)
    if seats != list(range(prepare.seats)) and (seats or end.why.counts):
        raise BadLog(Reason.SHAPE, f"scores of the seats {seats}, where {prepare.seats} play")
    if any(len(deal.seats) != prepare.seats for deal in deals):
        raise BadLog(Reason.SHAPE, f"the deal has not the {prepare.seats} seats that were prepared")
    return _sheet(finished, deals[0] if deals else None, end, prepare.seats, events[0][1], events[-1][1])


def salvage(log: Sequence[bytes], finished: Finished, seats: int = 0) -> HandSheet:
    """What can be told of a hand whose log is damaged: the scores of its ``end`` if that is there, else a void hand.

    ``seats`` is how many the table is known to have, in case the log doesn't say. Instants
    that the log doesn't give are 0. Never raises.
    """
    known = log_text.known(log)
    prepare = log_text.find(known, "prepare", Prepare, finished)
    deal = log_text.find(known, "deal", _Deal, finished)
    end = log_text.find(known, "end", _End, finished)
    if end is None or len({score.seat for score in end.scores}) != len(end.scores):
        end = _End(finished.hand, finished.match, EndWhy.VOID)
    seats = max(
        seats,
        prepare.seats if prepare else 0,
        len(deal.seats) if deal else 0,
        max((score.seat + 1 for score in end.scores), default=0),
    )
    nothing = Head(0, 0, "", "")
    first, last = (known[0][1], known[-1][1]) if known else (nothing, nothing)
    return _sheet(finished, deal, end, seats, first, last)


def _sheet(finished: Finished, deal: _Deal | None, end: _End, seats: int, first: Head, last: Head) -> HandSheet:
    seated = deal.seats if deal else []
    scores = {score.seat: Points(score.foundation, score.demon, score.points) for score in end.scores}
    if not end.why.counts:
        scores = {seat: Points(count.foundation, count.demon, 0) for seat, count in scores.items()}
    return HandSheet(
        hand=finished.hand,
        why=end.why.value,
        seats=tuple(
            SeatSheet(
                seat=seat,
                player=player.player,
                # PostgreSQL has no NUL in its texts; a name is only shown.
                name=player.name.replace("\0", "\ufffd"),
                bot=player.bot,
                called=seat in end.callers,
                count=scores.get(seat, _NOTHING),
            )
            for seat, player in ((seat, seated[seat] if seat < len(seated) else _NO_SEAT) for seat in range(seats))
        ),
        started_ms=first.at,
        ended_ms=last.at,
        options_json=bytes(deal.options).decode() if deal else "",
        digest=last.digest,
        counts=end.why.counts,
    )
