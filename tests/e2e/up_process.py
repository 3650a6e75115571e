"""`pandemonium up` as a user starts it: a process of its own, on free ports."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

PANDEMONIUM = (sys.executable, "-m", "services.cli")
READY_S = 90.0
STOP_S = 30.0


class Up:
    """A running `pandemonium up`."""

    def __init__(self, process: asyncio.subprocess.Process, url: str) -> None:
        self.process = process
        self.url = url

    def children(self) -> list[int]:
        """The processes that it started."""
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Asks it to stop; its exit code. Raises TimeoutError if it doesn't."""
        self.process.send_signal(number)
        async with asyncio.timeout(STOP_S):
            return await self.process.wait()


@asynccontextmanager
async def up(folder: Path, *options: str) -> AsyncIterator[Up]:
    """Started and ready; killed at the end, if it still runs."""
    command = (*PANDEMONIUM, "up", "--data", str(folder / "data"), "--port", "0", *options)
    with (folder / "up.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, stderr=log)
    try:
        assert process.stdout is not None
        async with asyncio.timeout(READY_S):
            said = (await process.stdout.readline()).decode()
        address = re.search(r"http://\S+", said)
        assert address is not None, (folder / "up.log").read_text()
        yield Up(process, address[0])
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def run(*arguments: str, within_s: float = 120) -> tuple[int, str]:
    """A command of `pandemonium`; exit code and everything that it said."""
    process = await asyncio.create_subprocess_exec(
        *PANDEMONIUM, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    async with asyncio.timeout(within_s):
        output, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode()


async def gone(pids: Sequence[int], within_s: float = 10) -> None:
    """Waits until none of the processes exists. Raises TimeoutError."""
    async with asyncio.timeout(within_s):
        while any(_exists(pid) for pid in pids):
            await asyncio.sleep(0.02)


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"
