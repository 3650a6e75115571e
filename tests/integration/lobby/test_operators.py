"""What operators do to tables: every table is listed, and any can be held still, closed, and rid of a player."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import pytest_asyncio
from pandemonium.lobby.v1 import operator_pb2 as wire
from pandemonium.lobby.v1 import operator_pb2_grpc
from redis.asyncio import Redis

from services.lobby.build import build
from services.lobby.settings import LobbySettings
from services.runtime.channels import channel
from services.runtime.serve import serving
from tests.integration.lobby.fake_engine import FakeEngine
from tests.integration.lobby.hall import CLOSED, PATIENCE_SECONDS, PLAYING, Hall, fault, serving_lobby, until


@pytest_asyncio.fixture
async def desk(
    settings: Callable[..., LobbySettings], hall: Hall
) -> AsyncIterator[operator_pb2_grpc.OperatorServiceAsyncStub]:
    """Another lobby on the same tables, as the console reaches it."""
    async with serving(settings(), build) as served, channel(f"127.0.0.1:{served.port}", PATIENCE_SECONDS) as opened:
        yield operator_pb2_grpc.OperatorServiceStub(opened)


async def test_every_table_is_listed_private_and_closed_ones_too(
    hall: Hall, desk: operator_pb2_grpc.OperatorServiceAsyncStub
) -> None:
    private = await hall.create("ada", seats=2, public=False)
    closed = await hall.create("bob", seats=3)
    solo = await hall.aces_up("cy")
    await hall.close(closed.id, "bob")
    found = [table async for answer in desk.SurveyTables(wire.SurveyTablesRequest()) for table in answer.tables]
    briefs = {table.id: table for table in found}
    assert briefs.keys() == {private.id, closed.id, solo.id}
    assert (briefs[private.id].seats, briefs[private.id].people, list(briefs[private.id].names)) == (2, 1, ["Ada"])
    assert briefs[closed.id].state == CLOSED


async def test_a_table_held_still_deals_no_hand_until_it_goes_on(
    hall: Hall, desk: operator_pb2_grpc.OperatorServiceAsyncStub, engine: FakeEngine
) -> None:
    table = (await hall.create("ada", seats=2)).id
    await hall.join(table, "bob")
    await hall.until_prepared(table)
    await desk.FreezeTable(wire.FreezeTableRequest(table=table, frozen=True))

    async def held() -> bool:
        return table in engine.frozen

    async def let_go() -> bool:
        return table not in engine.frozen

    await until(held)
    for player in ("ada", "bob"):
        assert (await hall.ready(table, player)).frozen
    assert (await hall.table(table)).state != PLAYING
    await desk.FreezeTable(wire.FreezeTableRequest(table=table, frozen=False))
    await hall.until_dealt(table)
    await until(let_go)
    assert not (await hall.table(table)).frozen


async def test_the_order_to_hold_still_reaches_an_engine_that_was_away(
    hall: Hall, desk: operator_pb2_grpc.OperatorServiceAsyncStub, engine: FakeEngine
) -> None:
    table = (await hall.create("ada", seats=2)).id
    engine.down.add("Freeze")
    await desk.FreezeTable(wire.FreezeTableRequest(table=table, frozen=True))

    async def asked() -> bool:
        return engine.calls["Freeze"] > 1

    async def held() -> bool:
        return table in engine.frozen

    await until(asked)
    engine.down.clear()
    await until(held)


async def test_an_operator_closes_any_table_and_sends_anybody_away(
    hall: Hall, desk: operator_pb2_grpc.OperatorServiceAsyncStub, engine: FakeEngine
) -> None:
    table = (await hall.create("ada", seats=2)).id
    await hall.join(table, "bob")
    await hall.begin(table, ["ada", "bob"])
    await desk.ExpelPlayer(wire.ExpelPlayerRequest(table=table, seat=0))
    after = await hall.table(table)
    assert (after.seats[0].bot, after.host) == (True, "bob")
    assert (await fault(hall.join(table, "ada"))).reason == "SENT_AWAY"
    assert (await fault(desk.ExpelPlayer(wire.ExpelPlayerRequest(table=table, seat=7)))).reason == "NO_PLAYER_THERE"
    await desk.EndTable(wire.EndTableRequest(table=table))
    await hall.until_state(table, CLOSED)
    assert (await fault(desk.FreezeTable(wire.FreezeTableRequest(table=table, frozen=True)))).reason == "TABLE_CLOSED"
    assert (await fault(desk.EndTable(wire.EndTableRequest(table="none")))).reason == "UNKNOWN_TABLE"


async def test_while_paused_no_table_is_opened_but_places_at_tables_are_still_given(
    hall: Hall,
    desk: operator_pb2_grpc.OperatorServiceAsyncStub,
    settings: Callable[..., LobbySettings],
    engine: FakeEngine,
    redis: Redis,
) -> None:
    waiting = await hall.quick("ada")
    await desk.PauseCreation(wire.PauseCreationRequest(paused=True))
    assert (await desk.GetCreation(wire.GetCreationRequest())).paused
    assert (await fault(hall.create("bob"))).reason == "CREATION_PAUSED"
    assert (await fault(hall.aces_up("bob"))).reason == "CREATION_PAUSED"
    assert (await fault(hall.quick("bob", seats=3))).reason == "CREATION_PAUSED"
    assert (await hall.quick("bob")).table.id == waiting.table.id
    async with serving_lobby(settings(), engine, redis) as other:
        assert (await fault(other.create("cy"))).reason == "CREATION_PAUSED"
    await desk.PauseCreation(wire.PauseCreationRequest(paused=False))
    assert (await hall.create("cy")).id
