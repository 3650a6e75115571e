"""Commands without a verdict, and what becomes of their numbers."""

from __future__ import annotations

import json

from services.client.outbox import Outbox
from services.rules.moves import Turn


def numbers(sent: list[bytes]) -> list[tuple[int, int]]:
    """Number and stock of each frame: which command went out under which number."""
    return [(frame["n"], frame["stock"]) for frame in map(json.loads, sent)]


def test_a_number_that_was_not_used_up_is_used_by_the_next_command() -> None:
    """The edge did not understand a command: those after it are neither lost nor void."""
    outbox = Outbox()
    tickets = [outbox.add(1, 3, "d3", Turn(stock)) for stock in (35, 32, 29)]
    assert numbers(outbox.flush()) == [(1, 35), (2, 32), (3, 29)]
    assert outbox.judged(1) == tickets[0]

    assert outbox.unused(2) == tickets[1]

    assert outbox.answered == 1
    assert outbox.resume(1) == []
    assert numbers(outbox.flush()) == [(2, 29)]
    assert outbox.judged(2) == tickets[2]
    assert (len(outbox), outbox.unused(2)) == (0, None)
