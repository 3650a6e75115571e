"""The event loop that every process of ours runs on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's, where there is one; Windows has none."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
