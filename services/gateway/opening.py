"""What one socket was told when it was welcomed or set back, as far as its relay may not have told it.

A snapshot comes from an engine and missed events may come from the log, so the relay need not know their digests. Kept
until a pong proves that all of it has arrived.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from services.gateway.commands import Snapshot
from services.gateway.events import Event


class Opening(Struct, frozen=True, gc=False):
    """A snapshot at event ``last``, or ``events`` that follow each other and end with it."""

    last: int
    digest: str
    events: Sequence[Event] = ()

    @classmethod
    def of(cls, snapshot: Snapshot | None, events: Sequence[Event]) -> Opening | None:
        """None: nothing was told."""
        if snapshot is not None:
            return cls(snapshot.seq, snapshot.digest)
        return cls(events[-1].seq, events[-1].digest, events) if events else None

    def digest_of(self, seq: int) -> str | None:
        """The digest of event ``seq``; None: it is not among these."""
        if seq == self.last:
            return self.digest
        index = seq - self.last - 1
        return self.events[index].digest if -len(self.events) <= index < 0 else None
