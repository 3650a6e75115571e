"""What a session needs from around it: the port between the socket's core and everything that takes time."""

from __future__ import annotations

from typing import Protocol

from services.gateway import frames
from services.gateway.commands import Command


class Shell(Protocol):
    """What a session asks of the connection and the services around it. Nothing here waits."""

    def send(self, payload: bytes) -> None:
        """Writes one text frame."""

    def send_framed(self, frames: bytes, count: int) -> None:
        """Writes so many text frames that are ready as they are (``framing``)."""

    def close(self, code: int, reason: str) -> None:
        """Ends the connection; nothing is written after it."""

    def read(self, on: bool) -> None:
        """Goes on, or stops, reading from the connection."""

    def wake(self, seconds: float) -> None:
        """Has :meth:`Session.drain` called after so long."""

    def attach(self, request: frames.Attach) -> None:
        """Finds the table, the seat and the past; ends in :meth:`Session.welcome` or a close."""

    def take_seat(self) -> None:
        """Takes the seat of a table that has its first hand only now; ends in :meth:`Session.seated`."""

    def digest_of(self, seq: int) -> str | None:
        """The digest of the table's event ``seq``; None: it is not at hand."""

    def submit(self, command: Command) -> bool:
        """Passes a command on; ends in :meth:`Session.verdict`. False: its number is on its way already."""

    def ready(self, request: frames.Ready) -> None:
        """Passes readiness on."""

    def emote(self, emote: frames.EmoteOut) -> None:
        """Passes an emote of the seat on to everyone at the table."""

    def present(self) -> None:
        """Says that the player is here, though somebody said the contrary."""

    def recover(self) -> None:
        """Finds out where the table and the seat stand; ends in :meth:`Session.set_back` or a close."""
