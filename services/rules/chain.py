"""A hand's sealed events, read back: gapless numbers, the protocol's writing, the chain of digests.

What the events say is judged by ``replay`` and ``aces_up.replay``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from services.rules.event import Event
from services.rules.events import BadEvent, digest, encode_body, parse, unseal


class Contradiction(ValueError):
    """An event that the rules don't give in the state before it."""


@dataclass(frozen=True, slots=True)
class Report:
    """What is wrong with a log, in its order; nothing if it is verified."""

    problems: tuple[str, ...]

    @property
    def verified(self) -> bool:
        """Whether the log holds."""
        return not self.problems


class Chain(NamedTuple):
    """The events of a log and what is wrong with how they hang together; ``readable`` unless one is no event."""

    events: list[Event]
    problems: list[str]
    readable: bool = True


def read(log: Sequence[bytes | str], previous: str | None = None) -> Chain:
    """Reads the sealed events of a log, up to the first that is none.

    ``previous`` is the digest of the event before the log, if it is known.
    """
    events: list[Event] = []
    problems: list[str] = []
    for position, text in enumerate(log):
        try:
            event, (body, sealed) = parse(text), unseal(text)
        except BadEvent as bad:
            return Chain(events, [*problems, f"entry {position}: {bad}"], readable=False)
        if events and event.seq != events[-1].seq + 1:
            problems.append(f"event {event.seq}: follows {events[-1].seq}")
        if encode_body(event) != body:
            problems.append(f"event {event.seq}: not written as the protocol says")
        before = "" if event.seq == 1 else previous
        if before is not None and digest(before, body) != sealed:
            problems.append(f"event {event.seq}: its digest is not that of this history")
        previous = sealed
        events.append(event)
    return Chain(events, problems)
