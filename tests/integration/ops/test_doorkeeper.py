"""Who is let in to the console, who may act there, and that all of it is on record, over a real Redis."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from prometheus_client import REGISTRY
from redis.asyncio import Redis

from services.cli import ops_accounts
from services.ops.build import build
from services.ops.redis_audit import RedisAudit
from services.ops.settings import OpsSettings
from services.runtime import keys
from services.runtime.errors import Unavailable
from services.runtime.redis import connect
from services.runtime.serve import serving_app

API = "/api/ops/v1"
PASSWORDS = {"ada": "ada's own password", "vic": "vic's own password"}


@pytest.fixture(scope="module")
def accounts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("ops") / "accounts"
    ops_accounts.add(file, "ada", "operator", PASSWORDS["ada"])
    ops_accounts.add(file, "vic", "viewer", PASSWORDS["vic"])
    return file


def settings(redis_url: str, accounts: Path | None, proxies: str = "") -> OpsSettings:
    # No lobby is there: what is refused by the door never gets that far.
    return OpsSettings(
        redis_url=redis_url,
        port=0,
        metrics_port=0,
        lobby="127.0.0.1:1",
        engines="127.0.0.1:1",
        accounts_file=accounts,
        failed_logins_per_minute=3,
        forwarded_allow_ips=proxies,
    )


@asynccontextmanager
async def console(redis_url: str, accounts: Path | None, proxies: str = "") -> AsyncIterator[httpx2.AsyncClient]:
    async with (
        serving_app(settings(redis_url, accounts, proxies), build) as served,
        httpx2.AsyncClient(base_url=f"http://127.0.0.1:{served.port}", trust_env=False, timeout=60) as client,
    ):
        yield client


@pytest_asyncio.fixture
async def http(redis_url: str, redis: Redis, accounts: Path) -> AsyncIterator[httpx2.AsyncClient]:
    async with console(redis_url, accounts) as client:
        yield client


async def log_in(http: httpx2.AsyncClient, name: str, **more: Any) -> httpx2.Response:
    return await http.post(f"{API}/login", json={"name": name, "password": PASSWORDS[name], **more})


async def bearer(http: httpx2.AsyncClient, name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {(await log_in(http, name, token=True)).json()['token']}"}


async def record(http: httpx2.AsyncClient, headers: dict[str, str]) -> list[tuple[str, str, str]]:
    entries = (await http.get(f"{API}/audit", headers=headers)).json()["entries"]
    return [(entry["who"], entry["what"], entry["result"]) for entry in entries]


async def test_without_accounts_the_console_is_off_and_says_how_to_turn_it_on(redis_url: str, redis: Redis) -> None:
    async with console(redis_url, None) as http:
        for answer in (await log_in(http, "ada"), await http.get(f"{API}/tables")):
            assert (answer.status_code, answer.json()["code"]) == (503, "console_off")
            assert "ops user add" in answer.json()["detail"]


async def test_nothing_is_told_to_who_is_not_logged_in(http: httpx2.AsyncClient) -> None:
    paths = (await http.get(f"{API}/openapi.json")).json()["paths"]
    assert len(paths) > 12
    for path, methods in paths.items():
        if path.endswith("/login"):
            continue
        for method in methods:
            filled = path.replace("{table}", "t").replace("{seat}", "0").replace("{process}", "engine-00000000")
            body = {"texts": {"en": "x"}} if path.endswith("/notice") else {"paused": True}
            sent = {"json": body} if method == "post" else {}
            answer = await http.request(method, filled, **sent)  # type: ignore[arg-type]
            assert (answer.status_code, answer.json()["code"]) == (401, "not_logged_in"), (method, path)


async def test_viewers_look_and_do_not_act_and_that_they_tried_is_on_record(http: httpx2.AsyncClient) -> None:
    vic = await bearer(http, "vic")
    assert (await http.get(f"{API}/overview", headers=vic)).status_code == 200
    for path, body in (("/tables/t/close", {}), ("/notice", {"texts": {"en": "x"}}), ("/creation", {"paused": True})):
        refused = await http.post(API + path, json=body, headers=vic)
        assert (refused.status_code, refused.json()["code"]) == (403, "viewers_only_look")
    assert [entry for entry in await record(http, vic) if entry[1] != "login"] == [
        ("vic", "pause", "viewers_only_look"),
        ("vic", "announce", "viewers_only_look"),
        ("vic", "close", "viewers_only_look"),
    ]


async def test_an_action_is_on_record_before_and_after_it_and_so_is_one_that_fails(http: httpx2.AsyncClient) -> None:
    ada = await bearer(http, "ada")
    told = await http.post(f"{API}/notice", json={"texts": {"en": "Back at ten"}}, headers=ada)
    assert told.status_code == 200
    failed = await http.post(f"{API}/tables/t/freeze", headers=ada)
    assert failed.status_code == 503  # no lobby is there
    assert (await record(http, ada))[:4] == [
        ("ada", "freeze", "unavailable"),
        ("ada", "freeze", "begun"),
        ("ada", "announce", "done"),
        ("ada", "announce", "begun"),
    ]


async def test_wrong_passwords_are_on_record_and_soon_not_looked_at_any_more(http: httpx2.AsyncClient) -> None:
    wrong = {"name": "ada", "password": "not ada's password"}
    codes = [(await http.post(f"{API}/login", json=wrong)).json()["code"] for _ in range(4)]
    assert codes == ["wrong_login"] * 3 + ["too_many_logins"]
    right = await log_in(http, "ada")
    assert (right.status_code, right.headers["retry-after"]) == (429, "60")


async def test_logins_actions_and_who_is_turned_away_are_counted(http: httpx2.AsyncClient) -> None:
    before = counted()
    vic, ada = await bearer(http, "vic"), await bearer(http, "ada")
    await http.post(f"{API}/login", json={"name": "nobody", "password": "what is it"})
    for headers in ({}, vic, ada):
        await http.post(f"{API}/creation", json={"paused": True}, headers=headers)  # no lobby is there
    await http.request("DELETE", f"{API}/notice", headers=ada)
    await http.post(f"{API}/processes/engine-00000000/drain", headers=ada)
    await http.post(f"{API}/logout", headers=ada)
    assert {each: now - before[each] for each, now in counted().items() if now != before[each]} == {
        "logins done": 2,
        "logins wrong_login": 1,
        "sessions begun": 2,
        "sessions ended": 1,
        "refused not_logged_in": 1,
        "refused viewers_only_look": 1,
        "actions pause viewers_only_look": 1,
        "actions pause fault": 1,
        "actions withdraw done": 1,
        "actions drain refused": 1,
    }


async def test_what_could_not_be_put_on_record_is_counted() -> None:
    before = counted()["audit_failures"]
    async with aclosing(connect("redis://127.0.0.1:1/0")) as nowhere:
        with pytest.raises(Unavailable):
            await RedisAudit(nowhere).write("ada", "127.0.0.1", "close", "t", "", "begun")
    assert counted()["audit_failures"] == before + 1


def counted() -> dict[str, float]:
    """The console's counters in this process, by name and labels."""
    return {
        " ".join(
            (sample.name.removeprefix("pandemonium_ops_").removesuffix("_total"), *sample.labels.values())
        ): sample.value
        for family in REGISTRY.collect()
        if family.name.startswith("pandemonium_ops_")
        for sample in family.samples
        if sample.name.endswith("_total")
    }


