from __future__ import annotations

import httpx2
import pytest
from fastapi import APIRouter, FastAPI
from prometheus_client import REGISTRY
from structlog.contextvars import get_contextvars

from services.gateway import requests


@pytest.fixture
def app() -> FastAPI:
    app, router = FastAPI(), APIRouter()

    @router.get("/tables/{table}")
    async def table(table: str) -> dict[str, object]:
        return get_contextvars()

    @router.get("/broken")
    async def broken() -> None:
        raise RuntimeError

    @app.get("/")
    async def page() -> str:
        return "page"

    app.include_router(router, prefix="/api/v1")
    requests.install(app, "/api/v1", router.routes)
    return app


def client(app: FastAPI) -> httpx2.AsyncClient:
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    return httpx2.AsyncClient(transport=transport, base_url="http://edge")


def count(route: str, status: str) -> float | None:
    return REGISTRY.get_sample_value("pandemonium_gateway_request_seconds_count", {"route": route, "status": status})


async def test_a_request_keeps_its_id_and_the_answer_names_it(app: FastAPI) -> None:
    async with client(app) as http:
        answer = await http.get("/api/v1/tables/t1", headers={"X-Request-ID": "abc-1"})
    assert answer.headers["x-request-id"] == "abc-1"
    assert answer.json() == {"request_id": "abc-1"}
    assert get_contextvars() == {}


@pytest.mark.parametrize("given", [None, "", "a b", "x" * 65, 'a"}\t{'])
async def test_a_request_without_a_decent_id_gets_one(app: FastAPI, given: str | None) -> None:
    async with client(app) as http:
        answer = await http.get("/api/v1/tables/t1", headers={} if given is None else {"X-Request-ID": given})
    made = answer.headers["x-request-id"]
    assert len(made) == 16
    assert made != given
    assert answer.json() == {"request_id": made}


async def test_requests_are_counted_by_route_and_class_of_status_and_never_by_path(app: FastAPI) -> None:
    before = {
        key: count(*key) for key in [("/api/v1/tables/{table}", "2xx"), ("/api/v1/broken", "5xx"), ("page", "4xx")]
    }
    assert None not in before.values()
    async with client(app) as http:
        for path in ("/api/v1/tables/t1", "/api/v1/tables/t2", "/api/v1/broken", "/api/v1/nothing/here"):
            await http.get(path)
    assert {key: (count(*key) or 0) - (was or 0) for key, was in before.items()} == dict(
        zip(before, (2, 1, 1), strict=True)
    )
