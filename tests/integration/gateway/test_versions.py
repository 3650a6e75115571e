"""What a newer release has stored is left alone, with a clear error, until a copy that knows it comes by."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from services.engine.redis_log import RedisLog as EngineLog
from services.gateway.redis_log import RedisLog
from services.runtime import keys
from services.runtime.versions import UnknownVersion
from tests.integration.gateway.place import Place, started
from tests.integration.gateway.player import Turner, attached

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_hand_of_an_unknown_schema_is_not_touched_and_its_players_wait(place: Place, log: Redis) -> None:
    table, (ada, _) = await place.running_hand()
    async with attached(place.port, table, ada.token) as player:
        await started(player)
        turner = Turner(player)
        await turner.turn_and_wait(2)

        await log.hset(keys.hand(table), "schema", "2")
        before = await log.hgetall(keys.hand(table)), await log.xlen(keys.log(table))
        await turner.turn()
        await player.until(lambda: bool(player.of("paused")))
        async with attached(place.port, table, seat=False) as newcomer:
            assert await newcomer.closed() == 1001, "try again"
        assert (await log.hgetall(keys.hand(table)), await log.xlen(keys.log(table))) == before

        await log.hset(keys.hand(table), "schema", "1")
        await player.until(lambda: len(player.verdicts) == 3)
        assert [verdict["v"] for verdict in player.verdicts] == ["applied"] * 3


async def test_a_table_of_an_unknown_schema_is_told_as_such_and_spoils_no_list(place: Place, log: Redis) -> None:
    known, newer = [await place.table(await place.guest(), public=True) for _ in range(2)]
    key = keys.lobby_table(newer)
    await log.hset(key, "schema", "2")
    before = await log.hgetall(key)
    try:
        async with place.http() as http:
            answer = await http.get(f"/api/v1/tables/{newer}")
            assert (answer.status_code, answer.json()["code"]) == (503, "unknown_version")
            listed = {table["id"] for table in (await http.get("/api/v1/tables")).json()["tables"]}
        assert known in listed
        assert newer not in listed
        assert await log.hgetall(key) == before
    finally:
        await log.hset(key, "schema", "1")


async def test_an_event_in_an_unknown_encoding_is_no_event(log: Redis) -> None:
    await log.xadd(keys.log("newer"), {"f": "?"}, id="1-0")
    with pytest.raises(UnknownVersion, match="newer"):
        await RedisLog(log).head("newer")
    with pytest.raises(UnknownVersion, match="newer"):
        await EngineLog(log, log).read("newer", 0, 10)
