"""What a client says it has seen counts if it can show it: in the log there is what the edge believed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.integration.gateway.place import Place, started, welcomed
from tests.integration.gateway.player import Frame, Player, Turner, attached

pytestmark = pytest.mark.asyncio(loop_scope="session")


def turn(n: int, **seen: Any) -> Frame:
    return {"t": "turn", "n": n, "hand": 1, "stock": 35 - 3 * (n - 1), **seen}


async def believed(player: Player, commands: int, seat: int = 0) -> list[int]:
    """What counted as seen for each of a seat's commands."""
    await player.until(lambda: sum(event.get("seat") == seat for event in player.events) >= commands)
    return [event["seen"] for event in player.events if event.get("seat") == seat]


async def test_what_was_sent_but_not_received_cannot_be_claimed(place: Place) -> None:
    """Here all of it has arrived, but the edge can't know: no ping was answered. That is how it is on a long wire."""
    table, (ada, bob) = await place.running_hand()
    async with (
        attached(place.port, table, ada.token, answers_pings=False) as player,
        attached(place.port, table, bob.token) as neighbour,
    ):
        await started(player)
        await started(neighbour)
        await Turner(neighbour).turn_and_wait(2)
        await player.until(lambda: len(player.events) >= 2)
        before, last = player.events[-2:]
        for n, digest in enumerate(({}, {"digest": "0" * 16}, {"digest": before["digest"]}), 1):
            await player.sends(turn(n, seen=last["seq"], **digest))
        await player.sends(turn(4, seen=last["seq"], digest=last["digest"]))
        assert await believed(player, 4) == [0, 0, 0, last["seq"]]


async def test_what_honest_clients_say_counts_whichever_gateway_they_are_at(place: Place) -> None:
    table, (ada, bob) = await place.running_hand()
    async with (
        place.gateway() as other,
        attached(place.port, table, ada.token) as a,
        attached(other.port, table, bob.token) as b,
    ):
        turners = [Turner(a), Turner(b)]
        for player in (a, b):
            await started(player)
        await asyncio.gather(*(turner.turn_and_wait(60, at_once=4) for turner in turners))
        for seat, turner in enumerate(turners):
            assert await believed(a, 60, seat) == [turner.said[n] for n in range(1, 61)]
            assert turner.said[1] == turner.player.of("snapshot")[0]["seq"]


async def test_a_command_that_is_sent_again_through_another_gateway_counts_as_it_was_played(place: Place) -> None:
    """That gateway has just heard of the table: it does not know the digest of what was seen then."""
    table, (ada, bob) = await place.running_hand()
    async with place.gateway() as other, attached(place.port, table, bob.token) as neighbour:
        await started(neighbour)
        async with attached(place.port, table, ada.token) as first:
            await started(first)
            then = first.has_seen
            await Turner(neighbour).turn_and_wait(4)
            await first.until(lambda: len(first.events) >= 4)
            last = first.last
            assert last is not None
            await first.drops()
        async with attached(other.port, table, ada.token, after=last, answers_pings=False) as second:
            await welcomed(second)
            await second.sends(turn(1, **then))
            await second.sends(turn(2, seen=last["seq"]))
            await second.sends(turn(3, seen=last["seq"] + 1))
            assert await believed(second, 3) == [then["seen"], last["seq"], last["seq"]]
