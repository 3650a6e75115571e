from __future__ import annotations

import json

import pytest
from structlog.contextvars import bound_contextvars, get_contextvars

from services.runtime.call_context import ContextInterceptor, valid_id
from services.runtime.channels import channel
from tests.unit.runtime.echo_server import call, echo_server


async def told(_request: bytes) -> bytes:
    return json.dumps(get_contextvars()).encode()


async def test_a_requests_id_goes_along_to_the_service_that_is_asked() -> None:
    async with echo_server(told, [ContextInterceptor()], channel) as to_server:
        with bound_contextvars(request_id="abc-1", table="t1"):
            assert json.loads(await call(to_server, "Unary")) == {"request_id": "abc-1"}
        assert json.loads(await call(to_server, "Unary")) == {}


async def test_what_is_no_id_is_not_taken_up() -> None:
    async with echo_server(told, [ContextInterceptor()], channel) as to_server:
        with bound_contextvars(request_id="two words"):
            assert json.loads(await call(to_server, "Unary")) == {}


@pytest.mark.parametrize("text", ["", "a b", "a\n", "x" * 65, "é", '"'])
def test_an_id_is_a_short_word(text: str) -> None:
    assert not valid_id(text)
    assert valid_id("Az09._-")
