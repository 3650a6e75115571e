from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from services.ops.redis_audit import KEPT, RedisAudit
from services.runtime import keys
from services.runtime.redis import connect
from services.runtime.redis_server import RedisServer


async def test_entries_that_are_too_old_go_and_the_others_stay(tmp_path: Path) -> None:
    async with RedisServer(tmp_path / "redis") as server, connect(server.url) as redis:
        audit = RedisAudit(redis)
        old = time.time_ns() // 1_000_000 - 2 * 86_400_000
        fields: dict[Any, Any] = dict.fromkeys(("who", "address", "what", "on", "detail", "result"), "x")
        await redis.xadd(keys.audit(), fields | {"at": str(old)}, id=f"{old}-0")
        await audit.write("ann", "::1", "close", "t1", "", "done")
        assert await audit.expire(3) == 0
        assert await audit.expire(1) == 1
        assert [entry.who for entry in await audit.read("", 10)] == ["ann"]


async def test_of_too_many_entries_the_last_hundred_thousand_stay(tmp_path: Path) -> None:
    assert KEPT == 100_000
    async with RedisServer(tmp_path / "redis", appendfsync="no") as server, connect(server.url) as redis:
        for _ in range(21):
            pipe = redis.pipeline(transaction=False)
            for _ in range(KEPT // 20):
                pipe.xadd(keys.audit(), {"at": "0"})
            await pipe.execute()
        audit = RedisAudit(redis)
        await audit.write("ann", "::1", "close", "t1", "", "done")
        # Redis removes whole nodes of a stream, of at most 100 entries.
        assert KEPT <= await redis.xlen(keys.audit()) < KEPT + 200
        assert [entry.who for entry in await audit.read("", 1)] == ["ann"]
