"""What a seat had asked for, read back from the event that came of it; ``aces_up.events.asked`` does so for Aces Up."""

from __future__ import annotations

from services.rules.events import Called, Moved, Played, Recycled, Returned, SeatEvent, Turned, Voted
from services.rules.moves import COLUMN, Action, Call, MoveToColumn, PlayToFoundation, Recycle, Turn, Vote


def asked(event: SeatEvent, stock_count: int) -> Action | None:
    """The action that an event tells of, at a stock of so many cards; None if it is none of this game's."""
    match event:
        case Played(source=source, card=card, to=to) | Returned(source=source, card=card, to=to):
            return PlayToFoundation(source, card, to)
        case Moved(source=source, card=card, to=to):
            return MoveToColumn(source, card, COLUMN.index(to)) if to in COLUMN else None
        case Turned():
            return Turn(stock_count)
        case Recycled():
            return Recycle()
        case Called():
            return Call()
        case Voted(choice=choice, progress=progress):
            return Vote(choice, progress)
        case _:
            return None
