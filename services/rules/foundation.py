"""Foundations: where the cards of all seats are built up in suit (RD-7). Knows nothing of whose turn a race was.

>>> from services.rules.cards import card
>>> spades = opened(card("AS"), seat=0, seq=4, at_ms=1000)
>>> spades.takes(card("2S")), spades.takes(card("3S"))
(True, False)
>>> spades.built(card("2S"), seat=1, seq=7, at_ms=2500).height
2
"""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.cards import ACE, KING, Card


@dataclass(frozen=True, slots=True)
class Slot:
    """One rank of one foundation.

    The seats whose card lies there, in the order of their landing (RD-8: several may share it), and the sequence number
    and commit time (ms) of the first.
    """

    seats: tuple[int, ...]
    seq: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class Foundation:
    """One suit from the ace on; ``slots[rank - 1]`` is where that rank lies."""

    suit: str
    slots: tuple[Slot, ...]

    @property
    def height(self) -> int:
        """The rank on top: 1 (ace) to 13, which is complete."""
        return len(self.slots)

    @property
    def complete(self) -> bool:
        """Whether the king lies on it (it still counts: RD-7)."""
        return self.height == KING

    def takes(self, card: Card) -> bool:
        """Whether ``card`` is the next one here."""
        return card.suit == self.suit and card.rank == self.height + 1

    def slot(self, rank: int) -> Slot | None:
        """What lies at ``rank``, if that was reached."""
        return self.slots[rank - 1] if rank <= len(self.slots) else None

    def built(self, card: Card, *, seat: int, seq: int, at_ms: int) -> Foundation:
        """With ``card`` of ``seat`` on top. Raises ValueError if it is not the next one."""
        if not self.takes(card):
            raise ValueError(f"{card} does not go on {self.suit}{self.height}")
        return Foundation(self.suit, (*self.slots, Slot((seat,), seq, at_ms)))

    def shared(self, rank: int, *, seat: int) -> Foundation:
        """With another seat's card beside those at ``rank`` (RD-8). The slot keeps the seq and time of its first."""
        slot = self.slots[rank - 1]
        joined = Slot((*slot.seats, seat), slot.seq, slot.at_ms)
        return Foundation(self.suit, (*self.slots[: rank - 1], joined, *self.slots[rank:]))


def opened(ace: Card, *, seat: int, seq: int, at_ms: int) -> Foundation:
    """A new foundation: any available ace opens one, so aces never contend (RD-7). Raises ValueError otherwise."""
    if ace.rank != ACE:
        raise ValueError(f"{ace} opens no foundation")
    return Foundation(ace.suit, (Slot((seat,), seq, at_ms),))
