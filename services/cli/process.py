"""One child process that is kept alive. Knows nothing of what the process does."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from services.cli.probes import Probe
from services.runtime.orphans import dies_with_parent

Say = Callable[[str, str], None]
"""Takes one line of the log: whose it is, and the text."""

_FIRST_BACKOFF_S: Final = 0.2
_LONGEST_BACKOFF_S: Final = 5.0
_STEADY_S: Final = 10.0
_PROBE_EVERY_S: Final = 0.05
_LONGEST_LINE: Final = 1 << 20


class NotReady(Exception):
    """The process did not become ready in time."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What to run. ``env`` is added to this process's own."""

    name: str
    command: Sequence[str]
    probe: Probe
    env: Mapping[str, str] = field(default_factory=dict)


class Process:
    """One child: started, restarted with growing pauses when it dies, until it is stopped or held."""

    def __init__(self, spec: Spec, say: Say) -> None:
        self.name = spec.name
        self.deaths = 0
        """How often it ended without having been asked to."""
        self._spec = spec
        self._say = say
        self._child: asyncio.subprocess.Process | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._unwanted = asyncio.Event()

    @property
    def pid(self) -> int | None:
        """Of the running child; None while there is none."""
        return self._child.pid if self._child is not None and self._child.returncode is None else None

    async def start(self) -> None:
        """Starts the child, unless it runs already, and keeps it alive from now on."""
        if self._keeper is not None:
            return
        self._unwanted.clear()
        self._child = await self._spawn()
        self._keeper = asyncio.create_task(self._keep(self._child), name=f"keep {self.name}")

    async def ready(self, within_s: float) -> None:
        """Waits until the child says that it is ready. Raises :class:`NotReady`."""
        deadline = time.monotonic() + within_s
        while not (self.pid and await self._spec.probe()):
            if time.monotonic() > deadline:
                raise NotReady(f"{self.name} was not ready within {within_s:.0f} s")
            await asyncio.sleep(_PROBE_EVERY_S)

    def kill(self) -> None:
        """SIGKILL, as an accident would: the child is restarted."""
        self.signal(signal.SIGKILL)

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to the child, if there is one."""
        if self._child is not None and self._child.returncode is None:
            self._child.send_signal(number)

    async def hold(self) -> None:
        """SIGKILL, and down it stays until :meth:`start`."""
        self._unwanted.set()
        self.kill()
        await self._gone()

    async def stop(self, within_s: float) -> None:
        """SIGTERM, and SIGKILL if it is not gone after ``within_s``. Returns when it is gone."""
        self._unwanted.set()
        self.signal(signal.SIGTERM)
        if self._keeper is not None:
            await asyncio.wait([self._keeper], timeout=within_s)
        if self.pid:
            self._say(self.name, f"did not stop within {within_s:.0f} s: killed")
            self.kill()
        await self._gone()

    async def _gone(self) -> None:
        if self._keeper is not None:
            await self._keeper
            self._keeper = None

    async def _spawn(self) -> asyncio.subprocess.Process:
        # A session of its own: Ctrl-C in a terminal reaches only the parent, which then stops its children in order.
        return await asyncio.create_subprocess_exec(
            *dies_with_parent(),
            *self._spec.command,
            env={**os.environ, **self._spec.env},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
            limit=_LONGEST_LINE,
        )

    async def _keep(self, child: asyncio.subprocess.Process) -> None:
        backoff = _FIRST_BACKOFF_S
        while True:
            started = time.monotonic()
            await self._relay(child)
            code = await child.wait()
            if self._unwanted.is_set():
                return
            self.deaths += 1
            if time.monotonic() - started > _STEADY_S:
                backoff = _FIRST_BACKOFF_S
            self._say(self.name, f"ended {_how(code)}; starting it again in {backoff:.1f} s")
            with suppress(TimeoutError):
                async with asyncio.timeout(backoff):
                    await self._unwanted.wait()
                    return
            backoff = min(2 * backoff, _LONGEST_BACKOFF_S)
            child = self._child = await self._spawn()
            if self._unwanted.is_set():  # told to stop while the child was being started
                child.kill()

    async def _relay(self, child: asyncio.subprocess.Process) -> None:
        """Passes the child's output on until it ends."""
        assert child.stdout is not None
        while True:
            try:
                line = await child.stdout.readline()
            except ValueError:
                continue  # longer than a line may be: dropped
            if not line:
                return
            self._say(self.name, line.decode(errors="replace").rstrip())


def _how(code: int) -> str:
    return f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
