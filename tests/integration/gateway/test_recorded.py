"""A hand that was running when the platform was upgraded is gone on with, to its end, and its log verifies."""

from __future__ import annotations

import asyncio
import hashlib
import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from services.cli import recount
from services.client import Client
from services.client.models import TableState
from services.lobby.build import build as build_lobby
from services.lobby.settings import LobbySettings
from services.runtime import keys
from services.runtime.redis import connect
from services.runtime.redis_server import RedisServer
from services.runtime.serve import serving
from tests.e2e.player import Player
from tests.e2e.tables import missing
from tests.integration.gateway import platform
from tests.integration.gateway.place import Place
from tests.recorded.keys_of import put_back

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(300)]

RECORDS = sorted((Path(__file__).parents[2] / "recorded").glob("running-hand-*.json"))
FOR_EVER_S = 1e9
"""The record is old; what is tested is not that tables are closed one day."""


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
async def test_a_hand_recorded_in_an_earlier_release_is_played_to_its_end(record: Path, tmp_path: Path) -> None:
    whole = json.loads(record.read_text())
    table, names = whole["table"], whole["players"]
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(RedisServer(tmp_path / "redis"))
        redis = await stack.enter_async_context(connect(server.url))
        await put_back(redis, whole["keys"])
        for token in names:  # the name is token enough here
            session = keys.session(hashlib.sha256(token.encode()).hexdigest())
            await redis.hset(session, mapping={"player": token, "name": "Ada"})
        entries: Any = await redis.xrange(keys.log(table))
        kept = [fields[b"e"] for _, fields in entries]

        engine = await stack.enter_async_context(platform.engine(server.url))
        scoring = await stack.enter_async_context(platform.scoring(server.url, tmp_path))
        patient = LobbySettings(
            redis_url=server.url, port=0, metrics_port=0, engines=engine, scoring=scoring,
            stale_seconds=FOR_EVER_S, absent_seconds=FOR_EVER_S, idle_seconds=FOR_EVER_S,
        )  # fmt: skip
        lobby = await stack.enter_async_context(serving(patient, build_lobby))
        place = Place(server.url, engine, f"127.0.0.1:{lobby.port}", scoring)
        gateway = await stack.enter_async_context(place.gateway(rate_limit=0.0))
        clients = [
            await stack.enter_async_context(Client(f"http://127.0.0.1:{gateway.port}", token)) for token in names
        ]
        players = [Player(client, seed, enough=lambda: True) for seed, client in enumerate(clients)]
        async with asyncio.timeout(200):
            ended = await asyncio.gather(*(player.go_on(table) for player in players))

        assert ended[0].state is TableState.BETWEEN
        match = await clients[0].match(ended[0].match or "")
        logs = [await clients[0].hand_log(match.id, sheet.hand) for sheet in match.hands]
    assert len(logs) == 1
    assert logs[0][: len(kept)] == kept, "what was recorded is the beginning of what was counted"
    assert len(logs[0]) > len(kept) + 10
    assert recount.so_far(match, logs)[1] == []
    assert missing([answer for player in players for answer in player.answers], logs) == []
