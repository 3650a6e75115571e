"""What a seat plays over: the port that the SDK's link to the edge has, and the direct line to an engine too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from services.client.link import Link, Listener
from services.loadtest.place import Place

PATIENCE_S: Final = 60.0
"""A line that can't be made for so long is given up."""


class Line(Protocol):
    """Connections to one table, one after another."""

    close_code: int | None
    """Of the last connection, once it was closed; None without a close frame."""

    def send(self, frame: bytes) -> None:
        """Takes a frame of the seat, if there is a connection."""

    def drop(self) -> None:
        """Gives the present connection up; another one follows."""

    async def close(self) -> None:
        """Says goodbye, and waits a moment for the answer. To be called when :meth:`keep_up` was cancelled."""

    async def keep_up(self) -> None:
        """Never returns. Raises a ``ClientError`` when there will be no further connection."""


Lines = Callable[[Place, Listener], Line]
"""Makes the line of one place."""


def to_edge(place: Place, listener: Listener) -> Line:
    """A table socket of the gateway."""
    return Link(place.urls, place.token, listener, patience_s=PATIENCE_S)
