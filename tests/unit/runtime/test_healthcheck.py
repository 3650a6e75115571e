from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from services.runtime.healthcheck import main
from services.runtime.scope import CHECK_SECONDS
from tests.unit.runtime.test_health import Need, service


async def until_exit_code(wanted: int, address: str) -> None:
    async with asyncio.timeout(CHECK_SECONDS * 2 + 20):
        while await asyncio.to_thread(main, [address]) != wanted:
            await asyncio.sleep(0.02)


@asynccontextmanager
async def page(status: bytes) -> AsyncIterator[str]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/readyz"


async def test_a_grpc_service_is_ready_exactly_while_it_serves() -> None:
    redis = Need()
    async with service(redis=redis) as (served, _):
        address = f"grpc://127.0.0.1:{served.port}"
        await until_exit_code(0, address)
        redis.there = False
        await until_exit_code(1, address)


@pytest.mark.parametrize(("status", "code"), [(b"200 OK", 0), (b"503 Service Unavailable", 1)])
async def test_a_page_is_ready_exactly_if_it_answers_200(status: bytes, code: int) -> None:
    async with page(status) as address:
        assert await asyncio.to_thread(main, [address]) == code


@pytest.mark.parametrize("scheme", ["grpc", "http"])
def test_where_nobody_listens_nothing_is_ready(scheme: str) -> None:
    with socket.socket() as held:  # bound, and not listening: nobody else can take it meanwhile
        held.bind(("127.0.0.1", 0))
        assert main([f"{scheme}://127.0.0.1:{held.getsockname()[1]}"]) == 1


@pytest.mark.parametrize("arguments", [[], ["7001"], ["ftp://127.0.0.1:1"], ["http://127.0.0.1"], ["a", "b"]])
def test_what_is_no_address_is_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("usage: ")
