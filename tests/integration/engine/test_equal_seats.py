"""Nobody is favoured for where they sit: who made the table has the first seat, and no advantage by it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import permutations

import pytest

from services.engine.port import Status
from services.rules.cards import card
from services.rules.layout import Layout
from services.rules.moves import PlayToFoundation, Source
from tests.integration.engine.mirror import Mirror, mirrored

WINDOW = 80
OPENER, RACER = "KH|AS|3S|KD|KC|7D8D9D|", "KH|2S|3S|KD|KC|7D8D9D|"


@pytest.fixture
async def mirror(redis_url: str) -> AsyncIterator[Mirror]:
    async with mirrored(redis_url) as one:
        yield one


@pytest.mark.parametrize(("opener", "first", "second"), list(permutations(range(3))))
@pytest.mark.parametrize(
    ("later_ms", "saw_it", "status"),
    [(0, False, Status.TIED), (WINDOW, False, Status.TIED), (WINDOW + 1, False, Status.LATE), (1, True, Status.SEEN)],
)
async def test_a_race_ends_alike_whoever_sits_where(
    mirror: Mirror, opener: int, first: int, second: int, later_ms: int, saw_it: bool, status: Status
) -> None:
    layouts = [Layout.decode(OPENER if seat == opener else RACER) for seat in range(3)]
    await mirror.begin(layouts)
    await mirror.start()
    await mirror.one(mirror.command(opener, PlayToFoundation(Source.C0, card("AS"), None)))
    two = PlayToFoundation(Source.C0, card("2S"), None)
    seen = mirror.hand.seq
    won = await mirror.one(mirror.command(first, two))
    mirror.now += later_ms

    ruling = await mirror.one(mirror.command(second, two, seen=mirror.hand.seq if saw_it else seen))

    assert won.status is Status.APPLIED
    assert ruling.status is status
