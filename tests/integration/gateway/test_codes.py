"""Short codes at the edge: they lead to a table, and can't be guessed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from services.client import Client
from services.client.errors import NotFound, TooMany
from services.client.models import TableState
from tests.integration.gateway.place import Place
from tests.integration.gateway.player import attached

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
        await watcher.until(lambda: bool(watcher.of("welcome")))
    assert [len(each["code"]) for each in seen] == [6, 0]
    assert watcher.welcome["table"]["code"] == ""


async def test_wrong_codes_are_counted_and_right_ones_are_not(place: Place) -> None:
    async with place.gateway(wrong_codes_per_minute=15) as strict, client(place, strict.port) as ada:
        await ada.guest("Ada")
        code = (await ada.create_table(seats=2)).code
        for _ in range(20):
            await ada.find(code)
        refusals = await asyncio.gather(*(ada.find("ZZZZZZ") for _ in range(30)), return_exceptions=True)
        assert any(isinstance(refusal, TooMany) for refusal in refusals)
        assert sum(isinstance(refusal, NotFound) for refusal in refusals) <= 15
        with pytest.raises(TooMany, match="too_many_codes"):
            await ada.find(code)


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
