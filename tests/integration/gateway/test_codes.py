"""Short codes at the edge: they lead to a table, and can't be guessed."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

from services.client import Client
from services.client.errors import NotFound
from services.client.models import TableState
from tests.integration.gateway.place import Place, welcomed
from tests.integration.gateway.player import Turner, attached

pytestmark = pytest.mark.asyncio(loop_scope="session")


def client(place: Place, port: int | None = None) -> Client:
    return Client(f"http://127.0.0.1:{port or place.port}")


async def test_a_private_table_is_joined_by_its_code_at_any_edge(place: Place) -> None:
    async with place.gateway() as other, client(place) as ada, client(place, other.port) as bob:
        await ada.guest("Ada")
        await bob.guest("Bob")
        table = await ada.create_table(seats=2, public=False)
        seated = await bob.join_by_code(f"{table.code[:3]} {table.code[3:]}".lower())
        assert (seated.table.id, seated.seat) == (table.id, 1)
        assert seated.table.code == table.code


async def test_a_table_tells_its_code_to_those_who_sit_there(place: Place) -> None:
    ada, eve = await place.guest("Ada"), await place.guest("Eve")
    table = await place.table(ada)
    async with place.http() as http, attached(place.port, table, seat=False) as watcher:
        seen: list[dict[str, Any]] = [
            (await http.get(f"/api/v1/tables/{table}", headers=guest.headers)).json() for guest in (ada, eve)
        ]
        await welcomed(watcher)
    assert [len(each["code"]) for each in seen] == [6, 0]
    assert watcher.welcome["table"]["code"] == ""


async def test_wrong_codes_are_counted_by_address_and_right_ones_are_not(place: Place) -> None:
    ada = await place.guest("Ada")
    table = await place.table(ada)
    async with (
        place.gateway(wrong_codes_per_minute=15, forwarded_allow_ips="127.0.0.1") as strict,
        place.http(strict.port) as http,
    ):
        code = (await http.get(f"/api/v1/tables/{table}", headers=ada.headers)).json()["code"]

        async def asked(code: str, address: str) -> int:
            answer = await http.get(f"/api/v1/codes/{code}", headers={"X-Forwarded-For": address})
            return answer.status_code

        assert {await asked(code, "198.51.100.7") for _ in range(20)} == {200}
        wrong = await asyncio.gather(*(asked("ZZZZZZ", "198.51.100.7") for _ in range(30)))
        assert wrong.count(404) <= 15
        assert 429 in wrong
        assert await asked(code, "198.51.100.7") == 429
        assert await asked(code, "198.51.100.8") == 200
        # A whole class types the right one in the same moment: nobody is kept out afterwards.
        await asyncio.gather(*(asked(code, "198.51.100.9") for _ in range(60)))
        assert await asked(code, "198.51.100.9") == 200


async def test_the_code_of_a_closed_table_leads_nowhere(place: Place) -> None:
    async with client(place) as ada:
        await ada.guest("Ada")
        table = await ada.create_table(seats=2)
        await ada.close_table(table.id)
        assert (await ada.get_table(table.id)).state is TableState.CLOSED
        async with place.gateway(wrong_codes_per_minute=0) as other, client(place, other.port) as bob:
            with pytest.raises(NotFound, match="unknown_code"):
                await bob.find(table.code)


async def test_the_list_of_tables_tells_how_many_watch(place: Place) -> None:
    ada = await place.guest("Ada")
    table = await place.table(ada)
    async with place.http() as http, attached(place.port, table, seat=False) as watcher:
        await watcher.until(lambda: bool(watcher.of("watchers")))
        listed = (await http.get("/api/v1/tables")).json()
    assert listed["watchers"][table] == 1


async def test_a_table_is_watched_in_the_terminal_by_its_code(place: Place) -> None:
    table, (ada, _) = await place.running_hand()
    async with place.http() as http, attached(place.port, table, ada.token) as player:
        code = (await http.get(f"/api/v1/tables/{table}", headers=ada.headers)).json()["code"]
        asked = ("-m", "services.cli", "watch", code.lower(), "--url", f"http://127.0.0.1:{place.port}")
        watching = await asyncio.create_subprocess_exec(sys.executable, *asked, stdout=asyncio.subprocess.PIPE)
        try:
            await player.until(lambda: any(frame["count"] == 1 for frame in player.of("watchers")), 30)
            await Turner(player).turn()
            assert watching.stdout is not None
            line = await asyncio.wait_for(watching.stdout.readline(), 30)
            assert b"Ada" in line
        finally:
            if watching.returncode is None:
                watching.terminate()
            await watching.wait()
