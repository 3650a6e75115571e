"""Ending in order on Ctrl-C and SIGTERM."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine
from typing import Any


async def until_signalled(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Runs ``work``; the first SIGINT or SIGTERM cancels it, further ones do not disturb its clearing up."""
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(work())
    stopping = False

    def stop() -> None:
        nonlocal stopping
        if not stopping:
            stopping = True
            task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    try:
        await task
    except asyncio.CancelledError:
        if not stopping:
            raise
