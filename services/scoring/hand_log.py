"""A hand's events to its sheet. Two ways: :func:`read` insists on a whole hand, :func:`salvage` takes what there is.

Only what a sheet needs is looked at here; whether the hand was played by the rules is ``recount``'s to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, TypeVar

import msgspec

from services.rules.events import EndWhy
from services.scoring.finished import Finished
from services.scoring.letters import BadLog, Reason
from services.scoring.records import HandSheet, Points, SeatSheet

_Small = Annotated[int, msgspec.Meta(ge=0, le=1000)]
_Instant = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
_Id = Annotated[str, msgspec.Meta(max_length=128, pattern=r"^[^\x00]*$")]


class _Head(msgspec.Struct):
    seq: int
    at: _Instant
    e: str
    digest: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]


class _Prepare(msgspec.Struct):
    hand: int
    match: str
    seats: Annotated[int, msgspec.Meta(ge=1, le=8)]


class _Seated(msgspec.Struct):
    player: _Id
    name: Annotated[str, msgspec.Meta(max_length=200)]
    bot: bool = False


class _Deal(msgspec.Struct):
    hand: int
    match: str
    options: msgspec.Raw
    seats: Annotated[list[_Seated], msgspec.Meta(min_length=1, max_length=8)]


class _Score(msgspec.Struct):
    seat: Annotated[int, msgspec.Meta(ge=0, le=7)]
    foundation: _Small
    demon: _Small
    points: Annotated[int, msgspec.Meta(ge=-1000, le=1000)]


class _End(msgspec.Struct):
    hand: int
    match: str
    why: EndWhy
    callers: Annotated[list[int], msgspec.Meta(max_length=8)] = []
    scores: Annotated[list[_Score], msgspec.Meta(max_length=8)] = []


_Event = TypeVar("_Event", _Prepare, _Deal, _End)

VOID: Final = EndWhy.VOID.value
"""Why a hand ended that was given up, or of which nothing can be told."""
_NO_SEAT: Final = _Seated(player="", name="")
_NOTHING: Final = Points(0, 0, 0)


def read(log: Sequence[bytes], finished: Finished) -> HandSheet:
    """The sheet of a hand from all its events, ``prepare`` to ``end``.

    Raises :class:`BadLog` (missing or shape) if they are not all there, in order, or not of this hand.
    """
    if not log:
        raise BadLog(Reason.MISSING, f"no events from {finished.first} to {finished.last}")
    heads = _heads(log, finished)
    prepare = _decode(log[0], heads[0], "prepare", _Prepare)
    end = _decode(log[-1], heads[-1], "end", _End)
    deals = [_decode(text, head, "deal", _Deal) for text, head in zip(log, heads, strict=True) if head.e == "deal"]
    if len(deals) > 1 or (not deals and end.why is not EndWhy.VOID):
        raise BadLog(Reason.SHAPE, f"{len(deals)} deals in one hand that ended as {end.why}")
    told: list[_Prepare | _Deal | _End] = [prepare, end, *deals]
    for event in told:
        if (event.hand, event.match) != (finished.hand, finished.match):
            raise BadLog(Reason.SHAPE, f"an event of hand {event.hand} of match {event.match!r}")
    seats = sorted(score.seat for score in end.scores)
    if seats != list(range(prepare.seats)) and (seats or end.why.counts):
        raise BadLog(Reason.SHAPE, f"scores of the seats {seats}, where {prepare.seats} play")
    if any(len(deal.seats) != prepare.seats for deal in deals):
        raise BadLog(Reason.SHAPE, f"the deal has not the {prepare.seats} seats that were prepared")
    return _sheet(finished, deals[0] if deals else None, end, prepare.seats, heads[0], heads[-1])


def salvage(log: Sequence[bytes], finished: Finished, seats: int = 0) -> HandSheet:
    """What can be told of a hand whose log is damaged: the scores of its ``end`` if that is there, else a void hand.

    ``seats`` is how many the table is known to have, in case the log doesn't say. Instants
    that the log doesn't give are 0. Never raises.
    """
    known = [(text, head) for text in log if (head := _try(text, _Head)) is not None]
    prepare = _find(known, finished, "prepare", _Prepare)
    deal = _find(known, finished, "deal", _Deal)
    end = _find(known, finished, "end", _End)
    if end is None or len({score.seat for score in end.scores}) != len(end.scores):
        end = _End(finished.hand, finished.match, EndWhy.VOID)
    seats = max(
        seats,
        prepare.seats if prepare else 0,
        len(deal.seats) if deal else 0,
        max((score.seat + 1 for score in end.scores), default=0),
    )
    nothing = _Head(0, 0, "", "")
    first, last = (known[0][1], known[-1][1]) if known else (nothing, nothing)
    return _sheet(finished, deal, end, seats, first, last)


def _heads(log: Sequence[bytes], finished: Finished) -> list[_Head]:
    heads = []
    for seq, text in enumerate(log, start=finished.first):
        head = _try(text, _Head)
        if head is None:
            raise BadLog(Reason.SHAPE, f"the event {seq} cannot be read")
        if head.seq != seq:
            raise BadLog(Reason.SHAPE, f"the event {head.seq} stands where {seq} should")
        heads.append(head)
    if heads[-1].seq != finished.last:
        raise BadLog(Reason.SHAPE, f"the log stops at {heads[-1].seq}, the hand at {finished.last}")
    return heads


def _decode(text: bytes, head: _Head, name: str, kind: type[_Event]) -> _Event:
    event = _try(text, kind) if head.e == name else None
    if event is None:
        raise BadLog(Reason.SHAPE, f"the event {head.seq} is no {name}: {head.e[:20]}")
    return event


def _find(known: Sequence[tuple[bytes, _Head]], finished: Finished, name: str, kind: type[_Event]) -> _Event | None:
    for text, head in known:
        event = _try(text, kind) if head.e == name else None
        if event is not None and (event.hand, event.match) == (finished.hand, finished.match):
            return event
    return None


_Any = TypeVar("_Any", bound=msgspec.Struct)


def _try(text: bytes, kind: type[_Any]) -> _Any | None:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _sheet(finished: Finished, deal: _Deal | None, end: _End, seats: int, first: _Head, last: _Head) -> HandSheet:
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
