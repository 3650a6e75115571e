"""What a seat asked for: read from the frame that it sent, and compared with the event that came of it.

Knows nothing of whether it was legal.
"""

from __future__ import annotations

from typing import Any

import msgspec

from services.rules.aces_up import events as aces_events
from services.rules.aces_up import moves as aces_up
from services.rules.asked import asked as race_asked
from services.rules.cards import card
from services.rules.event import SeatEvent
from services.rules.moves import (
    COLUMN,
    Call,
    Choice,
    MoveToColumn,
    PlayToFoundation,
    Recycle,
    Source,
    Turn,
    Vote,
)
from services.rules.rulebook import AnyAction


def asked(frame: bytes) -> AnyAction:
    """The action that a command's frame asks for. Raises ValueError if it is none (docs/protocol.md)."""
    try:
        return _action(msgspec.json.decode(frame))
    except (KeyError, TypeError, msgspec.DecodeError) as wrong:
        raise ValueError(f"no command: {wrong!r}: {frame[:200]!r}") from None


def became(event: SeatEvent, action: AnyAction) -> bool:
    """Whether the event tells of this action. The size of the stock that a player saw is repeated by no event."""
    stock = action.stock if isinstance(action, Turn | aces_up.Row) else 0
    return (race_asked(event, stock) or aces_events.asked(event, stock)) == action


def seen(frame: bytes) -> int:
    """The last event that the player had applied, as the frame says. Raises ValueError."""
    return msgspec.json.decode(frame, type=_Head).seen


class _Head(msgspec.Struct):
    seen: int


def _action(said: dict[str, Any]) -> AnyAction:
    match said["t"]:
        case "play":
            return PlayToFoundation(Source(said["from"]), card(said["card"]), said["to"])
        case "move":
            return MoveToColumn(Source(said["from"]), card(said["card"]), COLUMN.index(Source(said["to"])))
        case "turn":
            return Turn(said["stock"])
        case "recycle":
            return Recycle()
        case "call":
            return Call()
        case "vote":
            return Vote(Choice(said["choice"]), said["progress"])
        case "row":
            return aces_up.Row(said["stock"])
        case "remove":
            return aces_up.Remove(said["pile"], card(said["card"]))
        case "fill":
            return aces_up.Fill(said["from"], card(said["card"]), said["to"])
        case "undo":
            return aces_up.Undo()
        case "redo":
            return aces_up.Redo()
        case "give_up":
            return aces_up.GiveUp()
    raise KeyError(said["t"])
