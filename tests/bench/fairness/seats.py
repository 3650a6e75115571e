"""Who sits at a simulated table, and what their programs tell the edge: the truth, or what may pay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from tests.bench.fairness.wire import Delay


@dataclass(frozen=True, slots=True)
class Client:
    """A program, by its lies.

    ``claims`` gives what it says it has seen, for what it has and for the event of the card below.
    ``holds_pongs_ms`` is how long it keeps each pong back, ``backdates_ms`` how much earlier than at its press its
    clock says that it was.
    """

    claims: Callable[[int, int], int] = lambda shown, below: shown
    holds_pongs_ms: float = 0.0
    backdates_ms: float = 0.0


HONEST: Final = Client()


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place: the two directions of its wire, how late its clock runs, and its program."""

    up: Delay
    down: Delay
    clock_late_ms: float = 0.0
    client: Client = HONEST


@dataclass(frozen=True, slots=True)
class Press:
    """A card that a seat is going to play.

    ``at_ms`` after the card below was committed, but not before that was shown, unless ``blind``; None: when the place
    is first shown taken. A player to whom it has been shown taken for ``notices_ms`` keeps the card.
    """

    seat: int
    at_ms: float | None
    blind: bool = False
    notices_ms: float = float("inf")


class Outcome(Enum):
    """What became of a card."""

    FIRST = "first"
    SHARED = "shared"
    RETURNED = "returned"
    REFUSED = "refused"


@dataclass(slots=True)
class Play:
    """One card on its way. Instants are the simulation's own, in ms; a client knows only ``stamp``."""

    seat: int
    pressed: float
    stamp: float
    """The press by the client's clock, as it tells it."""
    shown: int
    """The last event that had in truth been shown to the player."""
    claimed: int
    arrived: float = 0.0
    """At the edge."""
    arrived_ms: int = 0
    """The same, as the edge stamped it."""
    seen: int = 0
    """What was claimed, as the edge bounded it."""
    rtt_ms: int = 0
    """The last round trip that the edge had measured."""
    committed: float = 0.0
    seq: int = 0
    """The event of its landing; 0: it didn't."""
    outcome: Outcome = field(default=Outcome.REFUSED)

    @property
    def wire_ms(self) -> float:
        """From the press to the edge."""
        return self.arrived - self.pressed
