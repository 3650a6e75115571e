"""What keeps strangers and crowds from harming others: limits, cookies, proxies, headers, unlisted tables."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import httpx2
import pytest

from services.gateway import metrics
from tests.integration.gateway.place import Guest, Place, started, welcomed
from tests.integration.gateway.player import attached
from tests.integration.gateway.test_rest import is_problem

pytestmark = pytest.mark.asyncio(loop_scope="session")

SAFE = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def behind_proxy(address: str = "198.51.100.7") -> dict[str, str]:
    return {"X-Forwarded-For": address, "X-Forwarded-Proto": "https"}


@pytest.mark.parametrize(
    "path", ["/api/v1/options", "/api/v1/me", "/api/v1/nowhere", "/api/v1/matches?limit=0", "/readyz"]
)
async def test_every_answer_says_that_it_is_data_and_nothing_else(place: Place, path: str) -> None:
    async with place.http() as http:
        answer = await http.get(path)
    assert {name: answer.headers.get(name) for name in SAFE} == SAFE
    assert "strict-transport-security" not in answer.headers


async def test_the_page_keeps_the_policy_of_its_own(place: Place) -> None:
    async with place.http() as http:
        answer = await http.get("/")
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers.get_list("x-content-type-options") == ["nosniff"]


async def test_behind_a_trusted_proxy_that_speaks_tls_the_cookie_is_bound_to_the_host(place: Place) -> None:
    async with place.gateway(forwarded_allow_ips="127.0.0.1") as edge, place.http(edge.port) as http:
        made = await http.post("/api/v1/guests", json={"name": "Ada"}, headers=behind_proxy())
        assert made.headers["set-cookie"].startswith("__Host-session=")
        assert made.headers["strict-transport-security"] == "max-age=31536000"
        http.cookies.clear()
        for name, status in (("__Host-session", 200), ("session", 401)):
            headers = {**behind_proxy(), "Cookie": f"{name}={made.json()['token']}"}
            assert (await http.get("/api/v1/me", headers=headers)).status_code == status


async def test_nobodys_word_is_taken_on_where_a_request_comes_from_unless_told_to(place: Place) -> None:
    async with place.gateway(guests_per_minute=2) as edge, place.http(edge.port, "127.0.0.62") as http:
        answers = [
            await http.post("/api/v1/guests", json={"name": "Ada"}, headers=behind_proxy(f"198.51.100.{n}"))
            for n in range(3)
        ]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert answers[0].headers["set-cookie"].startswith("session=")


async def test_another_site_makes_no_guests_here(place: Place) -> None:
    async with place.http() as http:
        made = await http.post("/api/v1/guests", json={"name": "Ada"}, headers={"Origin": "http://evil.example"})
        assert is_problem(made, 403, "bad_origin")
        assert "set-cookie" not in made.headers


async def test_a_session_that_asks_too_often_is_told_when_to_come_again_and_may_then(place: Place) -> None:
    ada, bob = await place.guest("Ada"), await place.guest("Bob")
    async with place.gateway(requests_per_second=4, requests_at_once=10) as edge, place.http(edge.port) as http:

        async def me(guest: Guest) -> httpx2.Response:
            return await http.get("/api/v1/me", headers=guest.headers)

        refused = await _until_refused(http, "/api/v1/me", ada.headers)
        assert is_problem(refused, 429, "too_many_requests")
        assert (await me(bob)).status_code == 200
        assert refused.headers["retry-after"] == "1"
        await asyncio.sleep(1)  # what the answer asked for
        assert (await me(ada)).status_code == 200


async def test_no_route_is_beyond_the_limit_of_an_address(place: Place) -> None:
    paths = [
        *("tables", "matches", "matches/m1", "matches/m1/hands/1", "leaderboard", "codes/ZZZZZZ", "me", "nowhere"),
        *("tables/t1/hint", "tables/t1/outlook", "aces-up/statistics", "aces-up/games", "aces-up/daily", "notice"),
    ]
    async with place.gateway(address_per_second=0.01, address_at_once=10) as edge, place.http(edge.port) as http:
        await _until_refused(http, "/api/v1/options", {})
        for path in paths:
            refused = await http.get(f"/api/v1/{path}")
            assert is_problem(refused, 429, "too_many_requests")
            assert 1 <= int(refused.headers["retry-after"]) <= 100
        assert (await http.get("/healthz")).status_code == 200


@pytest.mark.parametrize(
    ("path", "times"), [("/api/v1/me", 20), ("/api/v1/leaderboard", 6), ("/api/v1/tables/t1/outlook", 4)]
)
async def test_what_is_dear_may_be_asked_less_often(place: Place, path: str, times: int) -> None:
    """Of 20 tokens; where nobody is signed in the dear ones cost as much."""
    async with place.gateway(address_per_second=0.001, address_at_once=20) as edge, place.http(edge.port) as http:
        statuses = [(await http.get(path)).status_code for _ in range(times + 1)]
    assert [status == 429 for status in statuses] == [False] * times + [True]


async def test_a_socket_too_many_of_an_address_is_told_to_come_again_later(place: Place) -> None:
    async with place.gateway(address_per_second=0.01, address_at_once=10) as edge:
        table = await place.table(await place.guest("Ada"))
        for _ in range(10):
            async with attached(edge.port, table, seat=False) as watcher:
                await welcomed(watcher)
        async with attached(edge.port, table, seat=False) as watcher:
            assert await watcher.closed() == 1013


async def test_a_player_has_only_so_many_sockets_until_one_is_closed(place: Place) -> None:
    ada, bob = await place.guest("Ada"), await place.guest("Bob")
    table = await place.table(ada, bob)
    async with place.gateway(sockets_per_player=2) as edge, AsyncExitStack() as stack:

        async def welcomed(token: str | None, *, seat: bool, on: AsyncExitStack = stack) -> bool:
            player = await on.enter_async_context(attached(edge.port, table, token, seat=seat))
            await player.until(lambda: bool(player.of("welcome")) or player.close_code is not None)
            if not player.frames:
                assert (player.close_code, player.connection.close_reason) == (1013, "too many sockets of this player")
            return bool(player.frames)

        assert await welcomed(ada.token, seat=True)
        async with AsyncExitStack() as second:
            assert await welcomed(ada.token, seat=False, on=second)
            before = metrics.LIMITED._value.get()
            assert not await welcomed(ada.token, seat=False)
            assert metrics.LIMITED._value.get() == before + 1
            assert await welcomed(bob.token, seat=True)
            assert await welcomed(None, seat=False)
        async with asyncio.timeout(15):
            while not await welcomed(ada.token, seat=False):
                pass


async def test_guests_too_many_are_told_the_seconds_that_are_left_of_the_minute(place: Place) -> None:
    headers = behind_proxy("203.0.113.99")
    async with (
        place.gateway(guests_per_minute=1, forwarded_allow_ips="127.0.0.1") as edge,
        place.http(edge.port) as http,
    ):
        began = time.monotonic()
        await http.post("/api/v1/guests", json={"name": "Ada"}, headers=headers)
        await asyncio.sleep(1.1)  # so that the minute is not whole any more
        refused = await http.post("/api/v1/guests", json={"name": "Ada"}, headers=headers)
        assert is_problem(refused, 429, "too_many_guests")
        assert 58 - (time.monotonic() - began) <= int(refused.headers["retry-after"]) <= 59


async def test_tables_are_limited_per_player_and_minute(place: Place) -> None:
    ada, bob = await place.guest("Ada"), await place.guest("Bob")
    async with place.gateway(tables_per_minute=3) as edge, place.http(edge.port) as http:
        for path in ("/api/v1/aces-up", "/api/v1/aces-up", "/api/v1/aces-up"):
            assert (await http.post(path, headers=ada.headers)).status_code == 201
        for path in ("/api/v1/aces-up", "/api/v1/quick-play"):
            assert is_problem(await http.post(path, headers=ada.headers), 429, "too_many_tables")
        refused = await http.post("/api/v1/tables", json={}, headers=ada.headers)
        assert is_problem(refused, 429, "too_many_tables")
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert (await http.post("/api/v1/aces-up", headers=bob.headers)).status_code == 201


async def test_a_player_has_only_so_many_tables_to_watch(place: Place) -> None:
    ada = await place.guest("Ada")
    wish = {"seats": 2, "host_plays": False}
    async with place.http() as http:

        async def made() -> httpx2.Response:
            return await http.post("/api/v1/tables", json=wish, headers=ada.headers)

        tables = [(await made()).json()["id"] for _ in range(8)]
        assert is_problem(await made(), 409, "too_many_hosted")
        assert (await http.delete(f"/api/v1/tables/{tables[3]}", headers=ada.headers)).status_code == 204
        assert (await made()).status_code == 201
        assert is_problem(await made(), 409, "too_many_hosted")


async def _chunks(size: int) -> AsyncIterator[bytes]:
    yield b'{"name":"'
    for _ in range(size // 1024):
        yield b"x" * 1024
    yield b'"}'


async def test_a_body_that_is_too_large_is_not_read_whatever_it_says_of_its_length(place: Place) -> None:
    async with place.http() as http:
        told = await http.post("/api/v1/guests", content=b'{"name":"' + b"x" * 100_000 + b'"}')
        assert is_problem(told, 413, "too_large")
        headers = {"Content-Type": "application/json"}
        untold = await http.post("/api/v1/guests", content=_chunks(100_000), headers=headers)
        assert is_problem(untold, 413, "too_large")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v1/tables", {"seats": "4"}),
        ("/api/v1/tables", {"seats": 4.0}),
        ("/api/v1/tables", {"bots": True}),
        ("/api/v1/tables", {"public": 1}),
        ("/api/v1/tables", {"host_plays": "yes"}),
        ("/api/v1/quick-play", {"seats": "2"}),
    ],
)
async def test_what_is_no_number_is_not_taken_for_one(place: Place, path: str, body: dict[str, object]) -> None:
    ada = await place.guest("Ada")
    async with place.http() as http:
        assert is_problem(await http.post(path, json=body, headers=ada.headers), 422, "bad_request")


async def test_a_slash_too_many_leads_to_no_other_host(place: Place) -> None:
    async with place.http() as http:
        answer = await http.get("/api/v1/tables/", headers={"Host": "evil.example"})
    assert is_problem(answer, 404, "not_found")
    assert "location" not in answer.headers


async def test_attaching_anew_gives_no_more_emotes(place: Place) -> None:
    ada, bob = await place.guest("Ada"), await place.guest("Bob")
    table = await place.table(ada, bob)
    said = 0
    async with attached(place.port, table, bob.token) as other:
        await welcomed(other)
        began = time.monotonic()
        for _ in range(6):
            async with attached(place.port, table, ada.token) as player:
                await welcomed(player)
                await player.sends({"t": "emote", "emote": "nice"})
                await player.until(lambda: bool(player.of("emote") or player.of("error")))
                said += len(player.of("emote"))
        assert said <= 1 + (time.monotonic() - began) * 0.5


async def test_history_does_not_tell_strangers_where_a_table_is(place: Place) -> None:
    """Whoever knows a table's id may watch it; of a private one nobody else is to learn it."""
    ada, bob, eve = [await place.guest(name) for name in ("Ada", "Bob", "Eve")]
    table = await place.table(ada, public=False)
    async with place.http() as http:
        path = f"/api/v1/tables/{table}"
        invite = (await http.get(path, headers=ada.headers)).json()["invite"]
        assert (await http.post(f"{path}/join", json={"invite": invite}, headers=bob.headers)).status_code == 200
        assert re.fullmatch("[0-9a-f]{16}", table)
        assert table not in (await http.get("/api/v1/tables?limit=100")).text
        async with attached(place.port, table, ada.token) as a, attached(place.port, table, bob.token) as b:
            for player in (a, b):
                await welcomed(player)
                await player.sends({"t": "ready", "ready": True})
            await started(a)
            match = (await http.get(path)).json()["match"]
            progress = 0
            for player in (a, b):
                frame = {"t": "vote", "n": 1, "hand": 1, "seen": 0, "choice": "end", "progress": progress}
                await player.sends(frame)
            await a.until(lambda: any(event["e"] == "end" for event in a.events))
        async with asyncio.timeout(30):
            while (await http.get(f"/api/v1/matches/{match}")).status_code != 200:
                await asyncio.sleep(0.02)

        async def told(guest: Guest, query: str) -> list[str]:
            answer = (await http.get(f"/api/v1/matches{query}", headers=guest.headers)).json()
            return [each["table"] for each in answer.get("matches", [answer]) if each["id"] == match]

        assert await told(ada, f"/{match}") == await told(ada, f"?player={ada.player}") == [table]
        for query in (f"/{match}", f"?player={ada.player}", "?limit=100"):
            assert await told(eve, query) == [""]


async def _until_refused(http: httpx2.AsyncClient, path: str, headers: dict[str, str]) -> httpx2.Response:
    async with asyncio.timeout(30):
        while True:
            answer = await http.get(path, headers=headers)
            if answer.status_code == 429:
                return answer
            assert answer.status_code < 500, json.dumps(answer.json())
