"""What the edge logs of sockets and requests: enough to follow one, and nothing for each."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Iterator

import pytest
from websockets.asyncio.client import connect

from tests.integration.gateway import platform
from tests.integration.gateway.place import Place, welcomed
from tests.integration.gateway.player import attached
from tests.log_lines import lines, logged_as

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    """Where this test's log goes."""
    with logged_as("gateway") as stream:
        yield stream


async def test_sockets_and_requests_that_go_well_are_not_logged(place: Place, out: io.StringIO) -> None:
    ada = await place.guest()
    table = await place.table(ada)
    async with attached(place.port, table, ada.token) as player:
        await welcomed(player)
    async with place.http() as http:
        assert (await http.get("/api/v1/tables/nothing", headers=ada.headers)).status_code == 404
    # The client that this test asks with tells of itself.
    assert [line for line in lines(out) if not line["event"].startswith(("readiness", "HTTP Request"))] == []


async def test_what_goes_wrong_for_a_socket_names_its_table_and_the_request_that_opened_it(
    place: Place, out: io.StringIO
) -> None:
    ada = await place.guest()
    table = await place.table(ada)
    nowhere = {"engines": place.engines, "lobby": "127.0.0.1:1", "scoring": place.scoring}
    async with platform.gateway(place.redis_url, **nowhere) as lonely:
        url = f"ws://127.0.0.1:{lonely.port}/api/v1/tables/{table}/socket"
        headers = {"X-Request-ID": "opened-7", "Authorization": f"Bearer {ada.token}"}
        async with connect(url, additional_headers=headers, proxy=None) as socket, asyncio.timeout(20):
            await socket.send(json.dumps({"t": "attach", "seat": True}))
            await socket.wait_closed()
    (line,) = [line for line in lines(out) if line["event"] == "socket given up"]
    assert (line["table"], line["request_id"], line["level"]) == (table, "opened-7", "warning")


async def test_a_request_that_fails_is_logged_with_its_id(place: Place, out: io.StringIO) -> None:
    ada = await place.guest()
    nowhere = {"engines": place.engines, "lobby": "127.0.0.1:1", "scoring": place.scoring}
    async with platform.gateway(place.redis_url, **nowhere) as lonely, place.http(lonely.port) as http:
        answer = await http.get("/api/v1/tables", headers={**ada.headers, "X-Request-ID": "asked-8"})
    assert answer.status_code == 503
    (line,) = [line for line in lines(out) if line["event"] == "request"]
    assert (line["request_id"], line["route"], line["status"]) == ("asked-8", "/api/v1/tables", 503)
