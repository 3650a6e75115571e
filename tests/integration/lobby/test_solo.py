"""Games of Aces Up: a player has one at a time, and it begins, ends and goes like any other table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from pandemonium.lobby.v1 import lobby_pb2
from redis.asyncio import Redis

from services.lobby.settings import LobbySettings
from services.runtime import keys
from tests.integration.lobby.fake_engine import FakeEngine
from tests.integration.lobby.hall import CLOSED, ENDED, PLAYING, Hall, fault, serving_lobby, until


async def test_a_game_is_dealt_at_once_to_its_player_alone(hall: Hall) -> None:
    table = await hall.aces_up("ada", 7, practice=True)
    assert (table.public, table.invite, len(table.seats), table.seats[0].player) == (False, "", 1, "ada")
    begun = await hall.until_dealt(table.id)
    assert json.loads(begun.options_json) == {"game": "aces_up", "number": 7, "practice": True, "auto_remove": False}
    deal = hall.engine.hands[table.id].deal
    assert (deal.options_json, deal.countdown_ms, [seat.player for seat in deal.seats]) == (
        table.options_json,
        0,
        ["ada"],
    )
    assert table.id not in await hall.listed()
    assert (await fault(hall.join(table.id, "eve"))).reason == "BAD_INVITE"
    # Anybody who knows the table may look at it.
    assert (await hall.table(table.id, "eve")).match == table.match


async def test_the_next_game_ends_the_one_before_also_in_the_middle(hall: Hall) -> None:
    first = await hall.aces_up("ada", 7)
    await hall.until_dealt(first.id)
    second = await hall.aces_up("ada", 7)
    assert second.id != first.id
    assert second.match != first.match
    await hall.until_dealt(second.id)
    await hall.until_state(first.id, CLOSED)

    async def given_up() -> bool:
        return hall.engine.hands[first.id].phase == "over"

    await until(given_up)
    assert hall.engine.hands[second.id].phase == "dealt"


@pytest.mark.parametrize("won", [True, False])
async def test_a_counted_game_is_over_and_its_player_may_go_anywhere(hall: Hall, won: bool) -> None:
    async def over(player: str) -> lobby_pb2.Table:
        table = await hall.aces_up(player)
        await hall.until_dealt(table.id)
        await hall.score(table.id, [0], [0] if won else [])
        return await hall.until_state(table.id, ENDED)

    ended = await over("ada")
    assert list(ended.winners) == ([0] if won else [])
    # Whatever comes next, the table of the game that is over lets its player go.
    await hall.aces_up("ada")
    assert (await hall.table(ended.id)).state == CLOSED
    other = await hall.create("host")
    for player, go in (("bob", hall.create), ("eve", hall.quick), ("joe", None)):
        done = await over(player)
        await (hall.join(other.id, player) if go is None else go(player))
        assert (await hall.table(done.id)).state == CLOSED


async def test_a_game_that_was_over_can_be_played_again_where_it_was(hall: Hall) -> None:
    table = await hall.aces_up("ada")
    await hall.until_dealt(table.id)
    await hall.score(table.id, [0], [0])
    await hall.until_state(table.id, ENDED)
    await hall.rematch(table.id, "ada")

    async def again() -> lobby_pb2.Table | None:
        now = await hall.table(table.id)
        dealt = hall.engine.hands[table.id]
        return now if now.state == PLAYING and (dealt.match, dealt.phase) == (now.match, "dealt") else None

    assert (await until(again)).match != table.match


async def test_a_player_at_a_table_of_racing_demon_stays_there_and_the_other_way_round(hall: Hall) -> None:
    table = await hall.create("ada")
    refused = await fault(hall.aces_up("ada"))
    assert (refused.reason, refused.metadata["table"]) == ("ALREADY_SEATED", table.id)
    solo = await hall.aces_up("bob")
    await hall.until_dealt(solo.id)
    for call in (hall.create("bob"), hall.quick("bob"), hall.join(table.id, "bob")):
        refused = await fault(call)
        assert (refused.reason, refused.metadata["table"]) == ("ALREADY_SEATED", solo.id)
    await hall.leave(solo.id, "bob")
    assert (await hall.quick("bob")).seat == 0


async def test_options_that_cannot_be_leave_the_running_game_alone(hall: Hall) -> None:
    table = await hall.aces_up("ada")
    await hall.until_dealt(table.id)
    refused = await fault(hall.aces_up("ada", 0))
    assert (refused.reason, refused.metadata["option"]) == ("BAD_OPTION", "number")
    assert (await hall.table(table.id)).state == PLAYING


async def test_many_calls_at_once_leave_one_game(hall: Hall) -> None:
    games = await asyncio.gather(*(hall.aces_up("ada", number) for number in range(1, 9)))
    seat: Any = await hall.redis.get(keys.player_seat("ada"))

    async def one_is_left() -> bool:
        states = {table.id: (await hall.table(table.id)).state for table in games}
        return [id_ for id_, state in states.items() if state != CLOSED] == [seat.decode()]

    await until(one_is_left)
    await hall.until_dealt(seat.decode())


async def test_a_game_that_nobody_goes_on_with_is_closed(
    settings: Callable[..., LobbySettings], engine: FakeEngine, redis: Redis
) -> None:
    async with serving_lobby(settings(absent_seconds=0.1, stale_seconds=1.0), engine, redis) as hall:
        table = await hall.aces_up("ada")
        await hall.until_dealt(table.id)
        closed = await hall.until_state(table.id, CLOSED)
        assert engine.hands[table.id].deal.match == closed.match
        # Its player is free.
        await hall.create("ada")
