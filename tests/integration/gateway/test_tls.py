"""A whole platform whose services call each other by TLS only."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest

from services.runtime.redis_server import RedisServer
from tests.certificates import Authority
from tests.integration.gateway.place import place_on

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_hands_are_played_and_whoever_shows_no_certificate_is_told_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    papers = Authority(tmp_path).papers()
    for name, value in (("CERT", papers.cert), ("KEY", papers.key), ("CA", papers.ca)):
        monkeypatch.setenv(f"GRPC_TLS_{name}", value)
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(RedisServer(tmp_path / "redis", appendfsync="no"))
        place = await place_on(stack, server.url, tmp_path)
        table, _ = await place.running_hand()
        async with place.http() as http:
            assert (await http.get(f"/api/v1/tables/{table}")).json()["state"] == "playing"
            assert (await http.get("/api/v1/matches")).status_code == 200
        for address in (place.engines, place.lobby, place.scoring):
            async with grpc.aio.insecure_channel(address) as channel:
                check: Any = channel.unary_unary("/grpc.health.v1.Health/Check")
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await check(b"", timeout=10)
                assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
