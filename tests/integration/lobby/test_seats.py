"""Who may sit where, and what becomes of a seat whose player goes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from redis.asyncio import Redis

from services.lobby.settings import LobbySettings
from services.runtime import keys
from tests.integration.lobby.fake_engine import FakeEngine
from tests.integration.lobby.hall import CLOSED, ENDED, OPEN, PLAYING, Hall, fault, serving_lobby, until


async def test_two_joins_into_the_last_two_seats_both_succeed(hall: Hall) -> None:
    for number in range(10):
        table = await hall.create(f"host{number}")
        await hall.join(table.id, f"second{number}")
        third, fourth = await asyncio.gather(
            hall.join(table.id, f"third{number}"), hall.join(table.id, f"fourth{number}")
        )
        assert {third.seat, fourth.seat} == {2, 3}


async def test_more_joins_than_seats_seat_exactly_as_many_as_fit(hall: Hall) -> None:
    table = await hall.create("ada")
    players = [f"p{number}" for number in range(12)]
    answers = await asyncio.gather(*(hall.join(table.id, player) for player in players), return_exceptions=True)
    refused = [player for player, answer in zip(players, answers, strict=True) if isinstance(answer, Exception)]
    assert len(refused) == 9
    full = await hall.table(table.id)
    assert {seat.player for seat in full.seats} == {"ada", *players} - set(refused)
    for player in refused:
        assert (await fault(hall.join(table.id, player))).reason == "TABLE_FULL"
        assert not await hall.redis.exists(keys.player_seat(player))


async def test_the_same_player_again_keeps_the_same_seat(hall: Hall) -> None:
    table = await hall.create("ada")
    first = await hall.join(table.id, "bob")
    again = await asyncio.gather(*(hall.join(table.id, "bob") for _ in range(5)))
    assert {answer.seat for answer in again} == {first.seat}
    assert (await hall.join(table.id, "ada")).seat == 0


async def test_nobody_sits_at_two_tables(hall: Hall) -> None:
    one, other = await hall.create("ada"), await hall.create("bob")
    refused = await fault(hall.join(other.id, "ada"))
    assert (refused.reason, dict(refused.metadata)) == ("ALREADY_SEATED", {"table": one.id})
    assert (await fault(hall.create("ada"))).reason == "ALREADY_SEATED"
    tables = [await hall.create(f"host{number}") for number in range(6)]
    answers = await asyncio.gather(*(hall.join(table.id, "eve") for table in tables), return_exceptions=True)
    assert sum(not isinstance(answer, Exception) for answer in answers) == 1
    found = [await hall.table(table.id) for table in tables]
    assert sum(seat.player == "eve" for table in found for seat in table.seats) == 1


async def test_a_private_table_needs_its_invite_and_shows_it_to_its_players_only(hall: Hall) -> None:
    table = await hall.create("ada", public=False)
    assert len(table.invite) >= 16
    assert (await hall.table(table.id, "ada")).invite == table.invite
    assert (await hall.table(table.id)).invite == (await hall.table(table.id, "bob")).invite == ""
    assert table.id not in await hall.listed()
    for wrong in ("", "x", table.invite.upper(), "unguessable\u00e9"):
        assert (await fault(hall.join(table.id, "bob", wrong))).reason == "BAD_INVITE"
    joined = await hall.join(table.id, "bob", table.invite)
    assert joined.table.invite == table.invite


async def test_public_tables_are_listed_newest_first_until_they_close(hall: Hall) -> None:
    tables = [(await hall.create(f"host{number}")).id for number in range(5)]
    listed = await hall.listed()
    assert set(listed) == set(tables)
    created = {table: (await hall.table(table)).created_ms for table in tables}
    assert [created[table] for table in listed] == sorted(created.values(), reverse=True)
    assert len(await hall.listed(2)) == 2
    await hall.close(tables[0], "host0")
    assert set(await hall.listed()) == set(tables[1:])


async def test_a_seat_given_up_before_the_match_is_free_again(hall: Hall) -> None:
    table = await hall.create("ada")
    await hall.join(table.id, "bob")
    assert (await fault(hall.leave(table.id, "eve"))).reason == "NOT_SEATED"
    left = await hall.leave(table.id, "bob")
    assert [seat.player for seat in left.seats] == ["ada", "", "", ""]
    assert (await hall.create("bob")).seats[0].player == "bob"


async def test_the_host_sends_a_player_away_who_may_sit_anywhere_else(hall: Hall) -> None:
    table = await hall.create("ada", public=False)
    await hall.join(table.id, "bob", table.invite)
    assert (await fault(hall.remove_player(table.id, "bob", 0))).reason == "NOT_HOST"
    assert (await fault(hall.remove_player(table.id, "ada", 0))).reason == "NO_PLAYER_THERE"
    freed = await hall.remove_player(table.id, "ada", 1)
    assert [seat.player for seat in freed.seats] == ["ada", "", "", ""]
    assert (await fault(hall.remove_player(table.id, "ada", 1))).reason == "NO_PLAYER_THERE"
    assert (await fault(hall.join(table.id, "bob", table.invite))).reason == "SENT_AWAY"
    assert (await hall.create("bob")).seats[0].player == "bob"


async def test_the_table_outlives_its_host(hall: Hall) -> None:
    table = await hall.create("ada")
    await hall.join(table.id, "bob")
    left = await hall.leave(table.id, "ada")
    assert (left.host, left.state) == ("bob", OPEN)
    assert (await hall.leave(table.id, "bob")).state == CLOSED


async def test_a_bot_takes_over_from_who_leaves_in_a_match_with_the_points(hall: Hall) -> None:
    table = await hall.create("ada", seats=2)
    await hall.join(table.id, "bob")
    await hall.begin(table.id, ["ada", "bob"])
    await hall.score(table.id, [5, 17])
    await hall.begin(table.id, ["ada", "bob"], hand=2)
    left = await hall.leave(table.id, "bob")
    assert (left.state, left.seats[1].bot, left.seats[1].player, left.seats[1].total) == (PLAYING, True, "", 17)
    bot = await hall.claim("w", "robot")
    assert bot is not None
    assert (bot.table, bot.seat) == (table.id, 1)
    assert (await hall.table(table.id)).seats[1].player == "robot"
    await hall.score(table.id, [100, 40], winners=[0])
    await hall.until_state(table.id, ENDED)


async def test_the_last_person_to_leave_closes_the_table_and_its_hand(hall: Hall, engine: FakeEngine) -> None:
    table = await hall.create("ada", seats=2, bots=1)
    await hall.claim("w", "robot")
    await hall.begin(table.id, ["ada", "robot"])
    assert (await hall.leave(table.id, "ada")).state == CLOSED

    async def over() -> bool:
        return engine.hands[table.id].phase == "over"

    await until(over)


async def test_whoever_joins_while_the_table_closes_is_refused_and_not_held(hall: Hall) -> None:
    for number in range(10):
        table = await hall.create(f"host{number}")
        players = [f"p{number}-{i}" for i in range(3)]
        answers = await asyncio.gather(
            *(hall.join(table.id, player) for player in players),
            hall.close(table.id, f"host{number}"),
            return_exceptions=True,
        )
        for player, answer in zip(players, answers[:-1], strict=True):
            if isinstance(answer, Exception):
                assert (await fault(hall.join(table.id, player))).reason == "TABLE_CLOSED"
        # Seated just before or refused: either way free for another table now.
        other = (await hall.create(f"other{number}")).id
        for player in players:
            await hall.join(other, player)


async def test_a_stale_claim_is_repaired(hall: Hall) -> None:
    table = await hall.create("ada")
    await hall.redis.set(keys.player_seat("bob"), table.id, px=3_600_000)
    await hall.redis.set(keys.player_seat("eve"), "no-such-table", px=3_600_000)
    assert (await hall.quick("bob")).table.id != table.id
    assert (await hall.join(table.id, "eve")).seat == 1


async def test_a_claim_left_by_a_dead_lobby_ends_within_seconds(hall: Hall) -> None:
    table, other = await hall.create("ada"), await hall.create("eve")
    await hall.redis.set(keys.player_seat("bob"), table.id, px=300)
    assert (await hall.join(other.id, "bob")).seat == 1


async def test_a_seat_whose_player_sits_elsewhere_by_claim_is_given_up(hall: Hall) -> None:
    table, other = await hall.create("ada"), await hall.create("eve")
    await hall.join(table.id, "bob")
    # As if the lobby had died between the seat and the claim, and the player had gone elsewhere.
    await hall.redis.set(keys.player_seat("bob"), other.id, px=3_600_000)

    async def given_up() -> bool:
        return all(seat.player != "bob" for seat in (await hall.table(table.id)).seats)

    await until(given_up, 15)


async def test_who_is_away_too_long_before_the_match_loses_the_seat(
    settings: Callable[..., LobbySettings], engine: FakeEngine, redis: Redis
) -> None:
    async with serving_lobby(settings(absent_seconds=1.5), engine, redis) as hall:
        table = await hall.create("ada")
        await hall.present(table.id, "ada")
        await hall.join(table.id, "bob")

        async def gone() -> bool:
            return all(seat.player != "bob" for seat in (await hall.table(table.id)).seats)

        await until(gone)
        assert (await hall.table(table.id)).seats[0].present


@pytest.mark.parametrize(
    ("wish", "reason", "metadata"),
    [
        ({"options_json": '{"draw":2}'}, "BAD_OPTION", {"option": "draw"}),
        ({"options_json": '{"speed":9}'}, "BAD_OPTION", {"option": "speed"}),
        ({"options_json": "["}, "BAD_OPTION", {"option": "options"}),
        ({"seats": 1}, "BAD_SEATS", {}),
        ({"seats": 9}, "BAD_SEATS", {}),
        ({"seats": 3, "bots": 3}, "BAD_SEATS", {}),
        ({"countdown_ms": 60_001}, "BAD_COUNTDOWN", {}),
    ],
)
async def test_impossible_tables_are_refused_by_name(
    hall: Hall, wish: dict[str, object], reason: str, metadata: dict[str, str]
) -> None:
    refused = await fault(hall.create("ada", **wish))  # type: ignore[arg-type]
    assert (refused.reason, dict(refused.metadata)) == (reason, metadata)
    assert not await hall.keys()


@pytest.mark.parametrize("name", ["", "   ", "\u2003\u3000", "x" * 101, "a\nb", "a\u202eb", "\x00"])
async def test_nobody_sits_down_with_a_name_that_cannot_be_shown(hall: Hall, name: str) -> None:
    from pandemonium.lobby.v1 import lobby_pb2

    table = await hall.create("ada")
    request = lobby_pb2.JoinRequest(table=table.id, player="bob", name=name)
    assert (await fault(hall.stub.Join(request))).reason == "BAD_NAME"
    assert (await fault(hall.stub.QuickPlay(lobby_pb2.QuickPlayRequest(player="bob", name=name)))).reason == "BAD_NAME"


async def test_unknown_tables_and_ids_are_refused(hall: Hall) -> None:
    assert (await fault(hall.table("nowhere"))).reason == "UNKNOWN_TABLE"
    assert (await fault(hall.join("nowhere", "bob"))).reason == "UNKNOWN_TABLE"
    assert (await fault(hall.join("a|b", "bob"))).reason == "BAD_TABLE"
    assert (await fault(hall.quick("b|b"))).reason == "BAD_PLAYER"
    assert not await hall.keys()


async def test_every_change_raises_the_version_and_tells_the_channel(hall: Hall) -> None:
    table = await hall.create("ada", seats=3)
    async with hall.redis.pubsub() as heard:
        await heard.subscribe(keys.table_channel(table.id))
        await hall.join(table.id, "bob")
        await hall.present(table.id, "bob")
        await hall.present(table.id, "bob")
        last = await hall.ready(table.id, "bob")

        async def versions() -> list[int]:
            message = await heard.get_message(ignore_subscribe_messages=True, timeout=1)
            if message:
                told.append(int(message["data"]))
            return told if told and told[-1] == last.version else []

        told: list[int] = []
        versions_told = [table.version, *await until(versions)]
    assert len(versions_told) >= 4
    assert versions_told == sorted(set(versions_told)), "each is above the one before"
