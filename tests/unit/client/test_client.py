"""REST as the SDK sees it: typed answers, typed refusals, and connection problems told apart from both."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import fields

import httpx2
import pytest

from services.client import Client
from services.client.errors import (
    BadRequest,
    Conflict,
    ConnectionProblem,
    EdgeProblem,
    NotAllowed,
    NotFound,
    NotSignedIn,
    NotTheProtocol,
    Refusal,
    TooMany,
)
from services.client.models import Pace, Strength, TableState
from services.gateway.house_rules import catalogue
from services.rules.options import PRESETS, Options
from services.rules.replay import verify
from tests.unit.cli.played_hand import log

TABLE = {"id": "t1", "version": 3, "state": "open", "seats": [{"index": 0, "player": "p1"}], "newer": True}

Answer = Callable[[httpx2.Request], httpx2.Response]


def client(answer: Answer, token: str | None = "secret") -> Client:
    return Client("http://edge:8080/", token, transport=httpx2.MockTransport(answer))


def always(status: int, body: object) -> Answer:
    return lambda _: httpx2.Response(status, json=body)


async def test_a_guest_signs_the_client_in() -> None:
    asked: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return httpx2.Response(201, json={"player": "p1", "name": "Ada", "token": "new"})

    async with client(answer, token=None) as edge:
        guest = await edge.guest("Ada")
        await edge.guest("Ada")
    assert (guest.player, edge.token) == ("p1", "new")
    assert str(asked[0].url) == "http://edge:8080/api/v1/guests"
    assert "Authorization" not in asked[0].headers
    assert asked[1].headers["Authorization"] == "Bearer new"


async def test_a_table_is_typed_and_unknown_fields_are_ignored() -> None:
    async with client(always(200, TABLE)) as edge:
        table = await edge.get_table("t1")
    assert (table.state, table.seats[0].player) == (TableState.OPEN, "p1")


async def test_a_new_table_carries_every_house_rule() -> None:
    asked: list[object] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(json.loads(request.content))
        return httpx2.Response(201, json=TABLE)

    async with client(answer) as edge:
        await edge.create_table(seats=2, bots=1, options=Options(target=50), strength=Strength.HARD, pace=Pace.FAST)
    wish = asked[0]
    assert isinstance(wish, dict)
    assert Options.from_mapping(wish.pop("options")) == Options(target=50)
    assert wish == {"seats": 2, "public": True, "host_plays": True, "bots": 1, "strength": "hard", "pace": "fast"}


async def test_a_new_table_may_name_a_preset_and_what_differs_from_it() -> None:
    asked: list[dict[str, object]] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(json.loads(request.content))
        return httpx2.Response(201, json=TABLE)

    async with client(answer) as edge:
        await edge.create_table(options={"preset": "nerts", "demon_size": (13, 10)})
    assert asked[0]["options"] == {"preset": "nerts", "demon_size": [13, 10]}


async def test_house_rules_are_typed_as_the_edge_lists_them() -> None:
    async with client(always(200, catalogue().model_dump())) as edge:
        rules = await edge.options()
    assert [rule.name for rule in rules.options] == [field.name for field in fields(Options)]
    assert {name: Options.from_mapping(given) for name, given in rules.presets.items()} == PRESETS
    (size,) = (rule for rule in rules.options if rule.name == "demon_size")
    assert (size.default, size.choices, size.lowest, size.highest, size.per_seat) == (13, None, 5, 20, True)
    assert (rules.pairs_seats, rules.words["out"].call) == ((4, 6, 8), "Out!")


async def test_teams_playoffs_and_disputes_are_typed() -> None:
    seats = [{"index": i, "player": f"p{i}", "total": i, "dispute": i == 1} for i in range(4)]
    teams = [{"seats": [0, 2], "total": 2}, {"seats": [1, 3], "total": 4}]
    more = {"preset": "pairs", "teams": teams, "playoff": True, "disputable": True}
    asked: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return httpx2.Response(200, json={**TABLE, "seats": seats, **more})

    async with client(answer) as edge:
        table = await edge.dispute("t1")
        await edge.dispute("t1", withdraw=True)
    assert [(request.url.path, json.loads(request.content)) for request in asked] == [
        ("/api/v1/tables/t1/dispute", {"withdraw": False}),
        ("/api/v1/tables/t1/dispute", {"withdraw": True}),
    ]
    assert [(team.seats, team.total) for team in table.teams] == [((0, 2), 2), ((1, 3), 4)]
    assert (table.preset, table.playoff, table.disputable) == ("pairs", True, True)
    assert [seat.dispute for seat in table.seats] == [False, True, False, False]


async def test_the_host_s_powers_go_to_the_seat_that_is_meant() -> None:
    asked: list[tuple[str, str]] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append((request.method, request.url.path))
        return httpx2.Response(200, json=TABLE)

    async with client(answer) as edge:
        await edge.remove_bot("t1", 2)
        await edge.remove_player("t1", 3)
    assert asked == [("DELETE", "/api/v1/tables/t1/bots/2"), ("DELETE", "/api/v1/tables/t1/players/3")]


async def test_the_sheet_of_a_match_tells_teams_and_which_hands_count() -> None:
    hands = [
        {"hand": 1, "why": "blocked", "seats": [], "teams": [{"seats": [0, 2], "points": 5, "total": 5}]},
        {"hand": 2, "why": "disputed", "seats": []},
        {"hand": 3, "why": "void", "seats": []},
    ]
    match = {"id": "m1", "table": "t1", "hands": hands, "preset": "pairs", "teams": [{"seats": [0, 2], "total": 5}]}
    async with client(always(200, match)) as edge:
        told = await edge.match("m1")
    assert [hand.counts for hand in told.hands] == [True, False, False]
    assert (told.hands[0].teams[0].points, told.teams[0].total, told.preset) == (5, 5, "pairs")


async def test_games_of_aces_up_are_asked_for_and_typed() -> None:
    asked: list[tuple[str, str, object]] = []
    game = {"match": "m1", "hand": 1, "table": "t1", "number": 7, "why": "won", "removed": 48, "counts": True, "new": 1}
    figures = {"played": 2, "won": 1, "win_rate": 0.5, "streak": 1, "longest_streak": 1, "removed": 60, "average": 30.0}
    answers = {
        "/aces-up": TABLE,
        "/tables/t1/outlook": {"winnable": True},
        "/tables/t2/outlook": {"winnable": None},
        "/aces-up/games": {"games": [game], "next_page_token": "more"},
        "/aces-up/statistics": {**figures, "best": 48},
        "/aces-up/daily": {"date": "2026-11-30", "number": 7, "game": None},
    }

    def answer(request: httpx2.Request) -> httpx2.Response:
        path = request.url.path.removeprefix("/api/v1")
        body = json.loads(request.content) if request.content else dict(request.url.params)
        asked.append((request.method, path, body))
        return httpx2.Response(200, json=answers[path])

    async with client(answer) as edge:
        assert (await edge.aces_up(7, auto_remove=True)).id == "t1"
        await edge.aces_up(daily=True, practice=True)
        await edge.aces_up(winnable=True)
        assert [await edge.outlook("t1"), await edge.outlook("t2")] == [True, None]
        page = await edge.aces_up_games(limit=1, page_token="two")
        found = await edge.aces_up_statistics()
        day = await edge.daily()
    assert [(game.number, game.why, game.counts) for game in page.games] == [(7, "won", True)]
    assert page.next_page_token == "more"
    assert (found.played, found.win_rate, found.average, found.best) == (2, 0.5, 30.0, 48)
    assert (day.date, day.number, day.game) == ("2026-11-30", 7, None)
    nothing = {"number": None, "daily": False, "winnable": False, "practice": False, "auto_remove": False}
    assert asked == [
        ("POST", "/aces-up", {**nothing, "number": 7, "auto_remove": True}),
        ("POST", "/aces-up", {**nothing, "daily": True, "practice": True}),
        ("POST", "/aces-up", {**nothing, "winnable": True}),
        ("GET", "/tables/t1/outlook", {}),
        ("GET", "/tables/t2/outlook", {}),
        ("GET", "/aces-up/games", {"limit": "1", "page_token": "two"}),
        ("GET", "/aces-up/statistics", {}),
        ("GET", "/aces-up/daily", {}),
    ]


async def test_ids_cannot_leave_their_place_in_a_path() -> None:
    asked: list[bytes] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url.raw_path)
        return httpx2.Response(200, json=TABLE)

    async with client(answer) as edge:
        await edge.get_table("../me?x")
    assert asked == [b"/api/v1/tables/..%2Fme%3Fx"]


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, BadRequest),
        (401, NotSignedIn),
        (403, NotAllowed),
        (404, NotFound),
        (409, Conflict),
        (422, BadRequest),
        (429, TooMany),
        (418, BadRequest),
        (500, EdgeProblem),
        (503, EdgeProblem),
    ],
)
async def test_every_status_is_a_refusal_with_its_code(status: int, kind: type[Refusal]) -> None:
    problem = {"title": "No", "status": status, "detail": "because", "code": "some_code", "option": "draw"}
    async with client(always(status, problem)) as edge:
        with pytest.raises(kind) as refused:
            await edge.join("t1")
    error = refused.value
    assert (error.status, error.code, error.detail, error.option) == (status, "some_code", "because", "draw")


async def test_a_refusal_that_is_no_problem_json_is_one_all_the_same() -> None:
    async with client(lambda _: httpx2.Response(502, text="<html>")) as edge:
        with pytest.raises(EdgeProblem) as refused:
            await edge.me()
    assert refused.value.code == "unknown"


async def test_a_lost_connection_is_no_refusal() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ReadTimeout("too slow", request=request)

    async with client(answer) as edge:
        with pytest.raises(ConnectionProblem):
            await edge.quick_play()


async def test_an_answer_of_another_shape_is_not_the_protocol() -> None:
    async with client(always(200, {"id": 5})) as edge:
        with pytest.raises(NotTheProtocol):
            await edge.get_table("t1")


async def test_a_hands_log_comes_back_byte_for_byte() -> None:
    published = log()
    async with client(always(200, {"events": [json.loads(event) for event in published]})) as edge:
        events = await edge.hand_log("m1", 1)
    assert events == published
    assert verify(events).verified


async def test_history_and_standings_are_typed() -> None:
    match = {"id": "m1", "table": "t1", "over": True, "winners": [1], "hands": [], "options": {}, "started_ms": 5}
    async with client(always(200, {"matches": [match], "next_page_token": "more"})) as edge:
        page = await edge.matches("p1")
    assert (page.matches[0].winners, page.next_page_token) == ((1,), "more")
    entry = {"player": "p1", "name": "Ada", "matches": 3, "won": 2, "hands": 9, "points_per_hand": 7.5}
    async with client(always(200, {"entries": [entry]})) as edge:
        assert (await edge.leaderboard())[0].points_per_hand == 7.5


async def test_another_player_shares_the_connections() -> None:
    tokens: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        tokens.append(request.headers["Authorization"])
        return httpx2.Response(200, json={"player": "p", "name": "n"})

    async with client(answer, token="one") as edge:
        await edge.signed_in("two").me()
        await edge.me()
    assert tokens == ["Bearer two", "Bearer one"]


async def test_calls_that_are_given_up_do_not_use_the_connections_up() -> None:
    """A call that is cancelled while it waits for one of the shared connections gives its place back."""

    talks = set()

    async def edge(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.add(asyncio.current_task())
        with contextlib.closing(writer), contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n" + b'{"entries":[]}')

    async with await asyncio.start_server(edge, "127.0.0.1", 0) as server:
        async with Client(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}") as client:
            for turns in range(60):
                calls = [asyncio.ensure_future(client.leaderboard()) for _ in range(60)]
                for _ in range(turns):
                    await asyncio.sleep(0)
                for call in calls:
                    call.cancel()
                await asyncio.gather(*calls, return_exceptions=True)
            async with asyncio.timeout(30):
                assert await client.leaderboard() == []
        await asyncio.gather(*filter(None, talks))
    await asyncio.sleep(0)  # the sockets that were closed just now go


async def test_a_hint_is_a_sentence_and_a_command() -> None:
    told = {
        "seq": 9,
        "key": "hint.demon_to_foundation",
        "args": {"card": "4S", "foundation": 0},
        "text": "Put the 4♠ from your demon on foundation 1.",
        "action": {"t": "play", "from": "demon", "card": "4S", "to": None},
    }
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(f"{request.method} {request.url.path}")
        return httpx2.Response(200, json=told)

    async with client(answer) as edge:
        hint = await edge.hint("t1")
    assert asked == ["GET /api/v1/tables/t1/hint"]
    assert (hint.key, hint.args["card"], hint.action) == (told["key"], "4S", told["action"])


async def test_of_several_gateways_one_where_nobody_listens_is_passed_over() -> None:
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(str(request.url.host))
        if request.url.host == "one":
            raise httpx2.ConnectError("refused", request=request)
        return httpx2.Response(200, json={"entries": []})

    async with Client(["http://one:8080", "http://two:8080"], transport=httpx2.MockTransport(answer)) as edge:
        await edge.leaderboard()
        await edge.signed_in("other").leaderboard()
    assert asked == ["one", "two", "two"]


async def test_a_call_whose_answer_was_lost_is_not_repeated_at_another_gateway() -> None:
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(str(request.url.host))
        raise httpx2.ReadError("lost", request=request)

    async with Client(["http://one:8080", "http://two:8080"], transport=httpx2.MockTransport(answer)) as edge:
        with pytest.raises(ConnectionProblem):
            await edge.create_table()
    assert asked == ["one"]


async def test_when_no_gateway_is_there_the_call_ends() -> None:
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(str(request.url.host))
        raise httpx2.ConnectError("refused", request=request)

    async with Client(["http://one:8080", "http://two:8080"], transport=httpx2.MockTransport(answer)) as edge:
        with pytest.raises(ConnectionProblem):
            await edge.leaderboard()
    assert asked == ["one", "two"]


@pytest.mark.parametrize("lost", [httpx2.ReadError, httpx2.WriteError, httpx2.RemoteProtocolError])
async def test_what_changes_nothing_is_asked_once_more_if_its_answer_was_lost(
    lost: type[httpx2.TransportError],
) -> None:
    asked: list[str] = []
    losses = 1

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.method)
        if len(asked) <= losses:
            raise lost("Server disconnected", request=request)
        return httpx2.Response(200, json=TABLE)

    async with client(answer) as edge:
        assert (await edge.get_table("t1")).id == "t1"
        assert asked == ["GET", "GET"]
        asked.clear()
        losses = 2
        with pytest.raises(ConnectionProblem):
            await edge.get_table("t1")
        assert asked == ["GET", "GET"]
        asked.clear()
        with pytest.raises(ConnectionProblem):
            await edge.create_table()
        assert asked == ["POST"]


async def test_what_timed_out_is_not_asked_again() -> None:
    asked = 0

    def answer(request: httpx2.Request) -> httpx2.Response:
        nonlocal asked
        asked += 1
        raise httpx2.ReadTimeout("late", request=request)

    async with client(answer) as edge:
        with pytest.raises(ConnectionProblem):
            await edge.get_table("t1")
    assert asked == 1
