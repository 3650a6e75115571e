"""Whether one socket still has its seat: the seat's epoch rises with every socket that takes it, wherever that is."""

from __future__ import annotations


class Tenure:
    """A socket's seat and epoch, and who has taken seats while the epoch was being found out."""

    __slots__ = ("_early", "epoch", "seat", "taking")

    def __init__(self) -> None:
        self.seat: int | None = None
        """The seat that the socket plays; None: it watches."""
        self.epoch: int | None = None
        """The seat's epoch as of this socket; None: the table has had no hand yet."""
        self.taking = False
        """Whether the seat is being taken in the table's first hand."""
        self._early: list[tuple[int, int]] = []

    @property
    def untaken(self) -> bool:
        """Whether there is a seat to be taken, now that the table has a hand."""
        return self.seat is not None and self.epoch is None and not self.taking

    def note(self, seat: int, epoch: int) -> None:
        """Somebody has taken a seat while it is not known which epoch is one's own."""
        self._early.append((seat, epoch))

    def lost_early(self) -> bool:
        """Whether one of those noted has this socket's seat, now that its epoch is known."""
        early, self._early = self._early, []
        return any(self.lost_to(seat, epoch) for seat, epoch in early)

    def lost_to(self, seat: int, epoch: int) -> bool:
        """Whether a socket that has taken ``seat`` under ``epoch`` has this one's."""
        return seat == self.seat and self.epoch is not None and epoch > self.epoch
