"""Processes that leave the processors to the others of this machine."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Final

NICE: Final = 19
_BETWEEN_TRIES_S: Final = 0.05


async def give_way(session: int) -> None:
    """Has the session that the process ``session`` leads compute only when nobody else wants to.

    Where Linux weighs sessions against each other (``kernel.sched_autogroup_enabled``), what its processes are worth
    counts within the session only: one process alone is then worth as much as a whole browser, however nice it is. So
    the session's own weight is set as well (``sched(7)``, "The autogroup feature").
    """
    os.setpriority(os.PRIO_PGRP, session, NICE)
    weight = Path(f"/proc/{session}/autogroup")
    while weight.exists():
        try:
            weight.write_text(f"{NICE}\n")
            return
        except BlockingIOError:  # the kernel takes one change in a tenth of a second from those who aren't root
            await asyncio.sleep(_BETWEEN_TRIES_S)
