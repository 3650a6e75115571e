"""Waiting until an engine takes part again, after it was started anew."""

from __future__ import annotations

import asyncio
import re

import httpx2

from services.cli.local_platform import Platform
from services.cli.ports import LOOPBACK

_OPEN_CALLS = re.compile(r"^pandemonium_grpc_open_calls (\S+)$", re.MULTILINE)


async def linked(platform: Platform, engine: str, within_s: float = 60) -> None:
    """Until the engine is ready and every gateway has its stream to it open. Raises TimeoutError."""
    await platform[engine].ready(within_s)
    url = f"http://{LOOPBACK}:{platform.ports.metrics_of(engine)}/metrics"
    async with asyncio.timeout(within_s), httpx2.AsyncClient(trust_env=False) as http:
        while True:
            found = _OPEN_CALLS.search((await http.get(url)).text)
            if found and float(found[1]) >= len(platform.ports.gateways):
                return
            await asyncio.sleep(0.02)
