"""The subscription to what is published about tables, on a real Redis."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from services.gateway.redis_feed import RedisFeed
from services.runtime.redis import blocking
from services.runtime.redis_server import RedisServer


class Ears:
    """A relay that notes what becomes of its subscription."""

    table = "t1"

    def __init__(self) -> None:
        self.heard = asyncio.Queue[str]()

    def subscribed(self) -> None:
        self.heard.put_nowait("subscribed")

    def deaf(self) -> None:
        self.heard.put_nowait("deaf")

    def missed(self, table: str) -> None:
        """Of the company."""


async def test_relays_are_told_that_the_subscription_broke_and_that_it_stands_again(tmp_path: Path) -> None:
    async with RedisServer(tmp_path) as server, blocking(server.url) as client, asyncio.timeout(60):
        ears = Ears()
        feed = RedisFeed(client, cast(Any, ears))
        feed.subscribe(cast(Any, ears))
        running = asyncio.ensure_future(feed.run())
        assert await ears.heard.get() == "subscribed"
        await client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")  # type: ignore[no-untyped-call]
        assert await ears.heard.get() == "deaf"
        assert await ears.heard.get() == "subscribed"
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
