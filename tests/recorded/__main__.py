"""Records a running hand: ``python -m tests.recorded``."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from services.runtime import keys
from services.runtime.redis import connect
from services.runtime.redis_server import RedisServer
from tests.integration.gateway.place import place_on, started
from tests.integration.gateway.player import Turner, attached
from tests.recorded.keys_of import earlier, kept

RECORD: Final = Path(__file__).parent / "running-hand-1.json"
BEGAN_MS: Final = 1_600_000_000_000
PLAYED: Final = 9


async def record() -> None:
    """A table of two in its first hand, both there, after some turns of each."""
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            server = await stack.enter_async_context(RedisServer(Path(folder) / "redis"))
            place = await place_on(stack, server.url, Path(folder))
            began_ms = time.time_ns() // 1_000_000
            table, guests = await place.running_hand()
            players = [await stack.enter_async_context(attached(place.port, table, guest.token)) for guest in guests]
            for player in players:
                await started(player)
                await Turner(player).turn_and_wait(PLAYED)
            async with connect(server.url) as redis:
                found = earlier(await kept(redis), began_ms - BEGAN_MS)
                sessions = [keys.session(""), keys.guests("")]
                found = {key: of for key, of in found.items() if not key.startswith(tuple(sessions))}
    whole = {"table": table, "players": [guest.player for guest in guests], "keys": found}
    RECORD.write_text(json.dumps(whole, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    asyncio.run(record())
