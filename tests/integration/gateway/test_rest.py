"""REST: who may do what, and errors that programs can read."""

from __future__ import annotations

import asyncio
import base64
import hashlib
from typing import Any

import httpx2
import pytest
from redis.asyncio import Redis

from services.runtime import keys
from tests.integration.gateway.place import Place
from tests.integration.gateway.player import attached

pytestmark = pytest.mark.asyncio(loop_scope="session")


def is_problem(answer: httpx2.Response, status: int, code: str) -> bool:
    body: dict[str, Any] = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.status_code, body["status"], body["code"]) == (status, status, code), body
    assert body["title"]
    assert body["type"] == "about:blank"
    return True


async def test_a_guest_gets_a_token_and_a_cookie_that_scripts_cannot_read(place: Place) -> None:
    async with place.http() as http:
        made = await http.post("/api/v1/guests", json={"name": "  Ada "})
        assert made.status_code == 201
        assert made.json()["name"] == "Ada"
        cookie = made.headers["set-cookie"]
        assert all(part in cookie for part in ("HttpOnly", "SameSite=strict", "Path=/"))
        me = await http.get("/api/v1/me")
        assert me.json() == {"player": made.json()["player"], "name": "Ada", "table": None}


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "\u202eadA", "x" * 21, "sуstem", "x" * 300])  # noqa: RUF001
async def test_nobody_gets_in_under_a_bad_name(place: Place, name: str) -> None:
    async with place.http() as http:
        answer = await http.post("/api/v1/guests", json={"name": name})
        assert is_problem(answer, 422, "bad_name" if len(name) < 200 else "bad_request")


async def test_guests_are_limited_per_address(place: Place) -> None:
    async with place.gateway(guests_per_minute=3) as gateway, place.http(gateway.port, "127.0.0.48") as http:
        statuses = [(await http.post("/api/v1/guests", json={"name": "Ada"})).status_code for _ in range(3)]
        refused = await http.post("/api/v1/guests", json={"name": "Ada"})
        assert statuses == [201] * 3
        assert is_problem(refused, 429, "too_many_guests")
        assert int(refused.headers["retry-after"]) > 0


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "/api/v1/tables/nothere", None, 404, "unknown_table"),
        ("GET", "/api/v1/tables/no%20table", None, 422, "bad_request"),
        ("GET", "/api/v1/matches/nothere", None, 404, "unknown_match"),
        ("GET", "/api/v1/matches?page_token=ours", None, 422, "bad_page"),
        ("GET", "/api/v1/nowhere", None, 404, "not_found"),
        ("PUT", "/api/v1/guests", None, 405, "method_not_allowed"),
        ("POST", "/api/v1/guests", {"nom": "Ada"}, 422, "bad_request"),
        ("POST", "/api/v1/tables", {"seats": 9}, 422, "bad_request"),
        ("POST", "/api/v1/tables", {"seats": 4, "colour": "red"}, 422, "bad_request"),
        ("POST", "/api/v1/tables", {"options": ["draw"]}, 422, "bad_request"),
        ("POST", "/api/v1/tables/nothere/join", None, 404, "unknown_table"),
        ("POST", "/api/v1/tables/nothere/dispute", None, 404, "unknown_table"),
        ("POST", "/api/v1/tables/nothere/dispute", {"withdraw": "perhaps"}, 422, "bad_request"),
    ],
)
async def test_errors_are_problems_with_a_stable_code(
    place: Place, method: str, path: str, body: object, status: int, code: str
) -> None:
    ada = await place.guest()
    async with place.http() as http:
        answer = await http.request(method, path, json=body, headers=ada.headers)
        assert is_problem(answer, status, code)


@pytest.mark.parametrize(
    ("options", "option", "why"),
    [
        ({"draw": 2}, "draw", "must be one of 3, 1"),
        ({"nonsense": 2}, "nonsense", "no such option"),
        ({"target": 9}, "target", "must be a whole number from 10 to 1000"),
        ({"preset": "poker"}, "preset", "must be one of racing_demon, classic"),
        ({"preset": "pairs"}, "teams", "pairs need 4, 6 or 8 seats, not 3"),
        ({"demon_size": [13, 10]}, "demon_size", "a handicap of 2 seats at a table of 3"),
        ({"preset": "classic", "passes": 1}, "stuck", "must be 'end' with one pass"),
        ({"hands": 5, "target": 50}, "target", "a match of a fixed number of hands has no target"),
    ],
)
async def test_a_refused_option_is_named_and_the_reason_told(
    place: Place, options: dict[str, Any], option: str, why: str
) -> None:
    ada = await place.guest()
    async with place.http() as http:
        answer = await http.post("/api/v1/tables", json={"seats": 3, "options": options}, headers=ada.headers)
        assert is_problem(answer, 400, "bad_option")
        assert answer.json()["option"] == option
        assert why in answer.json()["detail"]
        assert (await http.get("/api/v1/me", headers=ada.headers)).json()["table"] is None


