"""One reading of a table's events for all its sockets in this process.

Every socket still checks each event that it gets: that it follows the one before, and that its bytes and its digest are
those that another socket has read and checked from the very same state. Only then it takes over the result, which is
immutable. Anything else it reads by itself, as a lone client would.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeVar

from services.client.history import History
from services.rules.events import Event, Prepared
from services.rules.view import TableView

V = TypeVar("V")

_KEPT: Final = 256
"""How many events of a table are remembered: more than its sockets are ever apart."""


@dataclass(frozen=True, slots=True)
class _Page:
    seq: int
    before: str
    view_before: TableView
    event: Event
    digest: str
    view: TableView


class Book:
    """What the sockets of one table have read."""

    def __init__(self) -> None:
        self._pages: dict[bytes, _Page] = {}
        self._snapshots: dict[bytes, TableView] = {}

    def page(self, frame: bytes) -> _Page | None:
        """What came of these bytes, if somebody has read them."""
        return self._pages.get(frame)

    def write(self, frame: bytes, page: _Page) -> None:
        """Somebody has read them."""
        _keep(self._pages, frame, page)

    def snapshot(self, frame: bytes, view: TableView) -> TableView:
        """The view of these bytes, the same object for all who got them."""
        known = self._snapshots.get(frame)
        if known is None:
            _keep(self._snapshots, frame, view)
        return known or view


class SharedHistory(History):
    """A socket's history, which looks into the table's book first."""

    def __init__(self, book: Book) -> None:
        super().__init__()
        self._book = book

    def load(self, frame: bytes) -> None:
        """Goes on from a snapshot."""
        super().load(frame)
        self.view = self._book.snapshot(frame, self.view)

    def follow(self, frame: bytes) -> Event | None:
        """Applies the next event."""
        page = self._book.page(frame)
        if page is not None and page.seq == self.seq + 1 and page.before == self.digest and self._continues(page):
            self.view, self.seq, self.digest = page.view, page.seq, page.digest
            return page.event
        before, view = self.digest, self.view
        event = super().follow(frame)
        if event is not None:
            self._book.write(frame, _Page(event.seq, before, view, event, self.digest, self.view))
        return event

    def _continues(self, page: _Page) -> bool:
        """A hand that is prepared begins anew, whatever was seen of the one before."""
        return page.view_before is self.view or isinstance(page.event, Prepared)


def _keep(kept: dict[bytes, V], frame: bytes, value: V) -> None:
    kept[frame] = value
    if len(kept) > _KEPT:
        del kept[next(iter(kept))]