async def test_nobody_is_told_whether_a_name_is_an_account(http: httpx2.AsyncClient) -> None:
    answers = [
        (await http.post(f"{API}/login", json={"name": name, "password": "what is it"})).json()
        for name in ("ada", "nobody")
    ]
    assert answers[0] == answers[1]


async def test_a_browser_acts_only_with_the_pages_own_token_and_from_the_page(http: httpx2.AsyncClient) -> None:
    entered = await log_in(http, "ada")
    cookie = entered.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert entered.json()["token"] == ""
    body = {"texts": {"en": "x"}}
    csrf = {"X-CSRF-Token": entered.json()["csrf"]}
    for headers, code in (
        ({}, "bad_csrf"),
        ({"X-CSRF-Token": "no"}, "bad_csrf"),
        ({**csrf, "Origin": "http://evil.example"}, "bad_origin"),
    ):
        refused = await http.post(f"{API}/notice", json=body, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (403, code)
    assert (await http.post(f"{API}/notice", json=body, headers=csrf)).status_code == 200
    assert (await http.post(f"{API}/logout", headers=csrf)).status_code == 200
    assert (await http.get(f"{API}/me")).status_code == 401


async def test_behind_a_trusted_proxy_that_speaks_tls_the_cookie_is_bound_to_the_host(
    redis_url: str, redis: Redis, accounts: Path
) -> None:
    over_tls = {"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https"}
    async with console(redis_url, accounts, proxies="127.0.0.1") as http:
        http.headers.update(over_tls)
        entered = await log_in(http, "ada")
        cookie = entered.headers["set-cookie"]
        assert cookie.startswith("__Host-ops=")
        assert {"HttpOnly", "Path=/", "SameSite=strict", "Secure"} <= set(cookie.split("; "))
        assert "Domain" not in cookie
        assert entered.headers["strict-transport-security"] == "max-age=31536000"
        token = cookie.removeprefix("__Host-ops=").partition(";")[0]
        http.cookies.clear()

        # One of that name alone counts: a neighbour, or a page of plain HTTP, can plant the other.
        planted = await http.get(f"{API}/me", headers={"Cookie": f"ops={token}"})
        assert (planted.status_code, planted.json()["code"]) == (401, "not_logged_in")
        own = {"Cookie": f"__Host-ops={token}"}
        assert (await http.get(f"{API}/me", headers=own)).status_code == 200

        # A page of plain HTTP passes for the console's own nowhere.
        host = f"{http.base_url.host}:{http.base_url.port}"
        acting = {**own, "X-CSRF-Token": entered.json()["csrf"]}
        for scheme, status in (("http", 403), ("https", 200)):
            answer = await http.request("DELETE", f"{API}/notice", headers={**acting, "Origin": f"{scheme}://{host}"})
            assert answer.status_code == status
        foreign = await http.post(
            f"{API}/login",
            json={"name": "ada", "password": PASSWORDS["ada"]},
            headers={"Origin": f"http://{host}"},
        )
        assert (foreign.status_code, foreign.json()["code"]) == (403, "bad_origin")

        entries = (await http.get(f"{API}/audit", headers=own)).json()["entries"]
        assert {entry["address"] for entry in entries} == {"198.51.100.7"}


async def test_a_proxy_that_was_not_named_is_not_believed(redis_url: str, redis: Redis, accounts: Path) -> None:
    async with console(redis_url, accounts) as http:
        http.headers.update({"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https"})
        entered = await log_in(http, "ada")
        assert entered.headers["set-cookie"].startswith("ops=")
        assert "strict-transport-security" not in entered.headers
        entries = (await http.get(f"{API}/audit")).json()["entries"]
        assert {entry["address"] for entry in entries} == {"127.0.0.1"}


async def test_an_account_that_is_taken_away_is_out_at_once(http: httpx2.AsyncClient, accounts: Path) -> None:
    ops_accounts.add(accounts, "eve", "operator", "eve's own password")
    PASSWORDS["eve"] = "eve's own password"
    eve = await bearer(http, "eve")
    assert (await http.get(f"{API}/me", headers=eve)).json()["role"] == "operator"
    ops_accounts.add(accounts, "eve", "viewer", "eve's own password")
    assert (await http.get(f"{API}/me", headers=eve)).json()["role"] == "viewer"
    ops_accounts.remove(accounts, "eve")
    assert (await http.get(f"{API}/me", headers=eve)).status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"texts": {}},
        {"texts": {"es": "x"}},
        {"texts": {"en": ""}},
        {"texts": {"en": "x" * 301}},
        {"texts": {"xx": "x", "en": "x"}},
        {"texts": {"en": "x"}, "minutes": 0},
        {"texts": {"en": "x"}, "minutes": "5"},
    ],
)
async def test_a_notice_that_can_not_be_is_refused_and_nobody_is_told(
    http: httpx2.AsyncClient, redis: Redis, body: dict[str, Any]
) -> None:
    refused = await http.post(f"{API}/notice", json=body, headers=await bearer(http, "ada"))
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_request")
    assert await redis.get(keys.notice()) is None


