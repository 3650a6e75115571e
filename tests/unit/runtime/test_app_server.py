from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import pytest
import uvicorn

from services.runtime.app_server import AppServer
from services.runtime.scope import Scope
from services.runtime.serve import serving_app
from tests.unit.runtime.echo_service import EchoSettings


async def hello(scope: dict[str, Any], _receive: Any, send: Callable[[dict[str, Any]], Awaitable[None]]) -> None:
    """The smallest application."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"hello"})


class Polite(AppServer):
    """Notes what was still open when it said goodbye."""

    drained_while_serving = False

    async def drain(self) -> None:
        self.drained_while_serving = not self.should_exit


def server(application: Any = hello, **more: Any) -> Polite:
    settings = {"log_config": None, "lifespan": "off", "timeout_graceful_shutdown": 1, **more}
    return Polite(uvicorn.Config(application, **settings))


async def test_an_application_is_served_and_says_goodbye_before_it_closes() -> None:
    polite = server()

    async def build(_settings: EchoSettings, _scope: Scope) -> AppServer:
        return polite

    async with serving_app(EchoSettings(), build) as served, httpx2.AsyncClient(timeout=60) as http:
        assert (await http.get(f"http://127.0.0.1:{served.port}/")).text == "hello"
    assert polite.drained_while_serving
    async with httpx2.AsyncClient(timeout=60) as http:
        with pytest.raises(httpx2.ConnectError):
            await http.get(f"http://127.0.0.1:{served.port}/")


async def test_a_start_that_fails_in_the_applications_lifespan_is_an_error() -> None:
    async def fails(scope: dict[str, Any], receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "lifespan.startup.failed", "message": "no"})

    async def build(_settings: EchoSettings, _scope: Scope) -> AppServer:
        return server(fails, lifespan="on")

    with pytest.raises(RuntimeError, match="did not start"):
        async with serving_app(EchoSettings(), build):
            pass


async def test_serving_that_ends_by_itself_stops_the_service_as_failed() -> None:
    async def build(_settings: EchoSettings, _scope: Scope) -> AppServer:
        return server(limit_max_requests=1)

    async with serving_app(EchoSettings(), build) as served, httpx2.AsyncClient(timeout=60) as http:
        await http.get(f"http://127.0.0.1:{served.port}/")
        await asyncio.wait_for(served.scope.stopping.wait(), 10)
        assert served.scope.failed
