"""A table's short code: one table's only, known to those who are invited, gone when the table closes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from pandemonium.lobby.v1 import lobby_pb2
from redis.asyncio import Redis

from services.lobby.redis_codes import Codes
from services.lobby.redis_gate import Gate
from services.lobby.settings import LobbySettings
from services.lobby.table import TableId
from services.runtime import keys
from tests.integration.lobby.fake_engine import FakeEngine
from tests.integration.lobby.hall import Hall, fault, serving_lobby, until


async def find(hall: Hall, code: str) -> lobby_pb2.FindTableResponse:
    return await hall.stub.FindTable(lobby_pb2.FindTableRequest(code=code))


async def test_whoever_knows_the_code_of_a_private_table_joins_it(hall: Hall) -> None:
    table = await hall.create("ada", public=False)
    found = await find(hall, f" {table.code[:3].lower()}-{table.code[3:].lower()} ")
    assert found.table == table.id
    assert (await hall.join(found.table, "bob", found.invite)).seat == 1


async def test_the_code_is_told_to_those_who_may_invite_only(hall: Hall) -> None:
    table = await hall.create("ada")
    await hall.join(table.id, "bob")
    shown = {viewer: (await hall.table(table.id, viewer)).code for viewer in ("ada", "bob", "eve", "")}
    assert shown == {"ada": table.code, "bob": table.code, "eve": "", "": ""}
    listed = await hall.stub.ListTables(lobby_pb2.ListTablesRequest())
    assert {each.code for each in listed.tables} == {""}


async def test_quick_play_has_codes_too_and_games_for_one_have_none(hall: Hall) -> None:
    quick = (await hall.quick("ada")).table
    assert (await find(hall, quick.code)).table == quick.id
    assert (await hall.aces_up("bob")).code == ""


async def test_no_two_tables_have_the_same_code_however_many_are_opened_at_once(hall: Hall) -> None:
    tables = await asyncio.gather(*(hall.create(f"host{number}") for number in range(60)))
    quick = await asyncio.gather(*(hall.quick(f"guest{number}", 2) for number in range(60)))
    by_code = {table.code: table.id for table in (*tables, *(each.table for each in quick))}
    assert len(by_code) == 60 + 30
    kept = {key.decode().removeprefix("code:") async for key in hall.redis.scan_iter(match="code:*")}
    assert kept >= set(by_code)
    found = await asyncio.gather(*(find(hall, code) for code in by_code))
    assert [each.table for each in found] == list(by_code.values())


async def test_a_code_is_unknown_as_soon_as_its_table_is_closed_and_its_key_goes(hall: Hall) -> None:
    table = await hall.create("ada")
    await hall.close(table.id, "ada")
    assert (await fault(find(hall, table.code))).reason == "UNKNOWN_CODE"

    async def gone() -> bool:
        return not await hall.redis.exists(keys.code(table.code))

    await until(gone)


async def test_what_can_be_no_code_is_unknown(hall: Hall) -> None:
    for text in ("", "UUUUUU", "7KM4Q0", "x" * 500):
        assert (await fault(find(hall, text))).reason == "UNKNOWN_CODE"


async def test_a_code_that_was_lost_is_had_again_unless_another_table_has_it(hall: Hall) -> None:
    codes = Codes(hall.redis, Gate(), 60_000)
    code = await codes.take(TableId("t1"))
    await hall.redis.delete(keys.code(code))
    assert await codes.hold(code, TableId("t1"))
    assert not await codes.hold(code, TableId("t2"))
    await codes.release(code, TableId("t2"))
    assert await codes.table_of(code) == "t1"
    await codes.release(code, TableId("t1"))
    assert await codes.table_of(code) is None


async def test_a_code_lives_as_long_as_its_table_and_no_longer_by_itself(
    settings: Callable[..., LobbySettings], engine: FakeEngine, redis: Redis
) -> None:
    async with serving_lobby(settings(), engine, redis) as hall:
        table = await hall.create("ada")
        await redis.pexpire(keys.code(table.code), 900)
        # Two seconds after a seat was taken what a table holds is renewed.
        left: Any = await until(lambda: _renewed(redis, table.code))
        assert left > 3_000_000


async def _renewed(redis: Redis, code: str) -> int | None:
    left: int = await redis.pttl(keys.code(code))
    return left if left > 3_000_000 else None
