"""Tables to test with: a started hand with made-up cards, in memory."""

from __future__ import annotations

from collections.abc import Sequence

from services.engine.hands import Hands
from services.engine.memory_referee import MemoryReferee
from services.engine.port import Command, Timer
from services.rules.deal import commitment
from services.rules.events import Player
from services.rules.layout import Layout
from services.rules.moves import Action
from services.rules.options import RACING_DEMON, Options

SECRET = "5e" * 32
FRESH = Layout.decode("2C3C4C5C6C|KS|9H|TS|QC|7D8DAD9D2H3HAH|")
"""A small layout; turning its stock shows the aces."""


def players(seats: int) -> list[Player]:
    return [Player(f"p{i}", f"Player {i}", bot=False, nonce=f"nonce {i}") for i in range(seats)]


async def started(
    store: MemoryReferee,
    *layouts: Layout,
    table: str = "t",
    options: Options = RACING_DEMON,
    number: int = 1,
) -> Hands:
    """A table whose hand was started with these layouts; every seat is attached once."""
    await store.prepare(table, match="m", hand=number, seats=len(layouts), secret=SECRET, commitment=commitment(SECRET))
    await store.deal(
        table,
        match="m",
        hand=number,
        options=options,
        commitment=commitment(SECRET),
        players=players(len(layouts)),
        layouts=layouts,
        countdown_ms=0,
    )
    for seat in range(len(layouts)):
        await store.attach(table, seat, 0)
    hands = Hands(store, lambda: SECRET)
    assert await hands.fire(table, Timer.START)
    return hands


def command(
    n: int, action: Action | None, *, seat: int = 0, table: str = "t", seen: int = 3, at: int = 0, epoch: int = 1
) -> Command:
    return Command(table, seat, epoch, n, 1, seen, at, action)


def layouts(*texts: str) -> Sequence[Layout]:
    return [Layout.decode(text) for text in texts]
