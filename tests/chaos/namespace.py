"""A network namespace with a Redis in it, on a wire that can be cut: packets vanish, and nobody is told."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from services.runtime.redis import connect
from services.runtime.redis_server import RedisNotFound, find_redis_server

_NETWORK: Final = "10.231.77"
_HERE, _THERE, _PORT = f"{_NETWORK}.1", f"{_NETWORK}.2", 6379


class NoNamespaces(Exception):
    """This machine has none for us; says why."""


class Wire:
    """The wire between this machine and the namespace."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.url: Final = f"redis://{_THERE}:{_PORT}/0"

    def cut(self) -> None:
        """From now on nothing comes through."""
        self._set("down")

    def mend(self) -> None:
        """It does again."""
        self._set("up")

    def _set(self, state: str) -> None:
        _ip("netns", "exec", self._name, "ip", "link", "set", "there", state)


@asynccontextmanager
async def redis_behind_a_wire(folder: Path) -> AsyncIterator[Wire]:
    """Raises :class:`NoNamespaces`. Everything that was made is removed again."""
    name = f"pandemonium-{secrets.token_hex(3)}"
    here = name[-8:]
    if os.geteuid() != 0 or shutil.which("ip") is None:
        raise NoNamespaces("network namespaces need root and ip (iproute2)")
    try:
        program = find_redis_server()
    except RedisNotFound as missing:
        raise NoNamespaces(str(missing)) from None
    async with AsyncExitStack() as stack:
        try:
            _ip("netns", "add", name)
            stack.callback(_ip, "netns", "delete", name)
            _ip("link", "add", here, "type", "veth", "peer", "name", "there", "netns", name)
            _ip("addr", "add", f"{_HERE}/30", "dev", here)
            _ip("link", "set", here, "up")
            _ip("netns", "exec", name, "ip", "addr", "add", f"{_THERE}/30", "dev", "there")
            _ip("netns", "exec", name, "ip", "link", "set", "there", "up")
        except subprocess.CalledProcessError as refused:
            raise NoNamespaces(f"network namespaces are not allowed here: {refused.stderr.strip()}") from None
        server = await asyncio.create_subprocess_exec(
            *("ip", "netns", "exec", name, str(program), "--bind", _THERE, "--port", str(_PORT)),
            *("--protected-mode", "no", "--dir", str(folder), "--save", "", "--appendonly", "yes"),
            *("--appendfsync", "always"),
            stdout=asyncio.subprocess.DEVNULL,
        )
        stack.push_async_callback(_end, server)
        wire = Wire(name)
        async with asyncio.timeout(30), connect(wire.url) as redis:
            while True:
                try:
                    await redis.ping()
                    break
                except Exception:
                    await asyncio.sleep(0.05)
        yield wire


async def _end(server: asyncio.subprocess.Process) -> None:
    if server.returncode is None:
        server.kill()
    await server.wait()


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True, timeout=10)
