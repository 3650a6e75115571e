"""A player who asks to be deleted: the seat, the results and the session."""

from __future__ import annotations

import asyncio
import hashlib

import pytest
from redis.asyncio import Redis

from services.runtime import keys
from tests.integration.gateway.place import Place
from tests.integration.gateway.test_rest import is_problem

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_bot_takes_the_seat_and_the_session_is_over(place: Place) -> None:
    table, (ada, bob) = await place.running_hand()
    async with place.http() as http:
        gone = await http.delete("/api/v1/me", headers=ada.headers)
        assert (gone.status_code, gone.content) == (204, b"")
        assert is_problem(await http.get("/api/v1/me", headers=ada.headers), 401, "not_signed_in")
        assert is_problem(await http.delete("/api/v1/me", headers=ada.headers), 401, "not_signed_in")
        seats = (await http.get(f"/api/v1/tables/{table}", headers=bob.headers)).json()["seats"]
        assert seats[0]["bot"]
        assert ada.player not in str(seats)
        assert (await http.get("/api/v1/me", headers=bob.headers)).json()["table"] == table


async def test_who_sits_nowhere_is_deleted_too_and_the_browser_forgets(place: Place) -> None:
    async with place.http() as http:
        await http.post("/api/v1/guests", json={"name": "Ada"})
        gone = await http.delete("/api/v1/me")
        assert gone.status_code == 204
        assert 'session=""' in gone.headers["set-cookie"]
        assert "Max-Age=0" in gone.headers["set-cookie"]


async def test_while_results_cannot_be_reached_the_session_stays_and_it_can_be_asked_again(place: Place) -> None:
    ada = await place.guest()
    async with place.gateway(scoring="127.0.0.1:9") as gateway, place.http(gateway.port) as http:
        refused = await http.delete("/api/v1/me", headers=ada.headers)
        assert is_problem(refused, 503, "unavailable")
    async with place.http() as http, asyncio.timeout(30):
        assert (await http.get("/api/v1/me", headers=ada.headers)).status_code == 200
        assert (await http.delete("/api/v1/me", headers=ada.headers)).status_code == 204


async def test_a_session_lives_as_long_as_the_setting_says(place: Place, log: Redis) -> None:
    async with place.gateway(session_days=2) as gateway, place.http(gateway.port) as http:
        made = await http.post("/api/v1/guests", json={"name": "Ada"})
        assert "Max-Age=172800" in made.headers["set-cookie"]
        key = keys.session(hashlib.sha256(made.json()["token"].encode()).hexdigest())
        assert 172_000 < await log.ttl(key) <= 172_800


async def test_another_site_cannot_have_a_player_deleted(place: Place) -> None:
    async with place.http() as http:
        await http.post("/api/v1/guests", json={"name": "Ada"})
        refused = await http.delete("/api/v1/me", headers={"Origin": "https://elsewhere.example"})
        assert is_problem(refused, 403, "bad_origin")
        assert (await http.get("/api/v1/me")).status_code == 200
