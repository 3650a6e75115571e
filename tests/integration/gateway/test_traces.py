"""One command, one trace, from the edge through the engine to the script; one request, one trace, to who is asked.

And what an operator does by the console is one, down to Redis.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from services.cli import ops_accounts
from services.ops.build import build as build_ops
from services.ops.settings import OpsSettings
from services.runtime import tracing
from services.runtime.serve import serving_app
from tests.integration.gateway.place import Place, started
from tests.integration.gateway.player import Turner, attached
from tests.spans import everything_traced

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def exported() -> Iterator[InMemorySpanExporter]:
    """Everything is traced, into memory."""
    with everything_traced() as exporter:
        yield exporter


async def traced(exported: InMemorySpanExporter, names: Sequence[str]) -> list[ReadableSpan]:
    """The spans with these names of the first trace that has them all."""
    async with asyncio.timeout(15):
        while True:
            by_trace: dict[int, dict[str, ReadableSpan]] = {}
            for span in exported.get_finished_spans():
                by_trace.setdefault(span.context.trace_id, {})[span.name] = span
            for spans in by_trace.values():
                if set(names) <= set(spans):
                    return [spans[name] for name in names]
            await asyncio.sleep(0.02)


async def test_a_command_is_one_trace_through_edge_engine_and_script(
    place: Place, exported: InMemorySpanExporter
) -> None:
    table, (ada, _) = await place.running_hand()
    async with attached(place.port, table, ada.token) as player:
        await started(player)
        exported.clear()
        await Turner(player).turn_and_wait(1)

    command, judge, script = await traced(exported, ["command", "judge", "referee.lua"])

    assert command.parent is None
    assert judge.parent is not None
    assert script.parent is not None
    assert judge.parent.span_id == command.context.span_id
    assert script.parent.span_id == judge.context.span_id
    assert command.attributes is not None
    assert judge.attributes is not None
    assert (command.attributes["table"], command.attributes["outcome"]) == (table, "applied")
    assert (judge.attributes["n"], judge.attributes["status"]) == (1, "applied")
    assert script.start_time is not None
    assert judge.start_time is not None
    assert judge.start_time <= script.start_time


async def test_a_request_is_one_trace_through_the_services_that_it_asks(
    place: Place, exported: InMemorySpanExporter
) -> None:
    ada = await place.guest()
    table = await place.table(ada)
    exported.clear()
    async with place.http() as http:
        await http.get(f"/api/v1/tables/{table}", headers=ada.headers)

    request, call = await traced(exported, ["GET", "LobbyService/GetTable"])

    assert call.parent is not None
    assert call.parent.span_id == request.context.span_id


async def test_a_clients_own_trace_is_not_followed(place: Place, exported: InMemorySpanExporter) -> None:
    exported.clear()
    own = "0af7651916cd43dd8448eb211c80319c"
    async with place.http() as http:
        await http.get("/api/v1/tables", headers={"traceparent": f"00-{own}-b7ad6b7169203331-01"})

    (request,) = await traced(exported, ["GET"])

    assert request.parent is None
    assert f"{request.context.trace_id:032x}" != own


async def test_an_operators_action_is_one_trace_through_console_lobby_and_redis(
    place: Place, exported: InMemorySpanExporter, tmp_path: Path
) -> None:
    accounts = tmp_path / "accounts"
    ops_accounts.add(accounts, "ann", "operator", "ann's own password")
    settings = OpsSettings(
        redis_url=place.redis_url,
        port=0,
        metrics_port=0,
        lobby=place.lobby,
        engines=place.engines,
        accounts_file=accounts,
    )
    table = await place.table(await place.guest())
    async with serving_app(settings, build_ops) as console, place.http(console.port) as http:
        login = {"name": "ann", "password": "ann's own password", "token": True}
        token = (await http.post("/api/ops/v1/login", json=login)).json()["token"]
        exported.clear()
        headers = {"Authorization": f"Bearer {token}"}
        closed = await http.post(f"/api/ops/v1/tables/{table}/close", headers=headers)
        assert closed.status_code == 200, closed.text

        request, call = await traced(exported, ["POST", "OperatorService/EndTable"])

    assert request.parent is None
    assert call.parent is not None
    assert call.parent.span_id == request.context.span_id
    asked = [span for span in exported.get_finished_spans() if span.name == "redis"]
    within = [
        span.parent.span_id for span in asked if span.parent and span.context.trace_id == request.context.trace_id
    ]
    assert {request.context.span_id, call.context.span_id} == set(within)


async def test_while_off_commands_carry_nothing(place: Place) -> None:
    assert tracing.share == 0.0
    table, (ada, _) = await place.running_hand()
    async with attached(place.port, table, ada.token) as player:
        await started(player)
        await Turner(player).turn_and_wait(1)
        assert player.verdicts[0]["v"] == "applied"
