from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from services.ops.redis_audit import RedisAudit
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
