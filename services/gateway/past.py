"""What a client that comes back has missed: the events that follow, if they can be had, or a snapshot's worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from services.gateway import frames
from services.gateway.events import Event
from services.gateway.relay import Log, Relay

MOST_REPLAYED: Final = 1000
"""A client that missed more events than this gets a snapshot instead."""


@dataclass(frozen=True, slots=True)
class Past:
    """What a client that comes back has missed. ``events`` None: it needs a snapshot."""

    events: Sequence[Event] | None
    set_back: bool = False


async def missed(log: Log, relay: Relay, after: frames.After | None) -> Past:
    """What a client that has applied ``after`` has missed. The relay was joined before, so nothing falls between.

    Raises ``Unavailable``.
    """
    if after is None:
        return Past(None)
    events = relay.after(after.seq, after.digest)
    if events is not None:
        return Past(events)
    head = relay.head
    if head is not None and head.seq - after.seq > MOST_REPLAYED:
        return Past(None)
    # A client may well be ahead of this relay, whose subscription has its own wire; only the log can tell.
    events = await log.since(relay.table, after.seq)
    if after.seq == 0:
        return Past(events if not events or events[0].seq == 1 else None)
    if not events or events[0].seq != after.seq:
        return Past(None, set_back=not events)
    if events[0].digest != after.digest:
        return Past(None, set_back=True)
    return Past(events[1:])
