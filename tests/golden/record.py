"""A hand that bots played, as the input of a playthrough: ``python -m tests.golden.record pounce 3 17``.

The arguments are the preset (with further options, "family,demon_size=5"), the seats and the seed. What a file holds
stays as it was recorded, whatever the bots would do today; commands that were refused are not in it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from services.bots.judgement import Strength
from services.rules.asked import asked
from services.rules.events import (
    Called,
    Ended,
    EndWhy,
    Event,
    SeatEvent,
    Shifted,
    Turned,
)
from tests.golden.playthrough import played
from tests.golden.spoken import words
from tests.golden.table import COUNTDOWN_MS, NOON, Table
from tests.unit.bots.paper_match import PaperHand


def lines(events: Iterable[Event]) -> Iterator[str]:
    """The commands of a hand's log, and the looks at its table, in the words of a playthrough."""
    before: Event | None = None
    for event in events:
        at_ms = event.at - NOON + COUNTDOWN_MS
        if isinstance(event, SeatEvent):
            automatic = isinstance(event, Called) and isinstance(before, SeatEvent) and before.n == event.n
            if not (automatic and isinstance(before, SeatEvent) and before.seat == event.seat):
                arrived = event.arrived - NOON + COUNTDOWN_MS
                yield f"at {at_ms}  {event.seat} {said(event)}, seen {event.seen}, arrived {arrived}"
        elif isinstance(event, Shifted) or (isinstance(event, Ended) and event.why is not EndWhy.CALLED):
            yield f"at {at_ms}  table looks"
        elif isinstance(event, Ended):
            yield f"at {at_ms}  table closes"
        before = event


def said(event: SeatEvent) -> str:
    """What a seat had asked for."""
    if isinstance(event, Turned):
        return "turns"
    action = asked(event, 0)
    if action is None:
        raise ValueError(f"no command: {event}")
    return words(action)


def recorded(rules: str, seats: int, seed: int) -> str:
    """The playthrough of a whole hand of bots."""
    table = Table()
    table.read(f"rules {rules}")
    hand = PaperHand([list(Strength)[i % 3] for i in range(seats)], seed, table.options)
    hand.play()
    head = [f"A whole hand of {seats} bots by the rules {rules}", "RD-1, RD-2, RD-12, RD-14", "", f"rules {rules}", ""]
    begin = [f"hand 1 dealt from {seed} to {seats} seats", f"at {COUNTDOWN_MS}  table starts"]
    return played("\n".join([*head, *begin, *lines(hand.events[3:])]))


if __name__ == "__main__":
    print(recorded(sys.argv[1].replace(",", " "), int(sys.argv[2]), int(sys.argv[3])), end="")