async def test_every_answer_keeps_the_page_within_bounds_and_no_body_is_endless(http: httpx2.AsyncClient) -> None:
    for answer in (await http.get("/healthz"), await http.get("/nothing"), await http.get(f"{API}/me")):
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    long = await http.post(f"{API}/login", content=b"x" * 20_000)
    assert long.status_code == 413


async def test_a_session_lives_an_hour_after_its_last_use(http: httpx2.AsyncClient, redis: Redis) -> None:
    body = {"name": "vic", "password": PASSWORDS["vic"], "token": True}
    token = (await http.post(f"{API}/login", json=body)).json()["token"]
    (key,) = [key async for key in redis.scan_iter(match="ops:session:*")]
    assert 3500 < await redis.ttl(key) <= 3600
    await redis.expire(key, 5)
    asked = {"Authorization": f"Bearer {token}"}
    assert (await http.get(f"{API}/me", headers=asked)).status_code == 200
    assert await redis.ttl(key) > 3500
    await redis.delete(key)  # as its end does
    assert (await http.get(f"{API}/me", headers=asked)).status_code == 401


async def test_what_can_be_asked_is_described_by_the_console_itself(http: httpx2.AsyncClient) -> None:
    described = (await http.get(f"{API}/openapi.json")).json()["paths"]
    assert {f"{API}/login", f"{API}/me", f"{API}/users"} <= set(described)
