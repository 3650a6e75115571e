"""What the console knows of processes that it reaches, and of one that it does not."""

from __future__ import annotations

import httpx2

from services.ops.redis_desk import RedisDesk
from services.ops.watcher import EVERY_SECONDS, KEPT, Watcher
from services.runtime.orders import Told


class Desk(RedisDesk):
    """Two processes; there is no Redis."""

    def __init__(self) -> None:
        pass

    async def processes(self) -> list[Told]:
        return [
            Told(name, "engine", name, 7001, 9001, 1, 0, ready=True, draining=False, checks={}, until=0)
            for name in ("near", "far")
        ]


async def test_a_process_that_cannot_be_reached_has_no_figures_and_the_others_have() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        if request.url.host == "far":
            raise httpx2.ConnectError("nobody there")
        return httpx2.Response(200, text="process_resident_memory_bytes 5000.0\nprocess_cpu_seconds_total 1.0\n")

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as http:
        watcher = Watcher(Desk(), http)
        await watcher.look()
        await watcher.look()
    assert watcher.use_of("far") == (None, None)
    assert watcher.use_of("near")[1] == 5000


def test_five_minutes_are_kept() -> None:
    assert KEPT * EVERY_SECONDS == 300
