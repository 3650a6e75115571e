"""How far one socket has been told its table's events, and those kept back until the client's own history is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from services.gateway.events import Event

MOST_HELD: Final = 4096
"""Events that may arrive while a socket attaches."""


class Story:
    """The events of one socket. Begins kept back."""

    __slots__ = ("held", "lost", "told")

    def __init__(self) -> None:
        self.told = 0
        """The last event that was written."""
        self.held: list[Event] | None = []
        """Events kept back; None: each is told as it comes."""
        self.lost = False
        """Whether what was told is of a history that is no more."""

    def hold(self, event: Event) -> bool:
        """Keeps an event back. False: too many are."""
        if self.held is None:
            self.held = []
        self.held.append(event)
        return len(self.held) <= MOST_HELD

    def lose(self) -> None:
        """What was told is void: from here on all events are kept back."""
        self.held = []
        self.lost = True

    def release(self) -> Sequence[Event]:
        """What was kept back; from here on nothing is."""
        held, self.held = self.held or (), None
        return held