async def test_every_house_rule_that_is_listed_makes_a_table_that_tells_it(place: Place) -> None:
    ada = await place.guest()
    async with place.http() as http:
        rules = (await http.get("/api/v1/options")).json()
        assert len(rules["options"]) == len(rules["presets"]["racing_demon"])
        for name, preset in rules["presets"].items():
            wish = {"seats": 4, "options": {"preset": name}, "host_plays": False}
            made = (await http.post("/api/v1/tables", json=wish, headers=ada.headers)).json()
            assert (made["options"], made["preset"], len(made["seats"])) == (preset, name, 4)
            listed = (await http.get("/api/v1/tables")).json()["tables"]
            assert [(table["options"], table["preset"]) for table in listed if table["id"] == made["id"]] == [
                (preset, name)
            ]
        wish = {"seats": 3, "options": {"preset": "nerts", "hands": 3, "demon_size": [13, 13, 8]}}
        made = (await http.post("/api/v1/tables", json=wish, headers=ada.headers)).json()
        assert (made["preset"], made["teams"], made["playoff"], made["disputable"]) == (None, [], False, False)
        assert made["options"] == {**rules["presets"]["nerts"], "hands": 3, "demon_size": [13, 13, 8]}


async def test_a_table_without_disputes_or_without_a_hand_has_nothing_to_dispute(place: Place) -> None:
    ada, bob = await place.guest("Ada"), await place.guest("Bob")
    async with place.http() as http:
        for guest, options, code in (
            (ada, {}, "no_disputes"),
            (bob, {"dispute": "replay_hand"}, "nothing_to_dispute"),
        ):
            table = await place.table(guest, options=options)
            assert is_problem(await http.post(f"/api/v1/tables/{table}/dispute", headers=guest.headers), 409, code)
        refused = await http.post(f"/api/v1/tables/{table}/dispute", headers=ada.headers)
        assert is_problem(refused, 403, "not_seated")
        assert is_problem(await http.post(f"/api/v1/tables/{table}/dispute"), 401, "not_signed_in")


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer nonsense"}, {"Authorization": "Basic eA=="}])
async def test_who_is_not_signed_in_is_told_how_to(place: Place, headers: dict[str, str]) -> None:
    async with place.http() as http:
        answer = await http.get("/api/v1/me", headers=headers)
        assert is_problem(answer, 401, "not_signed_in")
        assert answer.headers["www-authenticate"] == "Bearer"


async def test_of_a_token_of_256_random_bits_only_the_hash_is_stored(place: Place, log: Redis) -> None:
    tokens = {(await place.guest()).token for _ in range(3)}
    assert len(tokens) == 3
    for token in tokens:
        assert len(base64.urlsafe_b64decode(token + "=")) * 8 == 256
        kept = await log.hgetall(keys.session(hashlib.sha256(token.encode()).hexdigest()))
        assert set(kept) == {b"player", b"name"}
    async for key in log.scan_iter("session:*"):
        stored = f"{key} {await log.hgetall(key)}"
        assert not [token for token in tokens if token in stored]


async def test_a_session_that_has_run_out_opens_nothing_any_more(place: Place, log: Redis) -> None:
    ada = await place.guest()
    table = await place.table(ada)
    key = keys.session(hashlib.sha256(ada.token.encode()).hexdigest())
    assert await log.pexpire(key, 1)
    async with asyncio.timeout(30):
        while await log.exists(key):
            await asyncio.sleep(0.005)
    async with place.http() as http:
        assert is_problem(await http.get("/api/v1/me", headers=ada.headers), 401, "not_signed_in")
        left = await http.post(f"/api/v1/tables/{table}/leave", headers=ada.headers)
        assert is_problem(left, 401, "not_signed_in")
        assert (await http.get(f"/api/v1/tables/{table}")).json()["seats"][0]["player"] == ada.player
    async with attached(place.port, table, ada.token) as player:
        assert await player.closed() == 4001


async def test_a_cookie_from_another_site_does_nothing(place: Place) -> None:
    ada = await place.guest()
    async with place.http() as http:
        http.cookies.set("session", ada.token)
        elsewhere = await http.post("/api/v1/tables", json={}, headers={"Origin": "http://evil.example"})
        assert is_problem(elsewhere, 403, "bad_origin")
        here = await http.post("/api/v1/tables", json={}, headers={"Origin": f"http://127.0.0.1:{place.port}"})
        assert here.status_code == 201


