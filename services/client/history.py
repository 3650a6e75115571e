"""The one history of a table as this client has it: a gapless, digest-chained sequence, and the view it leads to."""

from __future__ import annotations

from services.client import frames
from services.client.errors import NotTheProtocol
from services.rules import events
from services.rules.events import Event
from services.rules.view import TableView


class Broken(Exception):
    """The next event does not follow: resume from ``seq``."""


class History:
    """Where the client stands."""

    def __init__(self) -> None:
        self.seq = 0
        self.digest = ""
        self.view = TableView()
        self._broken_at: int | None = None
        self._distrusted = False

    @property
    def after(self) -> tuple[int, str] | None:
        """The last event applied, as an attach names it; None: nothing, or nothing to be relied on."""
        return None if self.seq == 0 or self._distrusted else (self.seq, self.digest)

    def restart(self) -> None:
        """What follows does not continue this history: it is a snapshot, or the table's first event.

        The view stays until then, so that nobody looks at an empty table meanwhile.
        """
        self.seq, self.digest = 0, ""
        self._broken_at, self._distrusted = None, False

    def load(self, frame: bytes) -> None:
        """Goes on from a snapshot."""
        snapshot = frames.parse_object(frame)
        try:
            self.view = TableView.from_snapshot(snapshot)
        except (KeyError, TypeError, ValueError) as wrong:
            raise NotTheProtocol(f"snapshot: {type(wrong).__name__}: {wrong}") from None
        self.seq, self.digest = self.view.seq, snapshot["digest"]

    def follow(self, frame: bytes) -> Event | None:
        """Applies the next event; None if it was applied before.

        Raises :class:`Broken` at a gap, or where the digest doesn't continue ours (if it breaks twice at the same
        place, ``after`` asks for a snapshot), and :class:`NotTheProtocol`.
        """
        try:
            body, digest = events.unseal(frame)
            event = events.parse(frame)
        except events.BadEvent as wrong:
            raise NotTheProtocol(str(wrong)) from None
        if event.seq <= self.seq:
            return None
        if event.seq != self.seq + 1:
            raise self._broken(f"event {event.seq} after {self.seq}")
        if digest != events.digest(self.digest, body):
            raise self._broken(f"the digest of event {event.seq} does not follow")
        self.view = (self.view if self.seq else TableView()).apply(event)
        self.seq, self.digest = event.seq, digest
        return event

    def _broken(self, why: str) -> Broken:
        self._distrusted = self._broken_at == self.seq
        self._broken_at = self.seq
        return Broken(why)
