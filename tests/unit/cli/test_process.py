from __future__ import annotations

import asyncio
import os
import shutil
import sys
import time
from collections.abc import AsyncIterator

import pytest

from services.cli.process import NotReady, Process, Spec

LIVES = "print('up', flush=True); import time; time.sleep(60)"
IGNORES_SIGTERM = "import signal, time; signal.signal(15, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"


class Lines:
    """What processes said, and a way to wait for a line."""

    def __init__(self) -> None:
        self.all: list[tuple[str, str]] = []
        self._new = asyncio.Condition()
        self._tasks: set[asyncio.Task[None]] = set()

    def __call__(self, name: str, line: str) -> None:
        self.all.append((name, line))
        task = asyncio.create_task(self._tell())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def wait_for(self, text: str, times: int = 1) -> None:
        async with asyncio.timeout(60), self._new:
            await self._new.wait_for(lambda: sum(text in line for _, line in self.all) >= times)

    async def _tell(self) -> None:
        async with self._new:
            self._new.notify_all()


async def yes() -> bool:
    return True


async def no() -> bool:
    return False


@pytest.fixture
def lines() -> Lines:
    return Lines()


@pytest.fixture
async def lives(lines: Lines) -> AsyncIterator[Process]:
    process = Process(Spec("one", (sys.executable, "-c", LIVES), yes), lines)
    await process.start()
    yield process
    await process.hold()


def exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_what_a_child_prints_is_passed_on_under_its_name(lives: Process, lines: Lines) -> None:
    await lines.wait_for("up")

    assert ("one", "up") in lines.all


async def test_a_child_that_dies_is_started_again_and_that_is_said(lives: Process, lines: Lines) -> None:
    await lines.wait_for("up")
    first = lives.pid

    lives.kill()
    await lines.wait_for("up", times=2)

    assert lives.pid not in (None, first)
    assert lives.deaths == 1
    assert any("ended by SIGKILL; starting it again" in line for _, line in lines.all)


async def test_a_child_that_keeps_dying_is_started_after_growing_pauses(lines: Lines) -> None:
    process = Process(Spec("ill", (sys.executable, "-c", "raise SystemExit(3)"), yes), lines)
    await process.start()
    await lines.wait_for("ended with exit code 3", times=3)
    await process.stop(1)

    pauses = [line.split()[-2] for _, line in lines.all if "starting it again" in line]
    assert pauses[:3] == ["0.2", "0.4", "0.8"]


async def test_a_stopped_child_is_gone_and_stays_gone(lives: Process, lines: Lines) -> None:
    await lines.wait_for("up")
    pid = lives.pid
    assert pid is not None

    await lives.stop(5)

    assert not exists(pid)
    assert lives.pid is None
    assert lives.deaths == 0


async def test_a_child_that_ignores_sigterm_is_killed_in_time(lines: Lines) -> None:
    process = Process(Spec("stubborn", (sys.executable, "-c", IGNORES_SIGTERM), yes), lines)
    await process.start()
    await lines.wait_for("up")
    started = time.monotonic()

    await process.stop(0.2)

    assert process.pid is None
    assert time.monotonic() - started < 5
    assert ("stubborn", "did not stop within 0 s: killed") in lines.all


async def test_stopping_in_the_pause_before_a_restart_starts_nothing(lines: Lines) -> None:
    process = Process(Spec("ill", (sys.executable, "-c", "raise SystemExit(3)"), yes), lines)
    await process.start()
    await lines.wait_for("starting it again", times=4)
    await process.stop(5)
    said = len(lines.all)

    assert process.pid is None
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "keep ill"]
    assert len(lines.all) == said


async def test_a_held_child_stays_down_until_it_is_started(lives: Process, lines: Lines) -> None:
    await lines.wait_for("up")

    await lives.hold()
    assert lives.pid is None

    await lives.start()
    await lines.wait_for("up", times=2)
    assert lives.pid is not None


async def test_a_child_that_never_gets_ready_is_an_error_with_its_name(lines: Lines) -> None:
    process = Process(Spec("slow", (sys.executable, "-c", LIVES), no), lines)
    await process.start()
    try:
        with pytest.raises(NotReady, match="slow was not ready"):
            await process.ready(0.2)
    finally:
        await process.hold()


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="the system has no way to end orphans")
async def test_no_child_outlives_a_parent_that_was_killed(lines: Lines) -> None:
    parent = (
        "import asyncio, sys\n"
        "from services.cli.process import Process, Spec\n"
        "async def yes(): return True\n"
        "async def main():\n"
        "    say = lambda name, line: print(child.pid, flush=True)\n"
        f"    child = Process(Spec('c', (sys.executable, '-c', {LIVES!r}), yes), say)\n"
        "    await child.start()\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    running = await asyncio.create_subprocess_exec(sys.executable, "-c", parent, stdout=asyncio.subprocess.PIPE)
    assert running.stdout is not None
    async with asyncio.timeout(60):
        orphan = int(await running.stdout.readline())
        running.kill()
        await running.wait()
        while exists(orphan) and not is_zombie(orphan):
            await asyncio.sleep(0.01)


def is_zombie(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True
