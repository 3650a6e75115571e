from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import httpx2
import pytest
import pytest_asyncio

from services.cli.local_platform import Platform
from services.client import Client
from services.rules.moves import Recycle
from services.rules.verdict import Outcome
from tests.e2e.raw_socket import raw_socket

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.xdist_group("platform"),
    pytest.mark.timeout(180),
]

ATTACH = '{"t":"attach","seat":true,"after":null,"n":0}'


class Seat(NamedTuple):
    """A seat in a running hand, which nobody plays."""

    url: str
    table: str
    token: str
    hand: int


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def seat(platform: Platform) -> AsyncIterator[Seat]:
    """One of two seats; the other one is idle too, so the hand goes on for as long as the module needs it."""
    async with Client(platform.url) as host, Client(platform.url) as guest:
        await host.guest("Seat one")
        await guest.guest("Seat two")
        table = await host.create_table(seats=2, public=False)
        await host.join(table.id)
        await guest.join(table.id, table.invite or "")
        async with host.table(table.id) as one, guest.table(table.id) as two:
            async with asyncio.timeout(30):
                await one.until(lambda: one.table is not None and bool(one.table.commitment))
                await one.ready("a")
                await two.ready("b")
                await one.until(lambda: one.view is not None and one.view.phase == "playing")
            assert one.view is not None
            hand = one.view.hand
        assert host.token is not None
        yield Seat(platform.url, table.id, host.token, hand)


@pytest.mark.parametrize(
    "frame",
    [
        "hello",
        "[]",
        "null",
        "{}",
        '{"t":"win"}',
        '{"t":"play","n":1}',
        '{"t":"play","n":1,"hand":1,"seen":0,"from":"demon","card":"1X","to":null}',
        '{"t":"play","n":1,"hand":1,"seen":0,"from":"c9","card":"AS","to":null}',
        '{"t":"move","n":1,"hand":1,"seen":0,"from":"c0","card":"AS","to":"demon"}',
        '{"t":"turn","n":"1","hand":1,"seen":0,"stock":35}',
        '{"t":"turn","n":-1,"hand":1,"seen":0,"stock":35}',
        '{"t":"turn","n":1,"hand":1,"seen":0,"stock":1e99}',
        '{"t":"vote","n":1,"hand":1,"seen":0,"choice":"win","progress":0}',
        '{"t":"ready","ready":true,"nonce":"\\u0000"}',
        ATTACH,
    ],
)
async def test_a_frame_that_cannot_be_understood_is_an_error_and_the_socket_goes_on(seat: Seat, frame: str) -> None:
    async with raw_socket(seat.url, seat.table, seat.token) as socket:
        await socket.send(ATTACH)
        await socket.frame("welcome")
        await socket.send(frame)

        assert (await socket.frame("error"))["code"]

        await socket.send('{"t":"ping","id":9}')
        assert (await socket.frame("pong"))["id"] == 9


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ({"t": "recycle"}, "stock_not_empty"),
        ({"t": "turn", "stock": 3}, "stock_changed"),
        ({"t": "call"}, "demon_not_empty"),
        ({"t": "vote", "choice": "shift", "progress": 10_000}, "progress_since"),
        ({"t": "play", "from": "waste", "card": "AS", "to": None}, "not_there"),
        ({"t": "move", "from": "c0", "card": "KS", "to": "c0"}, "does_not_fit"),
        ({"t": "turn", "stock": 35, "hand": 77}, "wrong_hand"),
        ({"t": "turn", "stock": 35, "hand": 0}, "wrong_hand"),
    ],
)
async def test_an_illegal_command_is_refused_with_its_reason(seat: Seat, command: dict[str, Any], why: str) -> None:
    async with raw_socket(seat.url, seat.table, seat.token) as socket:
        await socket.send(ATTACH)
        welcome = await socket.frame("welcome")
        n = welcome["n"] + 1
        await socket.send(json.dumps({"n": n, "hand": seat.hand, "seen": 0, **command}))

        verdict = await socket.frame("verdict")
        while verdict["n"] < n:  # those of earlier commands come again
            verdict = await socket.frame("verdict")

    assert (verdict["n"], verdict["v"], verdict["why"]) == (n, "refused", why)


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (ATTACH[:-1] + ',"x":"' + "y" * 5000 + '"}', 1009),
        (b"\x00\x01", 1008),
        ('{"t":"turn","n":1,"hand":1,"seen":0,"stock":35}', 1008),
    ],
)
async def test_a_first_frame_that_is_no_attach_closes_the_socket(seat: Seat, frame: str | bytes, code: int) -> None:
    async with raw_socket(seat.url, seat.table, seat.token) as socket:
        await socket.send(frame)

        assert await socket.close_code() == code


async def test_a_seat_needs_its_player(seat: Seat) -> None:
    async with Client(seat.url) as stranger:
        await stranger.guest("Stranger")
        async with raw_socket(seat.url, seat.table, stranger.token) as socket:
            await socket.send(ATTACH)
            assert await socket.close_code() == 4003


async def test_a_table_that_is_none_closes_the_socket(seat: Seat) -> None:
    async with raw_socket(seat.url, "nosuchtable", seat.token) as socket:
        await socket.send(ATTACH)
        assert await socket.close_code() == 4004


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/guests", b"{", 422),
        ("POST", "/guests", b'{"name":""}', 422),
        ("POST", "/guests", b'{"name":"\\u3164"}', 422),
        ("POST", "/guests", b'{"name":"' + b"x" * 5000 + b'"}', 422),
        ("POST", "/tables", b'{"seats":99}', 422),
        ("POST", "/tables", b'{"options":{"draw":2}}', 400),
        ("POST", "/tables", b'{"options":{"nosuch":1}}', 400),
        ("GET", "/tables/nosuch", b"", 404),
        ("POST", "/tables/nosuch/rematch", b"{}", 404),
        ("GET", "/matches/nosuch", b"", 404),
        ("GET", "/matches?page_token=%00", b"", 422),
        ("GET", "/nosuch", b"", 404),
        ("PUT", "/tables", b"", 405),
    ],
)
async def test_a_bad_request_is_a_problem_with_a_stable_code(
    seat: Seat, method: str, path: str, body: bytes, status: int
) -> None:
    headers = {"Authorization": f"Bearer {seat.token}", "Content-Type": "application/json"}
    async with httpx2.AsyncClient(trust_env=False, timeout=60, headers=headers) as http:
        answer = await http.request(method, f"{seat.url}/api/v1{path}", content=body)

    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"]


async def test_nobody_without_a_session_changes_anything(seat: Seat) -> None:
    async with httpx2.AsyncClient(trust_env=False, timeout=60, headers={"Authorization": "Bearer nonsense"}) as http:
        for path in ("/tables", f"/tables/{seat.table}/join", f"/tables/{seat.table}/leave", "/quick-play"):
            assert (await http.post(f"{seat.url}/api/v1{path}", json={})).status_code == 401


async def test_after_all_of_it_the_seat_can_still_be_played(seat: Seat) -> None:
    client = Client(seat.url, seat.token)
    async with client, client.table(seat.table) as session:
        async with asyncio.timeout(60):
            assert (await session.turn()).outcome is Outcome.APPLIED
            assert (await session.do(Recycle())).outcome is Outcome.REFUSED
