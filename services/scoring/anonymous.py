"""A hand's log without the name and id of a player. Pure.

Only the deal names who sits where, so only its seats change. From there on the events are sealed anew, each where it
followed from the one before; so the log is verified as before, and one that was damaged stays exactly as damaged.
Seats, cards, moments, and what each seat added to the shuffle stay.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from services.rules.events import BadEvent, digest, seal, unseal

NOBODY: Final = ""
"""The id of a player who was deleted."""
NAMELESS: Final = "—"
"""The name, the same in every language."""


def without(log: Sequence[bytes], player: str) -> list[bytes]:
    """The log without that player. Raises ``BadEvent`` if an event that names the player can't be read."""
    told: list[bytes] = []
    before = after = None
    for text in log:
        try:
            body, sealed = unseal(text)
        except BadEvent:
            if player.encode() in text:
                raise
            told.append(text)
            before = after = None
            continue
        blank = _blank(body, player) if json.dumps(player) in body else body
        fresh = sealed
        if before is not None and after is not None and digest(before, body) == sealed:
            fresh = digest(after, blank)
        told.append(text if (blank, fresh) == (body, sealed) else seal(blank, fresh).encode())
        before, after = sealed, fresh
    return told


def _blank(body: str, player: str) -> str:
    try:
        event: Any = json.loads(body + "}")
        for seat in event.get("seats", ()):
            if seat["player"] == player:
                seat |= {"player": NOBODY, "name": NAMELESS}
    except (ValueError, TypeError, KeyError, AttributeError) as wrong:
        raise BadEvent(f"an event that names the player can't be read: {wrong}") from None
    blank = json.dumps(event, separators=(",", ":"))[:-1]
    if json.dumps(player) in blank:
        raise BadEvent("the player is named elsewhere than at a seat")
    return blank
