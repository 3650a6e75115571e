"""A snapshot of Redis (RDB) into the append-only file that the platform's Redis begins with.

A Redis that is to keep an append-only file does not look at a snapshot when it starts; so one without is started on it,
told to keep one from now on, and ended when that is written.
"""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any, Final

from redis.asyncio import Redis

from services.runtime.redis_server import RedisServer

WRITE_SECONDS: Final = 600.0
_SNAPSHOT: Final = "dump.rdb"


def to_append_only(snapshot: Path, folder: Path) -> None:
    """Fills an empty folder of Redis from a snapshot. Raises ``RedisFailed`` if it can't be read, or TimeoutError."""
    try:
        asyncio.run(_write(snapshot, folder))
    except BaseException:
        for file in folder.iterdir():
            shutil.rmtree(file) if file.is_dir() else file.unlink()
        raise


async def _write(snapshot: Path, folder: Path) -> None:
    shutil.copyfile(snapshot, folder / _SNAPSHOT)
    async with RedisServer(folder, options={"appendonly": "no"}) as server, Redis.from_url(server.url) as client:
        await client.config_set("appendonly", "yes")
        async with asyncio.timeout(WRITE_SECONDS):
            while True:
                figures: dict[str, Any] = await client.info("persistence")
                if not figures["aof_rewrite_in_progress"] and not figures.get("aof_rewrite_scheduled"):
                    break
                await asyncio.sleep(0.05)
        if figures["aof_last_bgrewrite_status"] != "ok":
            raise OSError("Redis could not write its append-only file")
    (folder / _SNAPSHOT).unlink(missing_ok=True)