async def test_the_life_of_a_table(place: Place) -> None:
    ada, bob, eve = [await place.guest(name) for name in ("Ada", "Bob", "Eve")]
    async with place.http() as http:
        made = await http.post("/api/v1/tables", json={"seats": 3, "public": False}, headers=ada.headers)
        table = made.json()["id"]
        path = f"/api/v1/tables/{table}"
        invite = made.json()["invite"]
        assert invite
        assert (await http.get(path, headers=eve.headers)).json()["invite"] == ""
        assert is_problem(await http.post(f"{path}/join", headers=bob.headers), 403, "bad_invite")
        joined = await http.post(f"{path}/join", json={"invite": invite}, headers=bob.headers)
        assert joined.json()["seat"] == 1
        assert (await http.get("/api/v1/me", headers=bob.headers)).json()["table"] == table
        assert is_problem(await http.post(f"{path}/bots", headers=bob.headers), 403, "not_host")
        bot = await http.post(f"{path}/bots", json={"strength": "hard", "pace": "fast"}, headers=ada.headers)
        assert (bot.status_code, bot.json()["seat"]) == (201, 2)
        seat = bot.json()["table"]["seats"][2]
        assert (seat["bot"], seat["strength"], seat["pace"]) == (True, "hard", "fast")
        gone = await http.delete(f"{path}/bots/2", headers=ada.headers)
        assert gone.json()["seats"][2]["bot"] is False
        assert is_problem(await http.post(f"{path}/rematch", headers=ada.headers), 409, "match_not_over")
        assert is_problem(await http.delete(f"{path}/players/0", headers=bob.headers), 403, "not_host")
        assert is_problem(await http.delete(f"{path}/players/0", headers=ada.headers), 409, "no_player_there")
        sent_away = await http.delete(f"{path}/players/1", headers=ada.headers)
        assert sent_away.json()["seats"][1]["player"] == ""
        again = await http.post(f"{path}/join", json={"invite": invite}, headers=bob.headers)
        assert is_problem(again, 403, "sent_away")
        assert (await http.get("/api/v1/me", headers=bob.headers)).json()["table"] is None
        await http.post(f"{path}/join", json={"invite": invite}, headers=eve.headers)
        left = await http.post(f"{path}/leave", headers=eve.headers)
        assert left.json()["seats"][1]["player"] == ""
        assert is_problem(await http.delete(path, headers=bob.headers), 403, "not_host")
        assert (await http.delete(path, headers=ada.headers)).status_code == 204
        listed = (await http.get("/api/v1/tables")).json()["tables"]
        assert table not in [each["id"] for each in listed]


async def test_quick_play_seats_two_players_at_one_table(place: Place) -> None:
    ada, bob = await place.guest("Ada"), await place.guest("Bob")
    async with place.http() as http:
        first = await http.post("/api/v1/quick-play", json={"seats": 2}, headers=ada.headers)
        second = await http.post("/api/v1/quick-play", json={"seats": 2}, headers=bob.headers)
        assert first.json()["table"]["id"] == second.json()["table"]["id"]
        assert {first.json()["seat"], second.json()["seat"]} == {0, 1}


async def test_what_was_played_can_be_read_by_anyone(place: Place) -> None:
    async with place.http() as http:
        assert (await http.get("/api/v1/matches")).json().keys() == {"matches", "next_page_token"}
        assert (await http.get("/api/v1/leaderboard")).json().keys() == {"entries"}


async def test_the_page_may_load_nothing_from_elsewhere(place: Place) -> None:
    async with place.http() as http:
        answer = await http.get("/")
        assert answer.status_code == 200
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "http://" not in answer.text
        assert "https://" not in answer.text
        assert "<script>" not in answer.text
        assert "style=" not in answer.text


async def test_health_is_not_readiness(place: Place) -> None:
    async with place.http() as http:
        assert (await http.get("/healthz")).status_code == 200
        assert (await http.get("/readyz")).json() == {"redis": True, "clock": True, "engine": True, "feed": True}
    async with place.http() as http:
        assert (await http.get("/openapi.json")).json()["info"]["title"] == "Pandemonium"


async def test_an_idle_connection_is_not_closed_as_soon_as_a_client_would_use_it_again(place: Place) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", place.port)
    for pause in (0.0, 5.5):  # many servers close, and clients stop using, what was idle for 5 s
        await asyncio.sleep(pause)
        writer.write(b"HEAD /livez HTTP/1.1\r\nhost: edge\r\n\r\n")
        assert (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)).startswith(b"HTTP/1.1 ")
    writer.close()
    await writer.wait_closed()
